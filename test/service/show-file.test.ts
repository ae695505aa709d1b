import { beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type SendOptions } from "../support/http.ts";
import { ownerAddress, ownerName } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

const image = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="ran"</script></svg>';
const inAWindow = { headers: { "sec-fetch-dest": "document", accept: "text/html" } };

/** Headers of a browser that sends no fetch metadata. */
const olderBrowser = {
  "sec-fetch-dest": [],
  "user-agent": "Mozilla/5.0 (Macintosh) AppleWebKit/605 Safari/604",
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
};

let account: Account;
let file: BlobResponse;
let owner: string;
/** A visitor who signs in to read the file. */
let reader: Visitor;

beforeAll(async () => {
  account = await newAccount("for-some");
  file = await account.api.succeed("upload-blob", {
    query: { filename: "a drawing.svg", visibility: "members" },
    text: image,
    headers: { "content-type": "image/svg+xml" },
  });
  owner = ownerAddress(file.url);
  reader = new Visitor();
});

function atBase(id: string): string {
  return `${baseUrl()}/files/${ownerName(file.url)}/${id}`;
}

/** Returns the signed URL of the file's bytes. */
async function signedAddress(): Promise<URL> {
  const { response } = await reader.request(atBase(file.id), inAWindow);
  expect(response.status).toBe(303);
  return new URL(response.headers.location ?? "");
}

describe("a browser's request for a file on the owner's host", () => {
  test.each([
    ["a browser with fetch metadata", inAWindow.headers],
    ["an older browser", olderBrowser],
  ])("redirects to the service's host for a restricted or missing file: %s", async (_, headers) => {
    for (const id of [file.id, "0000000"]) {
      const response = await fetchPage(`${owner}/b/${id}`, { headers });

      expect([response.status, response.headers.location]).toEqual([303, atBase(id)]);
      expect(response.headers["cache-control"]).toBe("no-store");
    }
  });

  test.each(["iframe", "image", "empty", undefined])(
    "gets 404 without a redirect if it is not a navigation: %s",
    async (destination) => {
      const headers = { accept: "text/html", ...(destination ? { "sec-fetch-dest": destination } : {}) };
      for (const id of [file.id, "0000000"]) {
        const response = await fetchPage(`${owner}/b/${id}`, { headers });

        expectErrorPage(response, 404);
        expect(response.text).not.toMatch(/\/login\/read|\/files\//);
      }
    },
  );
});

describe("a reader who signs in for a file", () => {
  test("gets its bytes on the service's own host, sandboxed and uncached", async () => {
    const refused = await reader.open(file.url, inAWindow);
    expectErrorPage(refused.response, 404);
    const provider = await reader.open(linkTo(refused, "/login/read"));

    const { url, response } = await reader.submit(provider, { username: "grace" });

    expect([url.origin, response.status, response.text]).toEqual([baseUrl(), 200, image]);
    expectCommonHeaders(response);
    expect(contentSecurityPolicyOf(response)).toMatchObject({ "default-src": "'none'", sandbox: "" });
    expect(response.headers).toMatchObject({
      "cache-control": "private, no-store",
      "content-type": "image/svg+xml",
      "content-disposition": 'inline; filename="a drawing.svg"',
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
    });
    expect(response.setCookies).toEqual([]);
  });

  test("gets the file's type with HEAD, without a redirect", async () => {
    const { status, headers } = (
      await reader.request(atBase(file.id), { method: "HEAD", headers: inAWindow.headers })
    ).response;

    expect([status, headers["content-type"], headers["accept-ranges"]]).toEqual([
      200,
      "image/svg+xml",
      "bytes",
    ]);
  });

  test("gets a range of the file", async () => {
    const response = await fetchPage(await signedAddress(), { headers: { range: "bytes=1-3" } });

    expect([response.status, response.text]).toEqual([206, "svg"]);
    expect(response.headers["content-range"]).toBe(`bytes 1-3/${image.length}`);
  });

  test("gets the file only at the exact signed URL, which later redirects to a new check", async () => {
    const address = await signedAddress();
    const changed = (change: (text: string) => string) => new URL(change(address.href));
    const late = new Date(Date.now() - 9_000).toISOString().replace(/[-:]|\.\d+/g, "");
    const expired = changed((text) => text.replace(/(X-Amz-Date=)\w+/, `$1${late}`));

    expect((await fetchPage(address)).status).toBe(200);
    for (const refused of [
      changed((text) => text.replace(/(X-Amz-Signature=)..../, "$10000")),
      changed((text) => text.replace("inline", "attachment")),
      changed((text) => `${text}&response-content-type=text/html`),
      changed((text) => text.replace(file.id, "0000000")),
      changed((text) => text.replace(/\?.*/, "")),
      changed((text) => text.replace(baseUrl(), owner)),
    ]) {
      expectError(await fetchPage(refused, { headers: { accept: "application/json" } }), "not_found");
      expectErrorPage(await fetchPage(refused, { headers: { accept: "text/html" } }), 404);
    }
    const forever = changed((text) => text.replace(/(X-Amz-Expires=)\d+/, "$1forever"));
    for (const over of [expired, forever])
      for (const options of [inAWindow, {}]) {
        const { status, headers } = await fetchPage(over, options);
        expect([status, new URL(headers.location ?? "", over).href]).toEqual([302, atBase(file.id)]);
      }
  });

  test("gets the response for signed-out visitors in requests that other sites' pages cause", async () => {
    const nobodys = await new Visitor().request(atBase(file.id), inAWindow);
    const sent: readonly SendOptions["headers"][] = [
      { "sec-fetch-dest": "image", "sec-fetch-site": "same-site" },
      { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" },
      { "sec-fetch-dest": "empty", "sec-fetch-site": "same-site" },
      { "sec-fetch-dest": "document", "sec-fetch-site": "same-site", "sec-purpose": "prefetch" },
      { ...olderBrowser, accept: "image/webp,image/avif,video/*;q=0.8,image/png,*/*;q=0.5" },
    ];
    for (const headers of sent) {
      const { response } = await reader.request(atBase(file.id), {
        headers: { accept: "text/html", ...headers },
      });

      expect([response.status, withoutNonce(response.text)]).toEqual([
        404,
        withoutNonce(nobodys.response.text),
      ]);
    }
    const own = { "sec-fetch-dest": "image", "sec-fetch-site": "same-origin" };
    for (const headers of [own, olderBrowser])
      expect((await reader.request(atBase(file.id), { headers })).response.status).toBe(303);
  });
});

function withoutNonce(text: string): string {
  return text.replace(/nonce="[^"]*"/g, "");
}
