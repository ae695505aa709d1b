import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, anotherToken, newAccount, publish } from "../support/accounts.ts";
import { type ApiClient, readSuccess } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { openUpload, sendInChunks } from "../support/upload.ts";

const { htmlBytesMax, blobBytesMax } = limits;
const json = { "content-type": "application/json" };

let account: Account;

beforeAll(async () => {
  account = await newAccount("large");
});

function authorization({ token }: ApiClient): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Returns a page of exactly `bytes` bytes in UTF-8 that repeats a text. */
function pageFilledWith(text: string, bytes: number = htmlBytesMax): string {
  const start = "<!doctype html><title>x</title>";
  const room = bytes - start.length;
  const size = Buffer.byteLength(text);
  return start + text.repeat(Math.floor(room / size)) + " ".repeat(room % size);
}

/** Returns JSON with an escape for every control character and every character outside ASCII. */
function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns JSON of a drop with an escape for every character of its page. */
function fullyEscaped(html: string): string {
  const units = Array.from({ length: html.length }, (_, index) => html.charCodeAt(index));
  return `{"title":"x","html":"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"}`;
}

function postDrop(api: ApiClient, body: string): Promise<ReceivedResponse> {
  return fetchPage("/api/drops", { method: "POST", headers: { ...json, ...authorization(api) }, body });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("a page of 2,097,152 bytes is accepted, and served byte for byte:", () => {
  const bodies = [
    ["unescaped emoji", (html: string) => JSON.stringify({ html, title: "x" }), "🙂"],
    [
      "quotes, Cyrillic and control characters",
      (html: string) => JSON.stringify({ html, title: "x" }),
      '"Ж\u0001',
    ],
    [
      "12.6 MB of escaped ASCII characters after a byte order mark",
      (html: string) => `\ufeff${fullyEscaped(html)}`,
      "a",
    ],
  ] as const;

  for (const { cases, options } of slowAndNightly(bodies, ([what]) => what === "unescaped emoji"))
    test.each(cases)("%s", options, async (_, toJson, text) => {
      const html = pageFilledWith(text);
      expect(Buffer.byteLength(html)).toBe(htmlBytesMax);

      const drop = readSuccess("publish-drop", await postDrop(account.api, toJson(html)));

      const raw = await fetchPage(drop.raw_url);
      const withoutStyle = raw.text.replace(/<style\b.*?<\/style>/s, "");
      expect(withoutStyle === html).toBe(true);
      const { versions } = await account.api.succeed("list-versions", { params: { slug: drop.slug } });
      expect(versions[0]?.size_bytes).toBe(htmlBytesMax);
    });

  test("with context, title, description and metadata at their limits, all escaped", {
    tags: "nightly",
  }, async () => {
    const body = escapedJson({
      html: pageFilledWith("\u0001"),
      title: "🙂".repeat(limits.titleCodePointsMax),
      description: "🙂".repeat(limits.descriptionCodePointsMax),
      context: "🙂".repeat(limits.contextCodePointsMax),
      metadata: Object.fromEntries(
        Array.from({ length: limits.metadataKeysMax }, (_, index) => [
          `${"k".repeat(62)}${index}`,
          "🙂".repeat(limits.metadataValueCodePointsMax),
        ]),
      ),
    });
    expect(Buffer.byteLength(body)).toBeGreaterThan(13_000_000);

    const response = await postDrop(account.api, body);

    expect(response.status).toBe(201);
  });

  test("as a new version", { tags: "slow" }, async () => {
    const { slug } = await publish(account.api);
    const html = pageFilledWith("🙂");

    const response = await fetchPage(`/api/drops/${slug}`, {
      method: "PUT",
      headers: { ...json, ...authorization(account.api) },
      body: escapedJson({ html }),
    });

    expect(readSuccess("publish-version", response).latest_version).toBe(2);
  });
});

describe("a page of 2,097,153 bytes is too large:", () => {
  test("emoji, escaped", { tags: "slow" }, async () => {
    const html = pageFilledWith("🙂", htmlBytesMax + 1);

    const { details } = expectError(
      await postDrop(account.api, escapedJson({ html, title: "x" })),
      "html_too_large",
    );

    expect(details).toMatchObject({ bytes: htmlBytesMax + 1, bytes_max: htmlBytesMax });
  });

  test("as the body itself, even without a title", async () => {
    const headers = { "content-type": "text/html", ...authorization(account.api) };
    const body = " ".repeat(htmlBytesMax + 1);

    const { details } = expectError(
      await fetchPage("/api/drops", { method: "POST", headers, body }),
      "html_too_large",
    );

    expect(details).toMatchObject({ bytes: htmlBytesMax + 1, bytes_max: htmlBytesMax });
  });

  test("like any body too large for a valid page, with or without a length", {
    tags: "slow",
  }, async () => {
    const body = JSON.stringify({ html: "x".repeat(20_000_000), title: "x" });
    const headers = { ...json, ...authorization(account.api) };

    expectError(await postDrop(account.api, body), "html_too_large");
    expectError(await sendInChunks("/api/drops", Buffer.from(body), { headers }), "html_too_large");
  });
});

describe("a body of more than 3 MB to an operation without pages is refused like a smaller one:", () => {
  test.each([
    ["a passcode", "POST", "/passcode", "passcode", "invalid_arg"],
    ["html in an edit", "PATCH", "", "html", "metadata_only_on_patch"],
  ] as const)("%s", async (_, method, path, field, code) => {
    const { slug } = await publish(account.api);
    const headers = { ...json, ...authorization(account.api) };
    const bodyOf = (length: number) => Buffer.from(JSON.stringify({ [field]: "x".repeat(length) }));
    const send = (body: Buffer) => fetchPage(`/api/drops/${slug}${path}`, { method, headers, body });
    const sendUnannounced = (body: Buffer) =>
      sendInChunks(`/api/drops/${slug}${path}`, body, { method, headers });

    expectError(await send(bodyOf(3_000_000)), code);
    expectError(await sendUnannounced(bodyOf(3_000_000)), code);
    for (const response of [await send(bodyOf(4_000_000)), await sendUnannounced(bodyOf(4_000_000))]) {
      expect(expectError(response, code).details).toMatchObject({ body_bytes_max: 3_145_728 });
    }
  });
});

describe("a small body in chunks", () => {
  const headersOf = (api: ApiClient) => ({ ...json, ...authorization(api) });

  test.each([
    ["a drop", "POST", "/api/drops", { html: "<p>x", title: "x" }, 201],
    ["a drop without title", "POST", "/api/drops", { html: "<p>x" }, 400],
    ["invalid JSON", "POST", "/api/drops", "{", 400],
    ["an empty body", "POST", "/api/drops", "", 400],
    ["a version of a missing drop", "PUT", "/api/drops/aaaaaaa", { html: "<p>x" }, 404],
    ["a version of an invalid slug", "PUT", "/api/drops/a%20b", { html: "<p>x" }, 400],
    ["an edit with html", "PATCH", "/api/drops/aaaaaaa", { html: "<p>x" }, 400],
    ["a passcode", "POST", "/api/drops/aaaaaaa/passcode", { passcode: "abc" }, 400],
    ["an unknown path", "POST", "/api/drops/aaaaaaa/nothing", {}, 404],
  ])("gets the same response as one with a length: %s", async (_, method, path, body, status) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = headersOf(account.api);

    const [whole, chunked] = await Promise.all([
      fetchPage(path, { method, headers, body: text }),
      sendInChunks(path, Buffer.from(text), { method, headers }),
    ]);

    expect(chunked.status).toBe(status);
    expect(whole.status).toBe(status);
    expect(shapeOf(chunked)).toEqual(shapeOf(whole));
  });

  test("is refused without a token, with a wrong one, and on an owner's host", async () => {
    const body = Buffer.from("{}");
    const { url } = await publish(account.api);

    expectError(await sendInChunks("/api/drops", body, { headers: json }), "unauthorized");
    const headers = { ...json, authorization: `Bearer hb_${"A".repeat(36)}` };
    expectError(await sendInChunks("/api/drops", body, { headers }), "unauthorized");
    const onOwnersHost = `${ownerAddress(url)}/api/drops`;
    expectError(await sendInChunks(onOwnersHost, body, { headers: headersOf(account.api) }), "not_found");
  });
});

