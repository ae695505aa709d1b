import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BlobResponse, UploadResponse } from "../../../functions/blobs/schemas.ts";
import type { DropListResponse, DropResponse } from "../../../functions/drops/schemas.ts";
import type { Terminal } from "../terminal.ts";
import { type SmokeClient, UnexpectedResponse } from "./smoke-client.ts";

/** The bare raw page may be two seconds old; what is deleted may take the edge a minute or two to forget. */
const staleMsMax = 5_000;
const forgottenMsMax = 180_000;

/** Tells of each step, and goes on with the next where one fails. */
class Steps {
  readonly #terminal: Terminal;
  isWell = true;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The step's result, or undefined where it failed. */
  async take<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    const startedAtMs = performance.now();
    try {
      const result = await run();
      const durationMs = Math.round(performance.now() - startedAtMs);
      this.#terminal.print(`ok      ${String(durationMs).padStart(6)} ms  ${name}`);
      return result;
    } catch (error) {
      this.isWell = false;
      this.#terminal.print(
        `failed             ${name}: ${error instanceof Error ? error.message : String(error)}`,
      );
      return undefined;
    }
  }
}

/** Publishes, reads, uploads and deletes. Returns whether all of it worked. */
export async function runSteps(client: SmokeClient, fileBytes: number, terminal: Terminal): Promise<boolean> {
  const steps = new Steps(terminal);
  const drop = await steps.take("publish a page", () => publish(client));
  if (drop !== undefined) await tryPage(client, steps, drop);
  const content = randomBytes(fileBytes);
  const blob = await steps.take(`upload a file of ${fileBytes} bytes`, () =>
    upload(client, content, terminal),
  );
  if (blob !== undefined) await tryFile(client, steps, blob, content);
  return steps.isWell;
}

async function tryPage(client: SmokeClient, steps: Steps, drop: DropResponse): Promise<void> {
  const { slug, url, raw_url: rawUrl } = drop;
  await steps.take("read it in the viewer", () => readUntil(client, url, drop.title ?? "", 0));
  await steps.take("read it raw", () => readUntil(client, rawUrl, "the first version", 0));
  await steps.take("publish a second version", () =>
    client.call<DropResponse>("PUT", `/api/drops/${slug}`, { status: 200, body: html("the second version") }),
  );
  await steps.take("read the second version", () =>
    readUntil(client, rawUrl, "the second version", staleMsMax),
  );
  await steps.take("read the first version still", () =>
    readUntil(client, `${rawUrl}?v=1`, "the first version", 0),
  );
  await steps.take("find it by its metadata", () => findByMetadata(client, slug));
  await steps.take("delete it", () => client.call("DELETE", `/api/drops/${slug}`, { status: 204 }));
  await steps.take("find it deleted", () => client.call("GET", `/api/drops/${slug}`, { status: 404 }));
  await steps.take("see it gone from the edge", () => waitUntilGone(client, [url, rawUrl, `${rawUrl}?v=1`]));
}

async function tryFile(
  client: SmokeClient,
  steps: Steps,
  blob: BlobResponse,
  content: Buffer,
): Promise<void> {
  await steps.take("read the file", async () => {
    const { body } = await client.read(blob.url, { status: 200 });
    if (digest(body) !== digest(content)) throw new Error(`${body.byteLength} other bytes came back.`);
  });
  await steps.take("delete the file", () => client.call("DELETE", `/api/blobs/${blob.id}`, { status: 204 }));
  await steps.take("see the file gone from the edge", () => waitUntilGone(client, [blob.url]));
}

function publish(client: SmokeClient): Promise<DropResponse> {
  const body = JSON.stringify({
    title: `Smoke test ${new Date().toISOString()}`,
    metadata: { purpose: "smoke-test" },
    ...JSON.parse(html("the first version")),
  });
  return client.call<DropResponse>("POST", "/api/drops", { status: 201, body });
}

/** In one request or, where the edge says that one takes less (the setting `ingest`), in steps. */
async function upload(client: SmokeClient, content: Buffer, terminal: Terminal): Promise<BlobResponse> {
  try {
    return await client.call<BlobResponse>("POST", "/api/blobs?filename=smoke-test.bin", {
      status: 201,
      headers: { "content-type": "application/octet-stream" },
      body: content,
    });
  } catch (error) {
    if (!(error instanceof UnexpectedResponse) || error.status !== 413) throw error;
    const { bytes_max } = JSON.parse(error.body).error.details;
    terminal.print(`${" ".repeat(19)}one request takes ${bytes_max} bytes here: the file goes in steps`);
    return uploadInSteps(client, content);
  }
}

async function uploadInSteps(client: SmokeClient, content: Buffer): Promise<BlobResponse> {
  const body = JSON.stringify({ filename: "smoke-test.bin", size_bytes: content.byteLength });
  const { id, url, method, headers } = await client.call<UploadResponse>("POST", "/api/blobs/uploads", {
    status: 201,
    body,
  });
  await client.send(url, { status: 200, method, headers, body: content });
  return client.call<BlobResponse>("POST", `/api/blobs/uploads/${id}/complete`, { status: 201 });
}

async function findByMetadata(client: SmokeClient, slug: string): Promise<void> {
  const query = "metadata.purpose=smoke-test&pageSize=200";
  const { drops } = await client.call<DropListResponse>("GET", `/api/drops?${query}`, { status: 200 });
  if (!drops.some((drop) => drop.slug === slug))
    throw new Error(`${slug} is not among ${drops.length} drops.`);
}

async function readUntil(
  client: SmokeClient,
  address: string,
  text: string,
  waitMsMax: number,
): Promise<void> {
  const untilMs = Date.now() + waitMsMax;
  for (;;) {
    const { body } = await client.read(address, { status: 200 });
    if (body.includes(text)) return;
    if (Date.now() >= untilMs) throw new Error(`${address} does not hold "${text}".`);
    await sleep(500);
  }
}

async function waitUntilGone(client: SmokeClient, addresses: readonly string[]): Promise<void> {
  const untilMs = Date.now() + forgottenMsMax;
  for (const address of addresses) {
    for (;;) {
      const failure = await client.read(address, { status: 404 }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) break;
      if (Date.now() >= untilMs) throw failure;
      await sleep(1_000);
    }
  }
}

function html(text: string): string {
  return JSON.stringify({ html: `<!doctype html><title>Smoke test</title><p>This is ${text}.</p>` });
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
