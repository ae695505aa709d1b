import type { MeResponse } from "../../../functions/account/schemas.ts";
import { sealFileKeys } from "../../../functions/blobs/embedded-files.ts";
import type { BlobResponse, UploadResponse } from "../../../functions/blobs/schemas.ts";
import { limits } from "../../../functions/core/limits.ts";
import { operationIds, routeOf } from "../../../functions/routes.ts";
import { updateIndex } from "../../../functions/search/index-writer.ts";
import type { IndexedPlace } from "../../../functions/search/search-document.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/table.ts";
import { writeItems } from "../../../functions/table/table-writes.ts";
import { servedOperationIds } from "../../../lib/bundle/function-source.ts";
import { CookieJar } from "../../../test/support/cookie-jar.ts";
import { largeHtml, samplePage, samplePasscode } from "../sample-page.ts";
import { walkClient } from "./client-walk.ts";
import { walkFeedback } from "./feedback-walk.ts";
import { walkFolder } from "./folder-walk.ts";
import { type MeasuredCall, summarizeCommands } from "./measured-call.ts";
import { callOperation, callUnmeasured, type Walk } from "./operation-caller.ts";
import { walkOwnPages } from "./own-pages-walk.ts";
import { publish, walkPublication, walkReading } from "./publish-walk.ts";
import { recordCommands } from "./recorded-command.ts";
import { walkScim } from "./scim-walk.ts";
import { signIn, signInWithoutAgent, visitProvider } from "./sign-in-walk.ts";

/** Calls every operation that may ask AWS for anything, as its users do, and measures each call. */
export async function measureCalls(): Promise<MeasuredCall[]> {
  const measured: MeasuredCall[] = [];
  const take = recordCommands();
  const walk: Walk = async (id, variant, call = {}) => {
    take();
    const response = await callOperation(id, call);
    measured.push(summarizeCommands(id, variant, take()));
    return response;
  };
  // Afterwards the secrets are in memory, as they are in a warm function.
  await signIn(callUnmeasured, "warm");
  await walkEverything(walk, "ann");
  return measured;
}

/** Every operation that may ask AWS for anything, for a person who was never here. Their tokens are revoked in the end. */
export async function walkEverything(walk: Walk, username: string): Promise<void> {
  const token = await signIn(walk, username);
  await signInWithoutAgent(walk, username);
  await walkDrops(walk, token);
  // Write limits are a token's own.
  const another = await signIn(callUnmeasured, `${username}-reads-back`);
  await walkPublication(walk, another);
  await walkReading(walk, another);
  await walkFolder(walk, `${username}-folds`, 100);
  await walkReaders(walk, token);
  await walkReaderSignIn(walk, `${username}-reads`, another);
  await walkFeedback(walk, another);
  const browser = await walkOwnPages(walk, `${username}-owns`);
  await walkClient(walk, browser);
  await walk("show-library", "nothing in it", { browser });
  await walkBlobs(walk, another);
  await walkFullAccount(walk, `${username}-full`);
  await walkLibrary(walk, `${username}-shares`);
  await walkScim(walk, `${username}-provisioned`);
  await walkTokens(walk, token);
}

async function walkDrops(walk: Walk, token: string): Promise<void> {
  const { slug: first } = await publish(walk, "first write of a minute", token);
  const { slug } = await publish(walk, "", token);
  await publish(walk, "with context", token, { context: "Why this page is as it is." });
  const drop = { params: { slug }, token };
  const html = samplePage.html;
  await walk("publish-version", "", { ...drop, body: { html } });
  await walk("publish-version", "with context and title", {
    ...drop,
    body: { ...samplePage, context: "Why." },
  });
  await walk("show-comparison", "of its two latest versions", { params: { slug } });
  await walk("get-drop", "", drop);
  await walk("list-drops", "3 drops", { token });
  await walk("edit-drop", "", { ...drop, body: { title: "Another title" } });
  await walk("list-versions", "3 versions", drop);
  const version = (n: string) => ({ ...drop, params: { slug, n } });
  await walk("get-version", "", version("2"));
  await walk("get-render", "where pages are not drawn", { ...drop, expectedStatus: 404 });
  await walk("delete-version", "the latest", version("3"));
  await walk("delete-version", "an older one", version("1"));
  const deleted = { params: { slug: first }, token };
  await walk("delete-drop", "", deleted);
  await walk("list-trash", "1 drop", { token });
  await walk("undelete-drop", "", deleted);
  await callUnmeasured("delete-drop", "", deleted);
  await walk("purge-drop", "", deleted);
  await walk("search-drops", "nothing indexed", { token, query: { q: "harbours" } });
  const keyed = { token, headers: { "idempotency-key": "walk" }, body: samplePage };
  await walk("publish-drop", "with an Idempotency-Key", keyed);
  await walk("publish-drop", "with an Idempotency-Key, repeated", keyed);
  const upsert = { token, query: { "metadata.tool": "upsert" }, body: samplePage };
  await walk("upsert-drop", "a new drop", { ...upsert, expectedStatus: 201 });
  await walk("upsert-drop", "a new version", upsert);
  const large = { params: { slug: (await publish(walk, "1 MB", token, { html: largeHtml })).slug } };
  await walk("publish-version", "1 MB", { ...large, token, body: { html: largeHtml } });
  await walk("read-raw-page", "1 MB", large);
}