/** Returns a response without its ids and times, to compare two responses to the same request. */
function shapeOf({ status, headers, text }: ReceivedResponse): object {
  const { date, "x-request-id": requestId, "content-length": length, ...others } = headers;
  const body = JSON.parse(text) as { error?: { code: string; message: string } };
  return {
    status,
    hasRequestId: requestId !== undefined,
    headers: Object.fromEntries(
      Object.entries(others).filter(
        ([name]) => !/^(x-amz.*|x-cache|via|age|connection|keep-alive|etag)$/.test(name),
      ),
    ),
    body: body.error ?? Object.keys(body).sort(),
  };
}

describe("a file", () => {
  const blobPath = "/api/blobs?filename=file.bin";

  for (const { cases, options } of slowAndNightly(
    [
      ["of 3 MB and a byte", 3_145_729],
      ["of 25 MB, the maximum,", blobBytesMax],
    ] as const,
    ([, size]) => size < blobBytesMax,
  ))
    test.each(cases)("%s is served byte for byte", options, async (_, size) => {
      const headers = authorization(account.api);
      const body = randomBytes(size);

      const response = await fetchPage(blobPath, { method: "POST", headers, body });

      const blob = readSuccess("upload-blob", response);
      expect(blob).toMatchObject({ size_bytes: size, content_type: "application/octet-stream" });
      expect(sha256((await fetchPage(blob.url)).bytes)).toBe(sha256(body));
    });

  for (const { cases, options } of slowAndNightly([1, 5_242_880, 5_242_881, blobBytesMax], (size) =>
    [1, 5_242_881].includes(size),
  ))
    test.each(cases)("of %i bytes without a length is served byte for byte", options, async (size) => {
      const body = randomBytes(size);
      const headers = { ...authorization(account.api), "content-type": "image/png" };

      const blob = readSuccess("upload-blob", await sendInChunks(blobPath, body, { headers }));

      expect(blob).toMatchObject({ size_bytes: size, content_type: "image/png" });
      const served = await fetchPage(blob.url);
      expect(sha256(served.bytes)).toBe(sha256(body));
      expect(served.headers["content-disposition"]).toBe('inline; filename="file.bin"');
    });

  test("of more than 25 MB is refused, with or without a length", { tags: "slow" }, async () => {
    const body = Buffer.alloc(blobBytesMax + 1, 1);
    const headers = authorization(account.api);

    expectError(await fetchPage(blobPath, { method: "POST", headers, body }), "blob_too_large");
    expectError(await sendInChunks(blobPath, body, { headers }), "blob_too_large");
  });

  test("without bytes is refused as empty, with or without a length", async () => {
    const headers = authorization(account.api);

    expectError(await fetchPage(blobPath, { method: "POST", headers, body: "" }), "empty_blob");
    expectError(await sendInChunks(blobPath, Buffer.alloc(0), { headers }), "empty_blob");
  });

  test("of many MB with a wrong token is refused, and its sender receives the response", async () => {
    const headers = { authorization: `Bearer hb_${"A".repeat(36)}` };
    const body = Buffer.alloc(6_000_000, 1);

    expectError(await fetchPage(blobPath, { method: "POST", headers, body }), "unauthorized");
    expectError(await sendInChunks(blobPath, body, { headers }), "unauthorized");
  });

  test("is stored whole when four are sent concurrently", { tags: "nightly" }, async () => {
    const api = await anotherToken(account);
    const bodies = Array.from({ length: 4 }, () => randomBytes(3_200_000));

    const responses = await Promise.all(
      bodies.map((body, index) =>
        index % 2 === 0
          ? fetchPage(blobPath, { method: "POST", headers: authorization(api), body })
          : sendInChunks(blobPath, body, { headers: authorization(api) }),
      ),
    );

    for (const [index, response] of responses.entries()) {
      const served = await fetchPage(readSuccess("upload-blob", response).url);
      expect(sha256(served.bytes)).toBe(sha256(bodies[index] ?? Buffer.alloc(0)));
    }
  });
});

