import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressed } from "../../functions/http/page-operation.ts";
import type { HttpRequest } from "../../functions/http/request.ts";

const page = { status: 200, headers: { "content-type": "text/html" }, body: "<p>Ünïcode</p>".repeat(100) };

test("a constant document is compressed once", () => {
  const encode = () => compressed(page, requestWith("br"), { isKept: true }).body;

  const [first, second] = [encode(), encode()];

  expect(second).toBe(first);
  expect(brotliDecompressSync(first as Uint8Array).toString()).toBe(page.body);
});

describe("a page", () => {
  test.each([
    ["gzip, deflate, br, zstd", "gzip"],
    ["gzip, deflate", "gzip"],
    ["br, gzip;q=0.5", "br"],
    ["br", "br"],
    ["*", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
  ])("for a browser that accepts %j is sent as %s, with unchanged content", async (accepted, encoding) => {
    const response = await compressed(page, requestWith(accepted));

    const decode = encoding === "br" ? brotliDecompressSync : gunzipSync;
    expect(response.headers).toEqual({
      ...page.headers,
      vary: "Accept-Encoding",
      "content-encoding": encoding,
    });
    expect(decode(response.body as Uint8Array).toString()).toBe(page.body);
  });

  test.each([undefined, "", "identity", "deflate", "br;q=0, gzip;q=0"])(
    "for a browser that accepts %j is sent uncompressed",
    async (accepted) => {
      const response = await compressed(page, requestWith(accepted));

      expect(response).toEqual({ ...page, headers: { ...page.headers, vary: "Accept-Encoding" } });
    },
  );

  test("that is too short to benefit is sent uncompressed", async () => {
    const short = { ...page, body: "<p>Short</p>" };

    expect(await compressed(short, requestWith("br"))).toBe(short);
  });

  test("that a person has published is compressed only by the edge", async () => {
    const published = { ...page, body: Buffer.from(page.body) };

    expect(await compressed(published, requestWith("br"))).toBe(published);
  });
});

function requestWith(acceptEncoding: string | undefined): HttpRequest {
  return {
    method: "GET",
    path: "/",
    host: "dropleaf.test",
    headers: acceptEncoding === undefined ? {} : { "accept-encoding": [acceptEncoding] },
    rawQuery: "",
    pathParameters: {},
    network: "127.0.0.1",
    requestId: "a-request",
    readBody: async () => new Uint8Array(),
    bodyBytes: undefined,
    bodyStream: async function* () {},
    contentLength: 0,
  };
}