async function walkReaders(walk: Walk, token: string): Promise<void> {
  const { slug, url } = await publish(callUnmeasured, "", token, { context: "Why this page is as it is." });
  const page = { params: { slug } };
  const pinned = { ...page, query: { v: "1" } };
  await walk("view-drop", "", page);
  await walk("read-oembed", "", { query: { url } });
  await walk("view-drop", "pinned", pinned);
  await walk("read-raw-page", "", page);
  await walk("read-raw-page", "pinned", pinned);
  await walk("read-context", "", page);
  await walk("read-drop-state", "", page);
  const passcode = samplePasscode;
  await walk("set-passcode", "lock", { ...page, token, body: { passcode } });
  await walk("view-drop", "locked, at the gate", page);
  const browser = new CookieJar();
  const form = (given: string) => ({
    ...page,
    browser,
    body: new URLSearchParams({ passcode: given }).toString(),
  });
  await walk("unlock-drop", "first try of a quarter of an hour", form(passcode));
  await walk("unlock-drop", "", form(passcode));
  await walk("unlock-drop", "wrong passcode", { ...form("wrong"), expectedStatus: 403 });
  await walk("read-raw-page", "locked, with the cookie", { ...page, browser });
  await walk("set-passcode", "unlock", { ...page, token, body: { passcode: "" } });
}

/** A reader signs in for a drop, opens one that is shared with them, and signs out. */
async function walkReaderSignIn(walk: Walk, username: string, ownerToken: string): Promise<void> {
  const browser = new CookieJar();
  const going = { to: "/p/0000000" };
  const redirection = await walk("admit-reader", "not signed in", {
    browser,
    query: going,
    expectedStatus: 302,
  });
  const query = await visitProvider(redirection.headers.location, username);
  await walk("complete-sign-in", "reader", { browser, query, expectedStatus: 303 });
  await walk("admit-reader", "signed in", { browser, query: going, expectedStatus: 302 });
  await walk("view-drop", "not shared", { browser, params: { slug: "0000000" }, expectedStatus: 404 });
  const shared = { visibility: "people", readers: [username], context: "Why." };
  const drop = { params: { slug: (await publish(callUnmeasured, "", ownerToken, shared)).slug } };
  await walk("view-drop", "shared", { ...drop, browser });
  await walk("read-raw-page", "shared, first of a day", { ...drop, browser });
  await walk("read-raw-page", "shared, again", { ...drop, browser });
  await walk("list-reads", "1 read", { ...drop, token: ownerToken });
  await walk("sign-out-reader", "", { browser, body: "" });
}

async function walkBlobs(walk: Walk, token: string): Promise<void> {
  const file = "x".repeat(1024);
  const uploaded = await walk("upload-blob", "1 KB", {
    token,
    query: { filename: "notes.txt" },
    headers: { "content-type": "text/plain" },
    body: file,
  });
  const { id } = JSON.parse(uploaded.text) as BlobResponse;
  await walk("list-blobs", "1 file", { token });
  await walk("get-blob", "", { params: { id }, token });
  await walk("edit-blob", "for members", { params: { id }, token, body: { visibility: "members" } });
  await walk("delete-blob", "", { params: { id }, token });
  const body = { filename: "notes.txt", content_type: "text/plain", size_bytes: file.length };
  const started = await walk("start-upload", "", { token, body });
  const upload = JSON.parse(started.text) as UploadResponse;
  const { url, method, headers } = upload;
  const sent = await fetch(url, { method, headers, body: file });
  if (!sent.ok) throw new Error(`The upload was answered ${sent.status}: ${await sent.text()}`);
  await walk("complete-upload", "", { params: { id: upload.id }, token });
  await walkEmbeddedFile(walk, upload.id, token);
}