test("an incomplete or invalid body stores nothing and counts no write, even if the error is at its end", {
  tags: "slow",
}, async () => {
  const { api } = await newAccount("large-refused");
  const { slug } = await publish(account.api);
  const file = "/api/blobs?filename=a";
  const headers = authorization(api);
  const before = await api.succeed("get-usage");

  await Promise.all([
    cutOff(file, { ...headers, "content-length": "10000000" }),
    cutOff(file, headers),
    cutOff("/api/drops", { ...headers, ...json, "content-length": "10000000" }),
  ]);
  expectError(await sendInChunks(file, Buffer.alloc(blobBytesMax + 1), { headers }), "blob_too_large");
  expectError(await sendInChunks(file, Buffer.alloc(0), { headers }), "empty_blob");
  expectError(await sendInChunks("/api/drops", Buffer.from("{"), { headers }), "invalid_json");

  expect(await api.succeed("get-usage")).toEqual(before);
  // Another account's drop: the call counts as a write before it is refused as not_found.
  const write = () => api.call("edit-drop", { params: { slug }, body: {} });
  // The service refunds the write for an interrupted body only when it notices the interruption.
  const writeInTime = () => vi.waitFor(async () => expect((await write()).status).toBe(404), within(5));
  await pLimit(8).map(Array(limits.writesPerMinutePerToken).keys(), writeInTime);
  expectError(await write(), "rate_limited");
});

/** Sends 6 MB of a body and then closes the connection. */
async function cutOff(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { request, response } = openUpload(path, { headers });
  const failed = expect(response).rejects.toThrow();
  request.write(Buffer.alloc(6_000_000, 32));
  await sleep(300);
  request.destroy();
  await failed;
}

test("the ingest server's internal path returns 404", async () => {
  const response = await fetchPage(`${baseUrl()}/api/large-bodies`);

  expectError(response, "not_found");
});
