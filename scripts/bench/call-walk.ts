import { createHash } from "node:crypto";
import { sealFileKeys } from "../../functions/blobs/embedded-files.ts";
import { limits } from "../../functions/core/limits.ts";
import { entryPath } from "../../functions/folders/folder.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { updateIndex } from "../../functions/search/index-writer.ts";
import type { IndexedPlace } from "../../functions/search/search-document.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { CookieJar } from "../../test/support/cookie-jar.ts";
import { inWindow } from "../../test/support/feedback-forms.ts";
import { callUnmeasured, type Walk } from "../../test/support/operation-caller.ts";
import { htmlOfLines, largeHtml, samplePage, samplePasscode } from "../../test/support/sample-page.ts";
import { walkAnswers } from "./answer-walk.ts";
import { formOf, parse, publish, signIn, walkPeople } from "./people-walk.ts";

/** Calls every operation that uses AWS, as agents and readers do. */
export async function walkEverything(walk: Walk): Promise<void> {
  const token = await signIn(walk, "ann");
  // Uses a second token, because each token has its own write limits.
  const another = await signIn(callUnmeasured, "ann-reads-back");
  await walkDrops(walk, token);
  await walkReading(walk, another);
  await walkFolder(walk, "ann-folds", 100);
  await walkViewer(walk, token);
  await walkFeedback(walk, another);
  await walkAnswers(walk, "ann-asks");
  await walkFiles(walk, another);
  await walkFullAccount(walk);
  await walkPeople(walk, another);
  await walkLibrary(walk);
  await walk("get-me", "", { token });
  await walk("get-usage", "", { token });
  const { tokens } = parse(await walk("list-tokens", "2 tokens", { token }));
  await walk("revoke-token", "", { token, params: { id: tokens.at(-1)?.id ?? "" } });
}

