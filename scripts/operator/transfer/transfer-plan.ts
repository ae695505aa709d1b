import type { Blob } from "../../../functions/blobs/blob.ts";
import { limits } from "../../../functions/core/limits.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { countPageBytes, metadataText, pageBytesMax } from "../../../functions/drops/items.ts";
import { drops } from "../../../functions/drops/store.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/table.ts";
import { UsageError } from "../command.ts";
import { listFiles } from "../table-reads.ts";
import type { Party } from "./ownership.ts";

/** Selection of an account's items; undefined for all. */
export interface Choice {
  readonly slugs?: readonly string[] | undefined;
  readonly fileIds?: readonly string[] | undefined;
}

/** Items to transfer, and their totals. */
export interface TransferPlan {
  readonly drops: readonly Drop[];
  readonly files: readonly Blob[];
  readonly pageBytes: number;
  readonly fileBytes: number;
  /** Receiver's use of each quota after the transfer. */
  readonly quotas: readonly Quota[];
  /** The slugs of drops of both with all of their metadata alike, by which an upsert would find more than one. */
  readonly alike: readonly string[];
}

interface Quota {
  readonly what: string;
  readonly will: number;
  readonly most: number;
}

/**
 * Finds what to transfer. Items that were transferred by an interrupted run are left out.
 *
 * @throws UsageError for a named item that neither account has
 */
export async function planTransfer(from: Party, to: Party, choice: Choice): Promise<TransferPlan> {
  const isAll = choice.slugs === undefined && choice.fileIds === undefined;
  const [own, others] = await Promise.all([drops.list(from.userId), drops.list(to.userId)]);
  const [ownFiles, otherFiles] = await Promise.all([listFiles(from.userId), listFiles(to.userId)]);
  const chosenDrops = choose(
    "drop",
    own,
    others,
    ({ slug }) => slug,
    isAll ? undefined : (choice.slugs ?? []),
  );
  const files = choose(
    "file",
    ownFiles,
    otherFiles,
    ({ id }) => id,
    isAll ? undefined : (choice.fileIds ?? []),
  );
  let pageBytes = 0;
  for (const { slug } of chosenDrops) pageBytes += await countPageBytes(slug);
  const fileBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const account = await getItem(keys.account(to.userId));
  const has = (name: string) => Number(account?.[name] ?? 0);
  return {
    drops: chosenDrops,
    files,
    pageBytes,
    fileBytes,
    quotas: [
      { what: "drops", will: has("dropCount") + chosenDrops.length, most: limits.dropsPerAccountMax },
      { what: "bytes of pages", will: has("pageBytes") + pageBytes, most: pageBytesMax() },
      { what: "files", will: has("blobCount") + files.length, most: limits.blobsPerAccountMax },
      { what: "bytes of files", will: has("blobBytes") + fileBytes, most: limits.blobBytesPerAccountMax },
    ],
    alike: findAlike(chosenDrops, others),
  };
}

/** Those of the quotas that the plan would break. */
export function brokenQuotas({ drops: all, files, quotas }: TransferPlan): readonly Quota[] {
  const gets: Readonly<Record<string, boolean>> = {
    drops: all.length > 0,
    "bytes of pages": all.length > 0,
    files: files.length > 0,
    "bytes of files": files.length > 0,
  };
  return quotas.filter(({ what, will, most }) => gets[what] && will > most);
}

function choose<Thing>(
  what: string,
  own: readonly Thing[],
  others: readonly Thing[],
  idOf: (thing: Thing) => string,
  ids: readonly string[] | undefined,
): readonly Thing[] {
  if (ids === undefined) return own;
  const known = new Set([...own, ...others].map(idOf));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UsageError(`Neither of the two has the ${what} ${unknown.join(", ")}.`);
  return own.filter((thing) => ids.includes(idOf(thing)));
}

function findAlike(going: readonly Drop[], there: readonly Drop[]): string[] {
  const textOf = ({ metadata }: Drop) =>
    metadataText(new Map([...metadata].sort(([one], [two]) => (one < two ? -1 : 1))));
  const tagged = (all: readonly Drop[]) => all.filter(({ metadata }) => metadata.size > 0);
  const texts = new Set(tagged(there).map(textOf));
  return tagged(going)
    .filter((drop) => texts.has(textOf(drop)))
    .map(({ slug }) => slug);
}
