import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import type { BlobListResponse, BlobResponse, UploadResponse } from "../../../functions/blobs/schemas.ts";
import type { DropListResponse, DropResponse } from "../../../functions/drops/schemas.ts";
import type { FeedbackListResponse } from "../../../functions/feedback/schemas.ts";
import type { RenderResponse } from "../../../functions/renders/schemas.ts";
import { type SmokeClient, UnexpectedResponse } from "./smoke-client.ts";
import { NotOffered, type Steps } from "./steps.ts";

/** Limits for waiting. A raw page without a version may be cached for two seconds. A CloudFront invalidation takes one or two minutes. */
const staleMsMax = 5_000;
const forgottenMsMax = 180_000;
const renderMsMax = 180_000;
const agentWaitSeconds = 5;

const [firstText, secondText] = ["the first version", "the second version"];

/** Publishes, reads, renders, locks and deletes a page. The page's metadata contains the run's id, by which `removePages` finds it. */
export async function tryPage(steps: Steps): Promise<void> {
  const { client, run } = steps;
  const title = `Smoke test ${new Date().toISOString()}`;
  const page = { title, metadata: { purpose: "smoke-test", run }, ...pageOf(firstText) };
  const drop = await steps.take("publish a page", () =>
    client.call<DropResponse>("POST", "/api/drops", { status: 201, json: page }),
  );
  if (drop === undefined) return;
  const { slug, url, raw_url: rawUrl, visibility } = drop;
  const path = `/api/drops/${slug}`;
  const firstUrl = `${rawUrl}?v=1`;
  const tryIfOpen = (name: string, run: () => Promise<void>) =>
    steps.take(name, async () => {
      requireOpen("pages", visibility);
      await run();
    });
  const tryReading = (name: string, address: string, text: string, waitMsMax = 0) =>
    tryIfOpen(name, () =>
      retry(steps, waitMsMax, 500, async () => {
        const { body } = await client.read(address, { status: 200 });
        if (!body.includes(text)) throw new Error(`${address} does not contain "${text}".`);
      }),
    );
  await tryReading("read it in the viewer", url, drop.title);
  await tryReading("read it raw", rawUrl, firstText);
  await steps.take("see it rendered", () => waitForRender(steps, `${path}/render`));
  await steps.take("publish a second version", () =>
    client.call("PUT", path, { status: 200, json: pageOf(secondText) }),
  );
  await tryReading("read the second version", rawUrl, secondText, staleMsMax);
  await tryReading("read the first version again", firstUrl, firstText);
  await steps.take("find it by its metadata", async () => {
    const found = await findPages(client, run);
    if (!found.includes(slug)) throw new Error(`${slug} is not among ${found.length} drops.`);
  });
  const waitName = `wait ${agentWaitSeconds} seconds for feedback, as an agent`;
  await steps.take(waitName, () => waitAsAgent(client, slug));
  // This second read gets its response from the edge's cache.
  await tryReading("read the first version from the edge", firstUrl, firstText);
  const locked = await steps.take("lock it", async () => {
    const json = { passcode: randomBytes(8).toString("hex") };
    const { locked } = await client.call<DropResponse>("POST", `${path}/passcode`, { status: 200, json });
    if (!locked) throw new Error(`POST ${path}/passcode returned "locked": false.`);
    return locked;
  });
  if (locked)
    await tryIfOpen("see the lock at the edge", () =>
      retry(steps, forgottenMsMax, 250, async () => {
        // A locked page redirects to the passcode page on the base host; see docs/adr/0026-guarded-drops.md.
        const { body } = await client.read(firstUrl, { status: [200, 302, 303, 307] });
        if (body.includes(firstText)) throw new Error(`${firstUrl} still contains "${firstText}".`);
      }),
    );
  if (!(await steps.take("delete it", () => deletePage(client, slug)))) return;
  await steps.take("find it deleted", () => client.call("GET", path, { status: 404 }));
  await steps.take("check that it is gone from the edge", () =>
    waitUntilGone(steps, [url, rawUrl, firstUrl]),
  );
}

function pageOf(text: string) {
  return { html: `<!doctype html><title>Smoke test</title><p>This is ${text}.</p>` };
}

/** @throws NotOffered if readers must sign in */
function requireOpen(what: string, visibility: string): void {
  if (visibility !== "public" && visibility !== "unlisted")
    throw new NotOffered(`${what} have the visibility "${visibility}" here, so readers must sign in`);
}

/** Deletes the remaining pages of a run. */
export async function removePages(client: SmokeClient, run: string): Promise<void> {
  for (const slug of await findPages(client, run)) await deletePage(client, slug);
}

/** Deletes a page permanently, because pages in the trash count against the account's quota. */
async function deletePage(client: SmokeClient, slug: string): Promise<true> {
  await client.call("DELETE", `/api/drops/${slug}`, { status: 204 });
  // On a service without a trash, the page is already deleted.
  await client.call("DELETE", `/api/trash/${slug}`, { status: [204, 404] });
  return true;
}

/** Waits until all addresses respond 404. */
async function waitUntilGone(steps: Steps, addresses: readonly string[]): Promise<void> {
  for (const address of addresses)
    await retry(steps, forgottenMsMax, 1_000, () => steps.client.read(address, { status: 404 }));
}

