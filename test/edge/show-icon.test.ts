import { expect, test } from "vitest";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { runEdgeFunction, valuesOf } from "./run-edge-function.ts";

const code = bundleEdgeFunction("functions/edge/show-icon.ts", { BASE_DOMAIN: "example.page" });
const withoutDomain = bundleEdgeFunction("functions/edge/show-icon.ts", { BASE_DOMAIN: "" });

function ask(method: string, headers: Record<string, string> = {}, artifact = code) {
  const event = {
    version: "1.0",
    context: { requestId: "request-1" },
    viewer: { ip: "198.51.100.7" },
    request: {
      method,
      uri: "/favicon.ico",
      querystring: {},
      headers: valuesOf(headers),
      cookies: valuesOf({ a: "1" }),
    },
  };
  return runEdgeFunction<{
    statusCode: number;
    uri: string;
    cookies: object;
    headers: Record<string, { value: string }>;
    body: { encoding: string; data: string };
  }>(artifact, event).returned;
}

test("on a folder's host /favicon.ico is passed on as a file of the folder", () => {
  const host = `F--${"a".repeat(26)}.example.page`;
  const sent = { host, accept: "image/*", "x-dropleaf-owner": "ada", "x-http-method-override": "PUT" };

  const { uri, cookies, headers } = ask("GET", sent);

  expect([uri, cookies]).toEqual(["/p/1234567/raw/file", {}]);
  expect(headers).toEqual(
    valuesOf({
      host,
      accept: "image/*",
      "x-dropleaf-host": host.toLowerCase(),
      "x-dropleaf-address": "198.51.100.7",
      "x-dropleaf-path": "/p/1234567/raw/favicon.ico",
    }),
  );
  expect(ask("GET", sent, withoutDomain).statusCode).toBe(200);
  expect(ask("GET", { host: "f--a.elsewhere.example" }).statusCode).toBe(200);
});

test.each(["GET", "HEAD"])(
  "%s returns an icon of 16 and 32 pixels, which browsers cache for a day",
  (method) => {
    const { statusCode, headers, body } = ask(method);
    const icon = Buffer.from(body.data, body.encoding as BufferEncoding);
    const pictures = [6, 22].map((entry) => pictureAt(icon, entry));

    expect([statusCode, headers["content-type"]?.value]).toEqual([200, "image/x-icon"]);
    expect(headers["cache-control"]?.value).toBe("public, max-age=86400");
    // Reserved, type 1 for icons, and two pictures.
    expect(icon.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 2, 0]));
    expect(pictures.map(({ sizePx }) => sizePx)).toEqual([16, 32]);
    expect(pictures.at(-1)?.end).toBe(icon.length);
  },
);

/** Reads a picture by its entry in the icon's directory; Portable Network Graphics (PNG) Specification, section 11.2.1. */
function pictureAt(icon: Buffer, entry: number) {
  const [bytes, offset] = [icon.readUInt32LE(entry + 8), icon.readUInt32LE(entry + 12)];
  const picture = icon.subarray(offset, offset + bytes);

  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([icon[entry], icon[entry + 1]]);
  return { sizePx: icon[entry], end: offset + bytes };
}

test("another method is refused with the allowed methods, in the contract's error shape", () => {
  const { statusCode, headers, body } = ask("POST");

  expect([statusCode, headers.allow?.value, headers["x-request-id"]?.value]).toEqual([
    405,
    "GET, HEAD",
    "request-1",
  ]);
  expect(JSON.parse(body.data).error).toMatchObject({
    code: "method_not_allowed",
    message: expect.stringContaining("POST"),
    details: { allow: ["GET", "HEAD"] },
  });
});
