import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressed } from "../../functions/platform/compression.ts";
import type { HttpRequest } from "../../functions/platform/request.ts";

const page = { status: 200, headers: { "content-type": "text/html" }, body: "<p>Ünïcode</p>".repeat(100) };

describe("a page", () => {
  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, gzip;q=0.1", "gzip"],
  ])("for a browser that takes %j goes out as %s, and is the same page", async (accepted, encoding) => {
    const answer = await compressed(page, requestWith(accepted));

    const decode = encoding === "br" ? brotliDecompressSync : gunzipSync;
    expect(answer.headers).toEqual({
      ...page.headers,
      vary: "Accept-Encoding",
      "content-encoding": encoding,
    });
    expect(decode(answer.body as Uint8Array).toString()).toBe(page.body);
  });

  test.each([undefined, "", "identity", "deflate", "br;q=0, gzip;q=0"])(
    "for one that takes %j goes out as it is",
    async (accepted) => {
      const answer = await compressed(page, requestWith(accepted));

      expect(answer).toEqual({ ...page, headers: { ...page.headers, vary: "Accept-Encoding" } });
    },
  );

  test("too short to gain by it goes out as it is", async () => {
    const short = { ...page, body: "<p>Short</p>" };

    expect(await compressed(short, requestWith("br"))).toBe(short);
  });

  test("that somebody has published is left to the edge, byte for byte", async () => {
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
