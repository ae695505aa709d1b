import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { readSuccess } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { ownerAddress, ownerName } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";

const bytes = randomBytes(5_000);
const browserAccept = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let owner: Account;
let image: BlobResponse;
let othersHost: string;

beforeAll(async () => {
  const [first, second] = await Promise.all([newAccount("shelf"), newAccount("shelf-other")]);
  owner = first;
  image = await upload("photo.png", "image/png", bytes);
  const others = await second.api.succeed("upload-blob", { query: { filename: "x" }, text: "x" });
  othersHost = ownerAddress(others.url);
});

async function upload(
  filename: string,
  contentType: string | undefined,
  body: Uint8Array,
): Promise<BlobResponse> {
  const response = await fetchPage(`/api/blobs?filename=${encodeURIComponent(filename)}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${owner.api.token}`,
      ...(contentType ? { "content-type": contentType } : {}),
    },
    body,
  });
  return readSuccess("upload-blob", response);
}

function expectDownload(response: ReceivedResponse, filename: string, contentType: string): void {
  expect(response.status).toBe(200);
  expectCommonHeaders(response);
  expect(response.headers["content-type"]).toBe(contentType);
  expect(response.headers["content-disposition"]).toBe(`attachment; filename="${filename}"`);
  expect(contentSecurityPolicyOf(response)).toEqual({ "default-src": "'none'", sandbox: "" });
}

describe("a file", () => {
  test("is served byte for byte, with its length, type and name", async () => {
    const response = await fetchPage(image.url);

    expect(response.status).toBe(200);
    expect(response.bytes.equals(bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      "content-type": "image/png",
      "content-length": "5000",
      "content-disposition": 'inline; filename="photo.png"',
      "accept-ranges": "bytes",
    });
  });

  test("returns the same headers for HEAD, without a body", async () => {
    const response = await fetchPage(image.url, { method: "HEAD" });

    expect(response.status).toBe(200);
    expect(response.bytes).toHaveLength(0);
    expect(response.headers).toMatchObject({ "content-type": "image/png", "content-length": "5000" });
  });

  test("returns 304 to a browser that has it cached", async () => {
    const { etag = "" } = (await fetchPage(image.url)).headers;

    const response = await fetchPage(image.url, { headers: { "if-none-match": etag } });

    expect(response.status).toBe(304);
    expect(response.bytes).toHaveLength(0);
  });

  test("cannot be deleted by its readers", async () => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await fetchPage(image.url, { method })).status).toBe(403);
    }
    expect((await fetchPage(image.url)).status).toBe(200);
  });
});

test("a Content-Type of more than 255 characters is refused with the maximum length", async () => {
  const send = (length: number) =>
    fetchPage("/api/blobs?filename=a.png", {
      method: "POST",
      headers: {
        authorization: `Bearer ${owner.api.token}`,
        "content-type": `image/png; x=${"x".repeat(length - "image/png; x=".length)}`,
      },
      body: Buffer.from("0123456789"),
    });

  expect((await send(limits.contentTypeCharactersMax)).status).toBe(201);
  const { message, details } = expectError(await send(3_000), "invalid_arg");
  expect(message).toContain("3000 characters; at most 255");
  expect(details).toMatchObject({ header: "content-type", characters_max: 255 });
});

describe("a range of a file", () => {
  test.each([
    ["bytes=0-9", 0, 10],
    ["bytes=4990-", 4990, 5000],
    ["bytes=-10", 4990, 5000],
    ["bytes=4000-9999", 4000, 5000],
  ])(
    "%s returns 206 with those bytes, before and after the edge has cached the file",
    async (range, start, end) => {
      const fresh = await upload("clip.mp4", "video/mp4", bytes);

      for (const url of [fresh.url, image.url]) {
        const response = await fetchPage(url, { headers: { range } });

        expect(response.status).toBe(206);
        expect(response.headers["content-range"]).toBe(`bytes ${start}-${end - 1}/5000`);
        expect(response.bytes.equals(bytes.subarray(start, end))).toBe(true);
      }
    },
  );

  test("beyond the file's end returns 416", async () => {
    const fresh = await upload("clip.mp4", "video/mp4", bytes);

    for (const url of [fresh.url, image.url]) {
      expect((await fetchPage(url, { headers: { range: "bytes=5000-" } })).status).toBe(416);
    }
  });
});

