// @module-tag nightly

import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import { findOrSynthesize } from "../../local/assembly-cache.ts";
import { startDropleaf } from "../../local/start-dropleaf.ts";
import { runCommand } from "../support/run-command.ts";
import { signIn } from "../support/sign-in-at.ts";

const directories: string[] = [];
let cloud: LocalCloud | undefined;

async function stop(): Promise<void> {
  await cloud?.stop();
  cloud = undefined;
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

async function start(ingest: Settings["ingest"]) {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-large-"));
  directories.push(directory);
  const port = await findFreePort(2);
  const assetsDirectory = join(directory, "cdk.out");
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  const baseUrl = `http://localhost:${port}`;
  await findOrSynthesize({ baseUrl, identityProvider, ingest, members: "anyone" }, assetsDirectory, { port });
  const dataDirectory = join(directory, "data");
  const running = await startDropleaf({ assetsDirectory, port, dataDirectory, log: () => undefined });
  cloud = running;
  return { running, dataDirectory, token: await signIn(running.address, "ada") };
}

async function upload({ address }: LocalCloud, token: string, body: Uint8Array, headers: object = {}) {
  const request = httpRequest(`${address}/api/blobs?filename=a.bin`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  request.write(body);
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode,
    body: JSON.parse(text) as { size_bytes?: number; error?: { code: string } },
  };
}

describe("a stack whose ingest server is a Web Function", () => {
  let running: LocalCloud;
  let token: string;
  let dataDirectory: string;
  beforeAll(async () => {
    ({ running, token, dataDirectory } = await start("webfunction"));
  });
  afterAll(stop);

  test("starts its server at the first request, and again after a crash", async () => {
    const [server] = running.servers.values();
    expect(server?.processId).toBeUndefined();

    expect((await upload(running, token, Buffer.alloc(10))).status).toBe(201);
    const first = server?.processId ?? 0;
    process.kill(first, "SIGKILL");
    await expect.poll(() => server?.processId).toBeUndefined();
    expect((await upload(running, token, Buffer.alloc(10))).status).toBe(201);

    expect(server?.processId).not.toBe(first);
  });

  test("accepts bodies from curl with Expect: 100-continue, behind the edge", async () => {
    const directory = dataDirectory;
    const authorization = `Authorization: Bearer ${token}`;
    const curlType = "application/x-www-form-urlencoded";
    const sent = [
      {
        path: "/api/blobs?filename=a.bin",
        // curl's default type is a form's, which the service refuses for a file.
        type: "application/octet-stream",
        body: Buffer.alloc(10_000_000, 1),
        response: { size_bytes: 10_000_000 },
      },
      { path: "/api/drops", type: curlType, body: jsonPage(2_500_000), response: { latest_version: 1 } },
      { path: "/api/drops", type: curlType, body: jsonPage(5_000_000), response: { latest_version: 1 } },
    ];
    for (const { path, type, body, response } of sent) {
      const file = join(directory, "body");
      writeFileSync(file, body);

      const { stdout, stderr } = await runCommand(
        [
          "curl",
          ...["-sv", "--data-binary", `@${file}`, "-H", authorization, "-H", `Content-Type: ${type}`],
          `${running.address}${path}`,
        ],
        { directory },
      );

      expect(stderr).toContain("> Expect: 100-continue");
      expect(stderr).toContain("< HTTP/1.1 201");
      expect(JSON.parse(stdout)).toMatchObject(response);
    }
  });

  test("leaves no object and no upload part of a body that is aborted or refused", async () => {
    const before = objectsOf(dataDirectory);
    const cut = httpRequest(`${running.address}/api/blobs?filename=a.bin`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    const failed = once(cut, "error");

    cut.write(Buffer.alloc(12_000_000));
    // At this length two parts are in S3.
    await expect.poll(() => unfinishedUploads(dataDirectory)).toHaveLength(1);
    cut.destroy(new Error("gone"));
    await failed;
    const refused = await upload(running, token, Buffer.alloc(26_214_401));

    expect(refused.body.error?.code).toBe("blob_too_large");
    await expect.poll(() => unfinishedUploads(dataDirectory)).toEqual([]);
    expect(objectsOf(dataDirectory)).toEqual(before);
  });

  test("leaves no process running when it is stopped", async () => {
    const [server] = running.servers.values();
    const last = server?.processId ?? 0;
    expect(() => process.kill(last, 0)).not.toThrow();

    await running.stop();

    cloud = undefined;
    expect(() => process.kill(last, 0)).toThrow("ESRCH");
  });
});

/** Returns a JSON body of this length with a page of about a million characters, some of them escaped. */
function jsonPage(bytes: number): Buffer {
  const escaped = (bytes - 1_000_000) / 5;
  return Buffer.from(`{"title":"x","html":"${"\\u0061".repeat(escaped)}${"a".repeat(1_000_000 - escaped)}"}`);
}

/** Returns the multipart uploads that are neither completed nor aborted. */
function unfinishedUploads(dataDirectory: string): string[] {
  return filesOf(dataDirectory, "uploads");
}

/** Returns the objects, except those of the search, which are written at any time after a publication. */
function objectsOf(dataDirectory: string): string[] {
  return filesOf(dataDirectory, "objects").filter((name) => !name.startsWith("_search"));
}

function filesOf(dataDirectory: string, folder: "objects" | "uploads"): string[] {
  const s3 = join(dataDirectory, "s3");
  return readdirSync(s3).flatMap((bucket) => readdirSync(join(s3, bucket, folder)));
}

describe("a stack without an ingest server", () => {
  afterEach(stop);

  test("refuses large bodies at the edge, and accepts small ones of unknown length", async () => {
    const { running, token } = await start("none");
    const length = { "content-length": "3145729" };

    const large = await upload(running, token, Buffer.alloc(3_145_729), length);
    const small = await upload(running, token, Buffer.alloc(1_000));

    expect(large.status).toBe(413);
    expect(large.body.error?.code).toBe("blob_too_large");
    expect(small.status).toBe(201);
  });
});
