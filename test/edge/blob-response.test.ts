import { describe, expect, test } from "vitest";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { runEdgeFunction, valuesOf } from "./run-edge-function.ts";

const code = bundleEdgeFunction("functions/edge/blob-response.ts", {});

function answer(statusCode: number, headers: Readonly<Record<string, string>>, uri = "/ada/aB3dE5f") {
  const request = { method: "GET", uri, querystring: {}, headers: {}, cookies: {} };
  const event = { version: "1.0", request, response: { statusCode, headers: valuesOf(headers) } };
  return runEdgeFunction<{ statusCode: number; headers: Record<string, { value: string }> }>(code, event)
    .returned;
}

describe("a file", () => {
  test.each([200, 206, 304])("shown inline may use its own styles and be embedded (%i)", (status) => {
    const { statusCode, headers } = answer(status, { "content-disposition": 'inline; filename="a.svg"' });

    expect(statusCode).toBe(status);
    expect(headers).toEqual(
      valuesOf({
        "content-disposition": 'inline; filename="a.svg"',
        "content-security-policy":
          "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
      }),
    );
  });

  test.each(['attachment; filename="inline"', "attachment", "inlined", ""])(
    "sent as a download may load and run nothing (%s)",
    (disposition) => {
      const { headers } = answer(200, { "content-disposition": disposition, etag: '"1"' });

      expect(headers).toEqual(
        valuesOf({
          "content-disposition": disposition,
          etag: '"1"',
          "content-security-policy": "default-src 'none'; sandbox",
          "cross-origin-resource-policy": "same-origin",
        }),
      );
    },
  );

  test.each([
    [
      "inline",
      "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    ],
    ["attachment", "default-src 'none'; sandbox"],
  ])(
    "that is restricted runs nothing, can be embedded in its drop's pages and sends no referrer (%s)",
    (disposition, policy) => {
      const signed = "/_restricted/ada/aB3dE5f/0123456789abcdef";

      const { headers } = answer(200, { "content-disposition": disposition }, signed);

      expect(headers).toEqual(
        valuesOf({
          "content-disposition": disposition,
          "content-security-policy": policy,
          "cross-origin-resource-policy": "cross-origin",
          "referrer-policy": "no-referrer",
        }),
      );
    },
  );

  test("of a folder is readable by scripts of its sandboxed pages, which have an opaque origin", () => {
    const { headers } = answer(
      206,
      { "content-disposition": "attachment" },
      "/_files/aB3dE5f/0123456789abcdeF.1.pack",
    );

    expect(headers).toEqual(
      valuesOf({
        "content-disposition": "attachment",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
        "referrer-policy": "no-referrer",
        "access-control-allow-origin": "*",
      }),
    );
  });

  test("in a browser's cache keeps its policy: a 304 without Content-Disposition sends none", () => {
    const { headers } = answer(304, { etag: '"1"' });

    expect(headers).toEqual(valuesOf({ etag: '"1"' }));
  });
});

describe("a file with an expiry", () => {
  const nowMs = Date.now();
  const headersOf = (expiresAtMs: number) => ({
    "content-disposition": 'inline; filename="a.png"',
    etag: '"1"',
    "last-modified": "Thu, 26 Nov 2026 12:00:00 GMT",
    "x-amz-meta-expires-at": String(expiresAtMs),
  });

  test("is served without validators and without its metadata", () => {
    const { statusCode, headers } = answer(200, headersOf(nowMs + 60_000));

    expect(statusCode).toBe(200);
    expect(Object.keys(headers)).toEqual([
      "content-disposition",
      "content-security-policy",
      "cross-origin-resource-policy",
    ]);
  });

  test.each([200, 206, 304])(
    "returns 404 after its expiry, also for revalidations and ranges (%i)",
    (status) => {
      for (const uri of ["/ada/aB3dE5f", "/_restricted/ada/aB3dE5f/0123456789abcdef"]) {
        const { statusCode, headers } = answer(status, headersOf(nowMs - 1), uri);

        expect(statusCode).toBe(404);
        expect(headers["cache-control"]?.value).toBe("no-store");
        expect(headers["content-disposition"]).toBeUndefined();
      }
    },
  );
});
