import {
  InvokeCommand,
  type InvokeCommandOutput,
  LambdaClient,
  TooManyRequestsException,
} from "@aws-sdk/client-lambda";
import pLimit from "p-limit";
import pRetry from "p-retry";
import { type Blob, servedAs } from "../blobs/blob.ts";
import { addressPattern } from "../blobs/embedded-files.ts";
import { findReadableFile } from "../blobs/public-files.ts";
import { toBlob } from "../blobs/store.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Drop, Version } from "../drops/drop.ts";
import { findHtmlHeadOffset } from "../drops/page-content.ts";
import { pages } from "../drops/page-objects.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { contentTypeOf, withoutCharset } from "../folders/content-type.ts";
import { entryOf } from "../folders/entry.ts";
import { entryPath, type Manifest } from "../folders/folder.ts";
import { rewritePage } from "../folders/rewrite-addresses.ts";
import { signAddress } from "../http/signed-address.ts";
import { blobUrl, rawUrl, type Site } from "../http/site.ts";
import { canEmbed, isExpired, isOpenToAll } from "../policies/access.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { addDefaultStyle, frameScript, rawPage } from "../viewer/raw-response.ts";
import { readDrawing } from "./read-drawing.ts";
import type { Drawing, DrawnFile, DrawRequest, SentFile, Stop } from "./report.ts";

/** Lifetime of the presigned URLs. It is longer than the wait for the function and a render together. */
const addressSeconds = 300;

/**
 * Builds the request to draw a version. It contains the page's bytes and headers as the viewer's frame receives them, and the owner's files
 * that the page embeds. Only a restricted drop gets restricted files; see docs/adr/0051-restricted-files.md. `hasRestrictedFiles` is true if
 * the request has such files.
 */
export async function drawRequestOf(
  drop: Drop,
  version: Pick<Version, "version" | "pageKey" | "folder">,
  page: { readonly chunks: readonly Buffer[]; readonly styleOffset: number },
  { site, nowMs }: { readonly site: Site; readonly nowMs: number },
) {
  const folderUrl = urlOf(site, drop, version);
  const manifest = version.folder && (await pages.getManifest(version.pageKey));
  const stored = manifest === undefined ? undefined : Buffer.concat(page.chunks);
  const entry = manifest === undefined ? entryPath : entryOf(manifest);
  const requested = entry === entryPath ? "" : entry;
  const url = folderUrl + requested;
  const place = { files: manifest?.files ?? {}, folderUrl, requested };
  const rewritten = stored && rewritePage(stored, place, () => true);
  const styleOffset = rewritten === undefined ? page.styleOffset : findHtmlHeadOffset(rewritten);
  const body = addDefaultStyle(rewritten === undefined ? page.chunks : [rewritten], styleOffset, frameScript);
  const { headers } = rawPage(body, {
    ...(manifest === undefined ? {} : { folderUrl }),
    drop,
    hasOwnOrigin: false,
    isPinned: true,
    isGuarded: !isOpenToAll(drop),
    isFramed: true,
    nowMs,
  });
  const named = await findNamedFiles(body, drop, { site, nowMs });
  const [files, folder] = await Promise.all([
    Promise.all(named.map((one) => toDrawnFile(one, drop, nowMs))),
    folderFiles(version, manifest, folderUrl),
  ]);
  return {
    request: {
      page: body.toString("base64"),
      url,
      headers,
      files: [...files, ...folder.files],
      sources: folder.sources,
    },
    hasRestrictedFiles: named.some(({ file }) => canEmbed(file, drop, nowMs) && !isOpenToAll(file)),
  };
}

/** Returns the URL of the page. The relative URLs in a folder's entry page must resolve to the folder's files. */
function urlOf(site: Site, drop: Drop, { version, folder }: Pick<Version, "version" | "folder">): string {
  const own = folderHostUrl(site, drop, { folder }, { version });
  if (own !== undefined) return own;
  const raw = rawUrl(site, drop.namespace, drop.slug);
  return folder === undefined ? `${raw}?v=${version}` : `${raw}/@${version}/`;
}

/** Returns a folder's files, each as a byte range of its pack, and the presigned URLs of the packs. */
async function folderFiles(
  { folder }: Pick<Version, "folder">,
  manifest: Manifest | undefined,
  url: string,
): Promise<{ readonly files: readonly SentFile[]; readonly sources: readonly string[] }> {
  if (folder === undefined || manifest === undefined) return { files: [], sources: [] };
  const sources = await Promise.all(
    folder.packKeys.map((objectKey) => {
      const request = { method: "GET", bucket: environmentNames.pagesBucket, objectKey } as const;
      return signAddress(request, addressSeconds);
    }),
  );
  const numberOf = new Map(folder.packKeys.map((key, index) => [key, index]));
  const files = Object.entries(manifest.files).map(([path, { packKey, offset, sizeBytes }]) => ({
    url: url + path,
    source: numberOf.get(packKey),
    part: { offset, sizeBytes },
    // Without a charset parameter, the browser uses the page's charset.
    contentType: withoutCharset(contentTypeOf(path)),
  }));
  return { files, sources };
}

