import { isLocked } from "../drops/drop.ts";
import { type DropRow, toDropRows } from "../drops/items.ts";
import { isExpiredRow, toVisibility, type VisibilityKind } from "../policies/access.ts";
import type { FoundDrop } from "../search/find-drops.ts";
import type { Snippet } from "../search/snippet.ts";
import { ranges } from "../table/keys.ts";
import { queryRaw } from "../table/table.ts";

/** Fields of a drop in its owner's list. */
export interface OwnDrop {
  readonly slug: string;
  readonly title: string;
  readonly version: number;
  readonly visibility: VisibilityKind;
  readonly isLocked: boolean;
  readonly isExpired: boolean;
  readonly expiresAtMs?: number | undefined;
  readonly versionCount: number;
  /** Number of views. @default - not counted, because the drop is a search result */
  readonly viewCount?: number | undefined;
  readonly updatedAtMs: number;
  /** Excerpt from the page that contains searched words. @default - none */
  readonly snippet?: Snippet | undefined;
}

const attributes = [
  "sk",
  "title",
  "latestVersion",
  "versionCount",
  "passcodeHash",
  "visibility",
  "expiresAtMs",
  "updatedAtMs",
  "viewCount",
] as const;

/** Lists the drops of an account, including expired drops. The most recently changed drop comes first. */
export async function listOwnDrops(userId: string, nowMs: number): Promise<OwnDrop[]> {
  const rows = toDropRows(await queryRaw(ranges.drops(userId), { attributes }));
  return rows.map((row) => toOwnDrop(row, nowMs)).sort((one, other) => other.updatedAtMs - one.updatedAtMs);
}

/** Converts a search result to an entry in the owner's list. */
export function toFoundDrop({ drop, snippet }: FoundDrop): OwnDrop {
  const { slug, title, visibility, latest, versionCount, updatedAtMs, expiresAtMs } = drop;
  const state = { visibility: visibility.kind, isLocked: isLocked(drop), isExpired: false };
  return { slug, title, version: latest.version, ...state, versionCount, updatedAtMs, expiresAtMs, snippet };
}

function toOwnDrop({ drop, views }: DropRow, nowMs: number): OwnDrop {
  return {
    slug: drop.sk?.S?.slice("DROP#".length) ?? "",
    title: drop.title?.S ?? "",
    version: Number(drop.latestVersion?.N),
    visibility: toVisibility({ visibility: drop.visibility?.S }).kind,
    isLocked: drop.passcodeHash !== undefined,
    isExpired: isExpiredRow(drop, nowMs),
    versionCount: Number(drop.versionCount?.N),
    viewCount: Number(views?.viewCount?.N ?? 0),
    updatedAtMs: Number(drop.updatedAtMs?.N),
    expiresAtMs: drop.expiresAtMs && Number(drop.expiresAtMs.N),
  };
}