describe("images, video and audio", () => {
  test.each(["image/png", "image/jpeg", "image/svg+xml", "video/mp4", "audio/mpeg"])(
    "%s is shown inline, and can be embedded anywhere",
    async (type) => {
      const { url } = await upload("file", type, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));

      const response = await fetchPage(url);

      expectCommonHeaders(response);
      expect(response.headers["content-type"]).toBe(type);
      expect(response.headers["content-disposition"]).toBe('inline; filename="file"');
      expect(response.headers["cross-origin-resource-policy"]).toBe("cross-origin");
      expect(contentSecurityPolicyOf(response)).toEqual({
        "default-src": "'none'",
        "img-src": "'self' data:",
        "media-src": "'self'",
        "style-src": "'unsafe-inline'",
        sandbox: "",
      });
    },
  );

  test("are shown inline if their type has capitals or parameters, which are not served", async () => {
    const { url, content_type } = await upload("a.png", "Image/PNG; x=<script>", bytes);

    expect(content_type).toBe("Image/PNG; x=<script>");
    expect((await fetchPage(url)).headers["content-type"]).toBe("image/png");
  });
});

describe("every other type", () => {
  test.each([
    ["text/plain", "text/plain"],
    ["application/zip", "application/zip"],
    [undefined, "application/octet-stream"],
    ["nonsense", "application/octet-stream"],
    ["image/png, text/html", "application/octet-stream"],
  ])("%s is a download", async (sent, served) => {
    const { url } = await upload("data.bin", sent, Buffer.from("plain"));

    expectDownload(await fetchPage(url), "data.bin", served);
  });

  test.each([
    "text/html",
    "TEXT/HTML; charset=utf-8",
    "application/xhtml+xml",
    "text/xml",
    "application/javascript",
    "application/pdf",
    "multipart/related",
  ])("%s, which a browser could run, is a download as application/octet-stream", async (type) => {
    const { url, content_type } = await upload("page.html", type, Buffer.from("<script>alert(1)</script>"));

    expect(content_type).toBe(type);
    expectDownload(await fetchPage(url), "page.html", "application/octet-stream");
  });

  test("stays a download whatever the query says about S3's response headers", async () => {
    const { url } = await upload("page.html", "text/html", Buffer.from("<script>alert(1)</script>"));
    const orders = "response-content-type=text%2Fhtml&response-content-disposition=inline";

    expectDownload(await fetchPage(`${url}?${orders}`), "page.html", "application/octet-stream");
    expectDownload(await fetchPage(`${url}?${orders}`), "page.html", "application/octet-stream");
  });
});

describe("a file's path outside its owner's host", () => {
  test("returns the 404 page on the service's own host and on another owner's", async () => {
    const path = `/b/${image.id}`;
    expect((await fetchPage(image.url)).status).toBe(200);

    for (const origin of [baseUrl(), othersHost]) {
      expectErrorPage(await fetchPage(origin + path, { headers: browserAccept }), 404);
    }
  });

  test("returns the 404 page if it is the path of the object in storage", async () => {
    const objectPath = `/${ownerName(image.url)}/${image.id}`;

    for (const host of [ownerAddress(image.url), baseUrl(), othersHost]) {
      const response = await fetchPage(host + objectPath, { headers: browserAccept });
      // The path can redirect to a drop's URL, because a file's id could be a slug. No such drop exists.
      const { location } = response.headers;
      const asked = location === undefined ? response : await fetchPage(new URL(location, host).href);
      expectErrorPage(asked, 404);
    }
  });

  test.each(["/b/aaaaaaa", "/b/", "/b/short", "/b/toolong00", "/b/aB3dE5f/x", "/b/..%2faB3dE5f"])(
    "%s returns the 404 page, also for HEAD",
    async (path) => {
      const address = ownerAddress(image.url) + path;

      expectErrorPage(await fetchPage(address, { headers: browserAccept }), 404);
      expect((await fetchPage(address, { method: "HEAD" })).status).toBe(404);
    },
  );

  test("a missing file returns 404 each time, while other files are served", async () => {
    const missing = `${ownerAddress(image.url)}/b/zzzzzzz`;
    for (const _ of [1, 2]) expect((await fetchPage(missing)).status).toBe(404);

    expect((await fetchPage(image.url)).status).toBe(200);
  });
});
