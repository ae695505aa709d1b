import { invokeWorker } from "../background/invoke-worker.ts";
import { removeObjects } from "../background/remove-objects.ts";
import {
  collectFromChanges,
  type FoundItem,
  type TableChange,
  type TableListener,
} from "../background/table-change.ts";
import type { Job } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { writeFault } from "../core/log.ts";
import { type DropChange, readDropChange } from "../drops/on-table-change.ts";
import { pagesBucket, s3 } from "../drops/page-objects.ts";
import { isRenderSubject, keys, keyText } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { deleteItems } from "../table/table-writes.ts";
import { renderObjectKeys } from "./render.ts";
import type { RenderRequest, RequestedVersion } from "./render-queue.ts";
import { toRender } from "./store.ts";

/** Listens to the table's stream. Requests renders of new versions. Removes renders that were replaced, and renders of removed versions. */
export const rendersListener: TableListener = {
  feature: "renders",
  onTableChange(changes) {
    const versions = collectFromChanges("renders", changes, readDropChange);
    return [
      ...rowRemoval(versions),
      ...objectRemoval(collectFromChanges("renders", changes, readReplacedObjects)),
      ...requestRenders(changes),
    ];
  },
};

/**
 * Requests renders of new versions, and of versions whose render was requested, in one invocation. If Lambda cannot be reached, a version
 * is rendered at the owner's next request.
 */
function requestRenders(changes: readonly TableChange[]): Job<TableChange>[] {
  const requested = collectFromChanges("renders", changes, parseRequestedVersion);
  if (requested.length === 0) return [];
  const run = async () => {
    const request: RenderRequest = { atMs: Date.now(), versions: requested.map(({ found }) => found) };
    try {
      await invokeWorker(readEnvironment(environmentNames.renderPageFunction), request);
    } catch (error) {
      writeFault({ level: "warn", operation: "janitor", event: "versions-not-requested" }, error);
    }
  };
  return [{ sources: requested.map(({ change }) => change), run }];
}

/** Reads the version to render from a change: a new version, or a version whose report or PDF was requested. */
export function parseRequestedVersion({
  eventName,
  subject,
  before,
  after,
}: TableChange): RequestedVersion | undefined {
  if (subject?.kind === "version" && eventName === "INSERT") {
    return { slug: subject.slug, version: subject.version, isAsked: false };
  }
  if (!isRenderSubject(subject) || after?.state !== "asked") return undefined;
  const wasAsked = before?.state === "asked" && before.atMs === after.atMs;
  if (wasAsked) return undefined;
  const { slug, version, kind } = subject;
  return { slug, version, isAsked: true, ...(kind === "pdf" ? { isPdf: true } : {}) };
}

/** Removes the render items of removed versions. The stream then reports these removals, and `objectRemoval` removes the objects. */
function rowRemoval(findings: readonly FoundItem<DropChange>[]): Job<TableChange>[] {
  const removed = findings.flatMap(({ change, found }) =>
    found.kind === "version-removed"
      ? [keys.render, keys.renderedPdf].map((key) => ({ change, render: key(found.slug, found.version) }))
      : [],
  );
  if (removed.length === 0) return [];
  const run = async () => {
    const gone = await Promise.all(
      removed.map(async ({ change, render }) => ((await getItem(change.key)) === undefined ? [render] : [])),
    );
    // Removes duplicate keys, because the stream may repeat a record and DynamoDB refuses a batch with a repeated key.
    const rows = new Map(gone.flat().map((row) => [keyText(row), row]));
    await deleteItems([...rows.values()]);
  };
  return [{ sources: removed.map(({ change }) => change), run }];
}

/** Reads the keys of objects to delete after a render was removed or replaced. A new request keeps the objects of the earlier render. */
export function readReplacedObjects({ subject, before, after }: TableChange): ReplacedObjects | undefined {
  if (!isRenderSubject(subject) || before === undefined || after?.state === "asked") return undefined;
  const has = after === undefined ? [] : renderObjectKeys(toRender(after));
  const left = renderObjectKeys(toRender(before)).filter((key) => !has.includes(key));
  return left.length === 0 ? undefined : { objectKeys: left };
}

interface ReplacedObjects {
  readonly objectKeys: readonly string[];
}

function objectRemoval(findings: readonly FoundItem<ReplacedObjects>[]): Job<TableChange>[] {
  if (findings.length === 0) return [];
  const run = async () => {
    const gone = await Promise.all(
      findings.map(async ({ change, found: { objectKeys } }) => {
        const row = await getItem(change.key);
        const kept = row === undefined ? [] : renderObjectKeys(toRender(row));
        return objectKeys.filter((key) => !kept.includes(key));
      }),
    );
    await removeObjects(s3, pagesBucket(), gone.flat());
  };
  return [{ sources: findings.map(({ change }) => change), run }];
}