async function findPages(client: SmokeClient, run: string): Promise<string[]> {
  const tags = { "metadata.purpose": "smoke-test", "metadata.run": run };
  const query = new URLSearchParams({ ...tags, pageSize: "200" });
  const { drops } = await client.call<DropListResponse>("GET", `/api/drops?${query}`, { status: 200 });
  return drops.map(({ slug }) => slug);
}

async function waitForRender({ client, signal }: Steps, path: string): Promise<void> {
  const untilMs = Date.now() + renderMsMax;
  for (;;) {
    const { state, message, retry_after_seconds: retryAfterSeconds = 1 } = await readRender(client, path);
    if (state === "rendered") return;
    if (state === "failed") throw new Error(`GET ${path} says that rendering failed: ${message}`);
    if (Date.now() >= untilMs)
      throw new Error(`GET ${path} still returns after ${renderMsMax} ms: ${message}`);
    await sleep(retryAfterSeconds * 1000, undefined, { signal });
  }
}

/** Reads the state of the render. The response is 202 until the page is rendered. */
async function readRender(client: SmokeClient, path: string): Promise<RenderResponse> {
  try {
    return await client.call<RenderResponse>("GET", path, { status: [200, 202] });
  } catch (error) {
    if (!(error instanceof UnexpectedResponse) || error.details.setting !== "renders") throw error;
    throw new NotOffered("the setting `renders` is false here");
  }
}

/** Waits for comments on a page without comments, and checks that the service responds only at the end of the wait. */
async function waitAsAgent(client: SmokeClient, slug: string): Promise<void> {
  const startedAtMs = performance.now();
  const path = `/api/feedback?slug=${slug}&wait=${agentWaitSeconds}`;
  const { comments } = await client.call<FeedbackListResponse>("GET", path, { status: 200 });
  const waitedMs = Math.round(performance.now() - startedAtMs);
  if (comments.length === 0 && waitedMs < agentWaitSeconds * 1000 - 500)
    throw new Error(
      `GET /api/feedback responded after ${waitedMs} ms. The limit of concurrent waits is reached.`,
    );
}

/** Retries until `run` succeeds. Throws the last error after `waitMsMax`. */
async function retry({ signal }: Steps, waitMsMax: number, pauseMs: number, run: () => Promise<unknown>) {
  const untilMs = Date.now() + waitMsMax;
  const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: pauseMs, factor: 1 };
  await pRetry(run, { ...pauses, signal, shouldRetry: () => Date.now() < untilMs });
}

/** Uploads, reads and deletes a file. The file's name contains the run's id, by which `removeFiles` finds it. */
export async function tryFile(steps: Steps, fileBytes: number): Promise<void> {
  const { client, run } = steps;
  const content = randomBytes(fileBytes);
  const blob = await steps.take(`upload a file of ${fileBytes} bytes`, () =>
    upload(steps, filenameOf(run), content),
  );
  if (blob === undefined) return;
  await steps.take("read the file", async () => {
    requireOpen("files", blob.visibility);
    const { body } = await client.read(blob.url, { status: 200 });
    if (!body.equals(content))
      throw new Error(`${blob.url} returned ${body.byteLength} bytes that differ from the uploaded file.`);
  });
  const isDeleted = await steps.take("delete the file", async () => {
    await client.call("DELETE", `/api/blobs/${blob.id}`, { status: 204 });
    return true;
  });
  if (!isDeleted) return;
  await steps.take("check that the file is gone from the edge", () => waitUntilGone(steps, [blob.url]));
}

/** Deletes the remaining files of a run. Reads only one page of the list, because the newest files come first. */
export async function removeFiles(client: SmokeClient, run: string): Promise<void> {
  const { blobs } = await client.call<BlobListResponse>("GET", "/api/blobs?pageSize=200", { status: 200 });
  for (const { id } of blobs.filter(({ filename }) => filename === filenameOf(run)))
    await client.call("DELETE", `/api/blobs/${id}`, { status: 204 });
}

function filenameOf(run: string): string {
  return `smoke-test-${run}.bin`;
}

/** Uploads a file in one request, or in steps if the file exceeds the size limit of a request (setting `ingest`). */
async function upload(steps: Steps, filename: string, content: Buffer): Promise<BlobResponse> {
  const { client } = steps;
  try {
    const headers = { "content-type": "application/octet-stream" };
    const request = { status: 201, headers, body: content };
    return await client.call<BlobResponse>("POST", `/api/blobs?filename=${filename}`, request);
  } catch (error) {
    if (!(error instanceof UnexpectedResponse) || error.status !== 413) throw error;
    steps.report(
      `a request may have at most ${error.details.bytes_max} bytes here, so the file is uploaded in steps`,
    );
    const json = { filename, size_bytes: content.byteLength };
    const start = await client.call<UploadResponse>("POST", "/api/blobs/uploads", { status: 201, json });
    const { id, url, method, headers } = start;
    await client.send(url, { status: 200, method, headers, body: content });
    return client.call<BlobResponse>("POST", `/api/blobs/uploads/${id}/complete`, { status: 201 });
  }
}
