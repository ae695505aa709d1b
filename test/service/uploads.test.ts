import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import type { UploadResponse } from "../../functions/blobs/schemas.ts";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";
import { race } from "../support/race.ts";

const bytes = randomBytes(70_000);

let account: Account;
let other: Account;

beforeAll(async () => {
  [account, other] = await Promise.all([newAccount("steps"), newAccount("steps-other")]);
});

function start(fields: Readonly<Record<string, unknown>> = {}): Promise<UploadResponse> {
  const body = { filename: "photo.png", content_type: "image/png", size_bytes: bytes.byteLength, ...fields };
  return account.api.succeed("start-upload", { body });
}

/** Sends a file to Amazon S3 with the headers in the response, or with other ones. */
function send(
  { url, headers }: UploadResponse,
  body: Uint8Array = bytes,
  other: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "PUT", headers: { ...headers, ...other } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(body);
  });
}

const complete = (id: string) => account.api.call("complete-upload", { params: { id } });

describe("an upload in steps", () => {
  test("creates a file that counts and is served like other files", async () => {
    const before = await account.api.succeed("get-usage");
    const upload = await start();
    expect(upload).toMatchObject({
      method: "PUT",
      headers: { "content-type": "image/png", "content-length": "70000" },
      expires_in: 600,
    });

    expect(await send(upload)).toBe(200);
    const blob = await account.api.succeed("complete-upload", { params: { id: upload.id } });

    expect(blob).toMatchObject({
      id: upload.id,
      filename: "photo.png",
      content_type: "image/png",
      size_bytes: 70_000,
    });
    const served = await fetchPage(blob.url);
    expect(served.bytes.equals(bytes)).toBe(true);
    expect(served.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": 'inline; filename="photo.png"',
      "cache-control": expect.stringContaining("s-maxage=14400,"),
    });
    const { blobs } = await account.api.succeed("get-usage");
    expect(blobs.used).toBe(before.blobs.used + 1);
    expect(blobs.bytes_used).toBe(before.blobs.bytes_used + 70_000);
  });

  test("creates one file, however often it is completed", async () => {
    const upload = await start();
    await send(upload);
    const before = await account.api.succeed("get-usage");

    const responses = await race(10, () => complete(upload.id));
    responses.push(await complete(upload.id));

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const { blobs } = await account.api.succeed("get-usage");
    expect(blobs.used).toBe(before.blobs.used + 1);
  });

  test("does not restore its file when it is completed again after the file's deletion", async () => {
    const upload = await start();
    await send(upload);
    const { url } = await account.api.succeed("complete-upload", { params: { id: upload.id } });

    await account.api.succeed("delete-blob", { params: { id: upload.id } });

    expectError(await complete(upload.id), "not_found");
    await expect.poll(async () => (await fetchPage(url)).status, within(5)).toBe(404);
  });

  test("of a type that browsers execute is served as a download", async () => {
    const upload = await start({ filename: "page.html", content_type: "text/html" });
    await send(upload);

    const blob = await account.api.succeed("complete-upload", { params: { id: upload.id } });

    expect(blob.content_type).toBe("text/html");
    const served = await fetchPage(blob.url);
    expect(served.headers["content-type"]).toBe("application/octet-stream");
    expect(served.headers["content-disposition"]).toBe('attachment; filename="page.html"');
  });

  test("without a type gets the default type", async () => {
    const upload = await start({ content_type: undefined });

    expect(upload.headers["content-type"]).toBe("application/octet-stream");
  });
});

describe("an upload URL of Amazon S3", () => {
  test("is refused with another length, type or key than was signed", async () => {
    const upload = await start();

    expect(await send(upload, bytes.subarray(1), { "content-length": "69999" })).toBe(403);
    expect(await send(upload, bytes, { "content-type": "text/html" })).toBe(403);
    const elsewhere = upload.url.replace(upload.id, "aaaaaaa");
    expect(await send({ ...upload, url: elsewhere })).toBe(403);

    expectError(await complete(upload.id), "invalid_arg");
  });
});

describe("completing an upload", () => {
  test("before the bytes have arrived is refused with the reason, and succeeds afterwards", async () => {
    const upload = await start();

    const { message } = expectError(await complete(upload.id), "invalid_arg");

    expect(message).toContain("nothing has arrived yet");
    await send(upload);
    expect((await complete(upload.id)).status).toBe(201);
  });

  test("returns not_found for an unknown upload or another account's", async () => {
    const upload = await start();
    await send(upload);

    expectError(await complete("aaaaaaa"), "not_found");
    expectError(await other.api.call("complete-upload", { params: { id: upload.id } }), "not_found");
    expect((await complete(upload.id)).status).toBe(201);
  });

  test("is not limited as a write, because its start was counted", { tags: "slow" }, async () => {
    const { api } = await newAccount("steps-writes");
    for (let index = 0; index < limits.writesPerMinutePerToken; index += 1) {
      await api.succeed("start-upload", { body: { filename: "a", size_bytes: 1 } });
    }

    expectError(await api.call("start-upload", { body: { filename: "a", size_bytes: 1 } }), "rate_limited");
    expectError(await api.call("complete-upload", { params: { id: "aaaaaaa" } }), "not_found");
  });

  test("returns invalid_id for a malformed id", async () => {
    expectError(await complete("short"), "invalid_id");
  });
});

describe("starting an upload", () => {
  test.each([
    [{ size_bytes: 0 }, "empty_blob"],
    [{ size_bytes: limits.blobBytesMax + 1 }, "blob_too_large"],
    [{ size_bytes: -1 }, "invalid_arg"],
    [{ size_bytes: 1.5 }, "invalid_arg"],
    [{ size_bytes: "1" }, "invalid_arg"],
    [{ size_bytes: undefined }, "invalid_arg"],
    [{ filename: undefined }, "invalid_arg"],
    [{ filename: "" }, "invalid_filename"],
    [{ filename: "a/b" }, "invalid_filename"],
    [{ filename: "a".repeat(201) }, "invalid_filename"],
    [{ content_type: "text/plain\r\nx: y" }, "invalid_arg"],
    [{ content_type: "text/ümlaut" }, "invalid_arg"],
    [{ content_type: "a".repeat(256) }, "invalid_arg"],
    [{ content_type: 1 }, "invalid_arg"],
  ] as const)("with %j returns %s", async (fields, code) => {
    const body = { filename: "a.txt", size_bytes: 1, ...fields };

    expectError(await account.api.call("start-upload", { body }), code);
  });

  test("of the maximum size is accepted", async () => {
    const upload = await start({ size_bytes: limits.blobBytesMax });

    expect(upload.headers["content-length"]).toBe("26214400");
  });
});