/** A picture for some readers, by the key that a page has for one of them. */
async function walkEmbeddedFile(walk: Walk, id: string, token: string): Promise<void> {
  const { text } = await callUnmeasured("edit-blob", "", {
    params: { id },
    token,
    body: { visibility: "members" },
  });
  const { host } = new URL((JSON.parse(text) as BlobResponse).url);
  const [namespace = ""] = host.split(".");
  const facts = { slug: "0000000", session: "0".repeat(22), expiresAtMs: Date.now() + 60_000 };
  const [key = ""] = await sealFileKeys(facts, [{ namespace, id }]);
  const headers = { "sec-fetch-dest": "image" };
  await walk("show-embedded-file", "", { host, params: { id, key }, headers });
  await walk("show-file", "not signed in", { params: { namespace, id }, expectedStatus: 404 });
}

/** Lists grow with the account: the largest that there can be, whose rows are copies of one. */
async function walkFullAccount(walk: Walk, username: string): Promise<void> {
  const token = await signIn(callUnmeasured, username);
  const { slug, url } = await publish(callUnmeasured, "", token);
  const { host } = new URL(url);
  const { text } = await callUnmeasured("get-me", "", { token });
  const { user_id: userId } = JSON.parse(text) as MeResponse;
  const row = await getItem(keys.drop(userId, slug));
  const puts = Array.from({ length: limits.dropsPerAccountMax - 1 }, (_, index) => {
    const copy = `Copy${String(index).padStart(3, "0")}`;
    return { ...row, ...keys.drop(userId, copy), slug: copy };
  });
  await writeItems({ puts });
  const all = `${limits.dropsPerAccountMax} drops`;
  await walk("list-drops", `${limits.pageSizeDefault} of ${all}`, { token });
  const query = { pageSize: String(limits.pageSizeMax) };
  await walk("list-drops", `${limits.pageSizeMax} of ${all}`, { token, query });
  await walk("show-owner-page", all, { host });
  await walk("show-owner-feed", `50 of ${all}`, { host });
}

/** Fills the library with 300 drops, which one request looks through. The workers do not run here, so this writes the indexes as they do. */
async function walkLibrary(walk: Walk, username: string): Promise<void> {
  let [token, ownerId] = ["", ""];
  const places: IndexedPlace[] = [];
  for (let count = 0; count < 300; count += 1) {
    if (count % limits.writesPerMinutePerToken === 0) token = await signIn(callUnmeasured, username);
    const { slug, created_at: createdAtMs } = await publish(callUnmeasured, "", token, {
      visibility: "members",
    });
    ownerId ||= (JSON.parse((await callUnmeasured("get-me", "", { token })).text) as MeResponse).user_id;
    await writeItems({
      puts: [{ ...keys.libraryEntry("members", { createdAtMs, slug, ownerId }) }],
    });
    places.push({ ownerId, slug });
  }
  await updateIndex(places, Date.now());
  await walk("list-library", "20 of 300 drops", { token });
  await walk("list-library", "20 of 300 drops with words", { token, query: { q: samplePage.title } });
  await walk("list-library", "none of 300 drops with words", { token, query: { q: "nowhere" } });
  await walk("search-drops", "20 of 300 drops", { token, query: { q: samplePage.title } });
}

async function walkTokens(walk: Walk, token: string): Promise<void> {
  await walk("get-me", "", { token });
  await walk("get-usage", "", { token });
  const { text } = await walk("list-tokens", "2 tokens", { token });
  const { tokens } = JSON.parse(text) as { tokens: { id: string }[] };
  await walk("revoke-token", "", { token, params: { id: tokens.at(-1)?.id ?? "" } });
}

/** Loads and calls the operations that use no AWS service. */
export async function walkWithoutAws(walk: Walk): Promise<void> {
  for (const id of operationIds.filter((one) => servedOperationIds.includes(one))) {
    const { grants, method, resource } = routeOf(id);
    if (Object.keys(grants).length === 0 && method === "GET" && resource !== "discovery")
      await walk(
        id,
        "",
        id === "answer-not-found" ? { expectedStatus: 404 } : { params: { slug: "0000000" } },
      );
  }
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  await walk("call-mcp", "list of tools", { headers, body });
}
