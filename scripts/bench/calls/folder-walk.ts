import type { DropResponse, FolderStartResponse } from "../../../functions/drops/schemas.ts";
import { entryPath, type FolderFile } from "../../../functions/folders/folder.ts";
import { sha256Of } from "../../../functions/folders/pack-folder.ts";
import { writeArchive } from "../../../functions/folders/write-archive.ts";
import { htmlOfLines } from "../sample-page.ts";
import { callUnmeasured, type Walk } from "./operation-caller.ts";
import { signIn } from "./sign-in-walk.ts";

/** Publishes a folder of small pages as an archive, then one changed page of it by a manifest, and reads that page. */
export async function walkFolder(walk: Walk, username: string, count: number): Promise<void> {
  const token = await signIn(callUnmeasured, username);
  const files = Array.from({ length: count }, (_, index) => pageOf(index));
  const which = `a folder of ${count} files`;
  const archive = { token, headers: { "content-type": "application/zip" }, body: writeArchive(files) };
  const { slug, raw_url } = JSON.parse((await walk("publish-drop", which, archive)).text) as DropResponse;
  const drop = { params: { slug }, token };
  const changed = { path: `pages/${count - 1}.html`, bytes: pageOf(count).bytes };
  const declared = [...files.slice(0, -1), changed].map(
    ({ path, bytes }) => [path, { sha256: sha256Of(bytes), bytes: bytes.byteLength }] as const,
  );
  const body = { files: Object.fromEntries(declared) };
  const started = await walk("start-folder", `${which}, one changed`, { ...drop, body });
  const { missing, publication_id: publication } = JSON.parse(started.text) as FolderStartResponse;
  const [asked] = missing;
  if (asked === undefined || missing.length > 1)
    throw new Error(`One file has changed, and ${missing.length} are to be sent.`);
  const sent = await fetch(asked.upload_url, {
    method: "PUT",
    headers: asked.headers,
    body: new Uint8Array(changed.bytes),
  });
  if (!sent.ok) throw new Error(`The file was answered ${sent.status}: ${await sent.text()}`);
  await walk("publish-folder", `${which}, one changed`, { ...drop, params: { slug, publication } });
  await walk("list-files", which, drop);
  // The host of the folder's second version.
  const page = { host: new URL(raw_url).host.replace(".", "-v2."), params: { slug, path: changed.path } };
  await walk("read-folder-file", "the first of its version", page);
  await walk("read-folder-file", "", page);
}

/** A page of two kilobytes. */
function pageOf(index: number): FolderFile {
  const html = htmlOfLines(25).replace("<h1>Report</h1>", `<h1>Report ${index}</h1>`);
  return { path: index === 0 ? entryPath : `pages/${index}.html`, bytes: Buffer.from(html) };
}
