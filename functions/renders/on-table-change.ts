import type { Job } from "../background/job.ts";
import { removeObjects } from "../background/remove-objects.ts";
import { type Finding, findIn, type TableChange, type TableListener } from "../background/table-change.ts";
import { type DropChange, readDropChange } from "../drops/drop-change.ts";
import { s3 } from "../drops/page-objects.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { keys } from "../platform/keys.ts";
import { writeFault } from "../platform/log.ts";
import { getItem } from "../platform/table.ts";
import { deleteItems } from "../platform/table-writes.ts";
import { renderObjectKeys } from "./render.ts";
import { queueRenders } from "./render-queue.ts";
import { toRender } from "./store.ts";

/** Renders' part of the table's stream: new versions are rendered, and renders of removed versions and replaced renders are removed. */
export const rendersListener: TableListener = {
  feature: "renders",
  onTableChange(changes) {
    const versions = findIn("renders", changes, readDropChange);
    return [
      ...rowRemoval(versions),
      ...objectRemoval(findIn("renders", changes, readReplacedObjects)),
      ...newVersions(versions),
    ];
  },
};

/**
 * Has new versions rendered. Nothing waits for that: where it cannot be requested, versions are rendered when somebody asks.
 */
function newVersions(findings: readonly Finding<DropChange>[]): Job<TableChange>[] {
  const added = findings.flatMap(({ change, found }) =>
    found.kind === "version-added" ? [{ change, version: found }] : [],
  );
  if (added.length === 0) return [];
  const run = async () => {
    try {
      await queueRenders(added.map(({ version }) => version));
    } catch (error) {
      writeFault({ level: "warn", operation: "janitor", event: "versions-not-queued" }, error);
    }
  };
  return [{ sources: added.map(({ change }) => change), run }];
}

/** Removes the render rows of removed versions; the removal of each is a change of its own, which takes its objects along. */
function rowRemoval(findings: readonly Finding<DropChange>[]): Job<TableChange>[] {
  const removed = findings.flatMap(({ change, found }) =>
    found.kind === "version-removed" ? [{ change, render: keys.render(found.slug, found.version) }] : [],
  );
  if (removed.length === 0) return [];
  const run = async () => {
    const gone = await Promise.all(
      removed.map(async ({ change, render }) => ((await getItem(change.key)) === undefined ? [render] : [])),
    );
    // Each once: DynamoDB refuses a batch in which a key is twice, and a record may be.
    const rows = new Map(gone.flat().map((row) => [`${row.pk} ${row.sk}`, row]));
    await deleteItems([...rows.values()]);
  };
  return [{ sources: removed.map(({ change }) => change), run }];
}

/** Reads the objects that a removed or replaced render leaves behind. A render that is requested again keeps its objects. */
export function readReplacedObjects({ subject, before, after }: TableChange): ReplacedObjects | undefined {
  if (subject?.kind !== "render" || before === undefined) return undefined;
  const has = after === undefined ? [] : renderObjectKeys(toRender(after));
  const left = renderObjectKeys(toRender(before)).filter((key) => !has.includes(key));
  return left.length === 0 ? undefined : { objectKeys: left };
}

interface ReplacedObjects {
  readonly objectKeys: readonly string[];
}

function objectRemoval(findings: readonly Finding<ReplacedObjects>[]): Job<TableChange>[] {
  if (findings.length === 0) return [];
  const run = async () => {
    const gone = await Promise.all(
      findings.map(async ({ change, found: { objectKeys } }) => {
        const row = await getItem(change.key);
        const kept = row === undefined ? [] : renderObjectKeys(toRender(row));
        return objectKeys.filter((key) => !kept.includes(key));
      }),
    );
    await removeObjects(s3, readEnvironment(environmentNames.pagesBucket), gone.flat());
  };
  return [{ sources: findings.map(({ change }) => change), run }];
}