async function walkDrops(walk: Walk, token: string): Promise<void> {
  const { slug: first } = await publish(walk, "first write of a minute", token);
  const { slug } = await publish(walk, "", token);
  await publish(walk, "with context", token, { context: "Why." });
  const drop = { params: { slug }, token };
  await walk("publish-version", "", { ...drop, body: { html: samplePage.html } });
  const withContext = { ...drop, body: { ...samplePage, context: "Why." } };
  await walk("publish-version", "with context and title", withContext);
  await walk("show-comparison", "of its two latest versions", { params: { slug } });
  await walk("get-drop", "", drop);
  await walk("list-drops", "3 drops", { token });
  await walk("edit-drop", "", { ...drop, body: { title: "Another title" } });
  await walk("list-versions", "3 versions", drop);
  const version = (n: string) => ({ ...drop, params: { slug, n } });
  await walk("get-version", "", version("2"));
  await walk("get-render", "without rendering", { ...drop, expectedStatus: 404 });
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

/** Publishes a page through the upload URL of `start-publish`. Publishes another page, and reads, compares and restores its versions. */
async function walkReading(walk: Walk, token: string): Promise<void> {
  const start = await walk("start-publish", "", { token, body: { title: samplePage.title } });
  const query = Object.fromEntries(new URL(parse(start).url).searchParams);
  const page = { query, headers: { "content-type": "text/html" }, body: samplePage.html };
  await walk("send-page", "a new drop", { ...page, expectedStatus: 201 });
  const markdown = { headers: { "content-type": "text/markdown" }, body: "# Harbours\n\nBy ship." };
  const published = await walk("publish-drop", "Markdown", { token, ...markdown });
  const drop = { params: { slug: parse(published).slug }, token };
  await walk("publish-version", "Markdown", { ...drop, ...markdown, body: "# Harbours\n\nBy rail." });
  await walk("read-html", "", drop);
  await walk("read-source", "", drop);
  await walk("compare-versions", "", drop);
  await walk("restore-version", "", { ...drop, body: { version: 1 } });
}

/** Publishes a folder of small pages as an archive. Then publishes one changed page by a manifest, and reads that page. */
export async function walkFolder(walk: Walk, username: string, count: number): Promise<void> {
  const token = await signIn(callUnmeasured, username);
  const pageOf = (index: number) => ({
    path: index === 0 ? entryPath : `pages/${index}.html`,
    bytes: Buffer.from(htmlOfLines(25).replace("<h1>Report</h1>", `<h1>Report ${index}</h1>`)),
  });
  const files = Array.from({ length: count }, (_, index) => pageOf(index));
  const which = `a folder of ${count} files`;
  const archive = { token, headers: { "content-type": "application/zip" }, body: writeArchive(files) };
  const { slug, raw_url } = parse(await walk("publish-drop", which, archive));
  const drop = { params: { slug }, token };
  const changed = { path: `pages/${count - 1}.html`, bytes: pageOf(count).bytes };
  const declared = [...files.slice(0, -1), changed].map(({ path, bytes }) => {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return [path, { sha256, bytes: bytes.byteLength }] as const;
  });
  const body = { files: Object.fromEntries(declared) };
  const started = await walk("start-folder", `${which}, one changed`, { ...drop, body });
  const { missing, publication_id: publication } = parse(started);
  const [file] = missing;
  if (file === undefined || missing.length > 1) throw new Error(`One file changed, not ${missing.length}.`);
  await send(file.upload_url, { method: "PUT", headers: file.headers, body: changed.bytes });
  await walk("publish-folder", `${which}, one changed`, { ...drop, params: { slug, publication } });
  await walk("list-files", which, drop);
  // In the host name of a folder's second version, the first label ends with `-v2`.
  const page = { host: new URL(raw_url).host.replace(".", "-v2."), params: { slug, path: changed.path } };
  await walk("read-folder-file", "the first of its version", page);
  await walk("read-folder-file", "", page);
}

/** Uploads a file to a presigned URL. */
async function send(url: string, request: RequestInit): Promise<void> {
  const sent = await fetch(url, request);
  if (!sent.ok) throw new Error(`The upload failed with ${sent.status}: ${await sent.text()}`);
}

async function walkViewer(walk: Walk, token: string): Promise<void> {
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
  await walk("set-passcode", "lock", { ...page, token, body: { passcode: samplePasscode } });
  await walk("view-drop", "locked, at the gate", page);
  const browser = new CookieJar();
  const form = (passcode: string) => ({ ...page, browser, body: `passcode=${encodeURIComponent(passcode)}` });
  await walk("unlock-drop", "first try in 15 minutes", form(samplePasscode));
  await walk("unlock-drop", "", form(samplePasscode));
  await walk("unlock-drop", "wrong passcode", { ...form("wrong"), expectedStatus: 403 });
  await walk("read-raw-page", "locked, with the cookie", { ...page, browser });
  await walk("set-passcode", "unlock", { ...page, token, body: { passcode: "" } });
}

/** Sends feedback as a reader with the passcode. Lists, answers, resolves and deletes the feedback as the owner's agent. */
async function walkFeedback(walk: Walk, token: string): Promise<void> {
  const { slug } = await publish(callUnmeasured, "", token, { feedback: "readers" });
  await callUnmeasured("set-passcode", "", { params: { slug }, token, body: { passcode: samplePasscode } });
  const page = { params: { slug }, browser: new CookieJar(), headers: inWindow };
  const body = `passcode=${encodeURIComponent(samplePasscode)}`;
  await callUnmeasured("unlock-drop", "", { ...page, body });
  const shown = await walk("show-feedback", "nothing yet", page);
  const fields = { quote: "Report", text: "Which week is this of?", name: "Ann" };
  const form = formOf(shown, `/p/${slug}/feedback?v=1`, fields);
  const headers = { ...inWindow, ...form.headers };
  const sent = { ...page, body: form.body, query: { v: "1" }, headers };
  await walk("send-feedback", "a new thread", { ...sent, expectedStatus: 303 });
  await walk("show-feedback", "1 thread", page);
  const { comments } = parse(await walk("list-feedback", "1 comment", { token }));
  const thread = { params: { slug, thread: String(comments[0]?.thread.id) }, token };
  await walk("reply-to-feedback", "", { ...thread, body: { text: "The one before last." } });
  await walk("resolve-feedback", "", { ...thread, body: { state: "resolved" } });
  await walk("delete-feedback", "2 comments", thread);
}

async function walkFiles(walk: Walk, token: string): Promise<void> {
  const body = "x".repeat(1024);
  const query = { filename: "notes.txt" };
  const file = { token, query, headers: { "content-type": "text/plain" }, body };
  const { id } = parse(await walk("upload-blob", "1 KB", file));
  await walk("list-blobs", "1 file", { token });
  await walk("get-blob", "", { params: { id }, token });
  const forMembers = { token, body: { visibility: "members" } };
  await walk("edit-blob", "for members", { params: { id }, ...forMembers });
  await walk("delete-blob", "", { params: { id }, token });
  const declared = { filename: "notes.txt", content_type: "text/plain", size_bytes: body.length };
  const upload = parse(await walk("start-upload", "", { token, body: declared }));
  await send(upload.url, { method: upload.method, headers: upload.headers, body });
  const params = { id: upload.id };
  await walk("complete-upload", "", { params, token });
  // A page embeds a restricted picture by a URL with a key for one reader.
  const { host } = new URL(parse(await callUnmeasured("edit-blob", "", { params, ...forMembers })).url);
  const namespace = host.split(".")[0] ?? "";
  const facts = { slug: "0000000", session: "0".repeat(22), expiresAtMs: Date.now() + 60_000 };
  const [key = ""] = await sealFileKeys(facts, [{ namespace, id: upload.id }]);
  const embedded = { host, params: { ...params, key }, headers: { "sec-fetch-dest": "image" } };
  await walk("show-embedded-file", "", embedded);
  await walk("show-file", "not signed in", { params: { namespace, ...params }, expectedStatus: 404 });
}

/** Measures the longest lists, which take the most time: those of an account full of copies of one table item. */
async function walkFullAccount(walk: Walk): Promise<void> {
  const token = await signIn(callUnmeasured, "ann-full");
  const { slug, url } = await publish(callUnmeasured, "", token);
  const { host } = new URL(url);
  const { user_id: userId } = parse(await callUnmeasured("get-me", "", { token }));
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

/** Measures the library with 300 drops, the maximum of one request. Writes the index entries directly, because the workers do not run. */
async function walkLibrary(walk: Walk): Promise<void> {
  let [token, ownerId] = ["", ""];
  const places: IndexedPlace[] = [];
  for (let count = 0; count < 300; count += 1) {
    if (count % limits.writesPerMinutePerToken === 0) token = await signIn(callUnmeasured, "ann-shares");
    const drop = await publish(callUnmeasured, "", token, { visibility: "members" });
    const { slug, created_at: createdAtMs } = drop;
    ownerId ||= parse(await callUnmeasured("get-me", "", { token })).user_id;
    await writeItems({ puts: [{ ...keys.libraryEntry("members", { createdAtMs, slug, ownerId }) }] });
    places.push({ ownerId, slug });
  }
  await updateIndex(places, Date.now());
  await walk("list-library", "20 of 300 drops", { token });
  const query = { q: samplePage.title };
  await walk("list-library", "20 of 300 drops with words", { token, query });
  await walk("list-library", "none of 300 drops with words", { token, query: { q: "nowhere" } });
  await walk("search-drops", "20 of 300 drops", { token, query });
}