/** A file, and its absolute URL in the page. */
interface NamedFile {
  readonly url: string;
  readonly file: Blob;
}

/** Finds the files whose URLs on this service occur in the page. */
async function findNamedFiles(
  page: Buffer,
  { ownerId, namespace }: Drop,
  { site, nowMs }: { readonly site: Site; readonly nowMs: number },
): Promise<NamedFile[]> {
  const below = blobUrl(site, namespace, "");
  // Latin-1 decodes each byte as one character. The URLs are ASCII in any encoding of the page.
  const found = page.toString("latin1").matchAll(addressPattern(site, namespace));
  const idOf = new Map(
    Array.from(found, ([address, before, id]) => [
      below + address.slice((before as string).length),
      id as string,
    ]),
  );
  const ids = [...new Set(idOf.values())].slice(0, limits.embeddedFilesMax);
  const own = (await getItems(ids.map((id) => keys.blob(ownerId, id)))).map(toBlob);
  const files = new Map(own.filter((file) => file.namespace === namespace).map((file) => [file.id, file]));
  // A file that was transferred to another account keeps its URL, so ids that are not the owner's are looked up in the namespace.
  const limit = pLimit(8);
  const others = ids
    .filter((id) => !files.has(id))
    .map((id) => limit(findReadableFile, namespace, id, nowMs));
  for (const file of await Promise.all(others)) if (file !== undefined) files.set(file.id, file);
  return [...idOf].flatMap(([url, id]) => {
    const file = files.get(id);
    return file === undefined || isExpired(file, nowMs) ? [] : [{ url, file }];
  });
}

async function toDrawnFile({ url, file }: NamedFile, drop: Drop, nowMs: number): Promise<DrawnFile> {
  const { contentType } = servedAs(file.filename, file.contentType);
  if (!canEmbed(file, drop, nowMs)) return { url, source: undefined, why: "not-for-readers", contentType };
  const source = await signAddress({ method: "GET", objectKey: file.objectKey }, addressSeconds);
  return { url, source, contentType };
}

/** Timeout of a call. It is longer than the function's start (ten seconds) and its timeout (a minute). */
const answerMsMax = 75_000;

// A call without a response may still be running, so the client does not retry. The queue repeats the render.
const lambda = withoutUnusedMiddleware(
  new LambdaClient({ maxAttempts: 1, requestHandler: timeouts(answerMsMax) }),
);

/** Maximum size of a Lambda request, in bytes. A large page exceeds it in base64; see "Lambda quotas", AWS Lambda developer guide. */
const requestBytesMax = 6_000_000;

/** Outcome of a render: the result, or the function's failure. */
type DrawOutcome =
  | { readonly kind: "drawn"; readonly drawing: Drawing }
  | { readonly kind: "ended"; readonly stop: Stop; readonly errorType: string };

/**
 * Calls the drawing function, in an environment that renders only pages of this owner; see "Tenant isolation", AWS Lambda developer guide.
 *
 * @throws Error if AWS refuses the call for a reason other than the page
 */
export async function drawPage(request: DrawRequest, ownerId: string): Promise<DrawOutcome> {
  const bytes = request.page.length + JSON.stringify({ ...request, page: "" }).length;
  if (bytes > requestBytesMax) return { kind: "ended", stop: "memory", errorType: "RequestTooLarge" };
  const { FunctionError, Payload } = await invoke(request, ownerId);
  const payload = JSON.parse(Payload?.transformToString() ?? "null");
  const drawing = FunctionError === undefined ? readDrawing(payload) : undefined;
  if (drawing !== undefined) return { kind: "drawn", drawing };
  const errorType = FunctionError === undefined ? "NoDrawing" : String(payload?.errorType).slice(0, 100);
  return { kind: "ended", stop: stopOf(errorType), errorType };
}

/**
 * Maximum time for retries of a throttled call. AWS throttles at the account's concurrency limit, and at 2,500 tenant environments for each
 * 1,000 concurrent executions (same guide). After this time, the queue repeats the render minutes later.
 */
const waitMsMax = 15_000;

function invoke(request: DrawRequest, ownerId: string): Promise<InvokeCommandOutput> {
  const command = new InvokeCommand({
    FunctionName: readEnvironment(environmentNames.drawPageFunction),
    TenantId: ownerId,
    Payload: JSON.stringify(request),
  });
  return pRetry(() => lambda.send(command), {
    retries: 10,
    minTimeout: 500,
    randomize: true,
    maxRetryTime: waitMsMax,
    shouldRetry: ({ error }) => error instanceof TooManyRequestsException,
  });
}

/** Maps a Lambda error type to the reason of the stop; see "Troubleshoot execution issues in Lambda", AWS Lambda developer guide. */
function stopOf(errorType: string): Stop {
  if (errorType === "Sandbox.Timedout") return "time";
  return errorType === "Runtime.OutOfMemory" ? "memory" : "crash";
}
