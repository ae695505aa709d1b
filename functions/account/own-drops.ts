import { type DropRow, toDropRows } from "../drops/items.ts";
import { toVisibility, type VisibilityKind } from "../identity/visibility.ts";
import { ranges } from "../table/keys.ts";
import { queryRaw } from "../table/table.ts";

/** Fields of a drop in its owner's list. */
export interface OwnDrop {
  readonly slug: string;
  readonly title: string;
  /** The latest. */
  readonly version: number;
  readonly visibility: VisibilityKind;
  readonly isLocked: boolean;
  readonly versionCount: number;
  readonly viewCount: number;
  readonly updatedAtMs: number;
}

const attributes = [
  "sk",
  "title",
  "latestVersion",
  "versionCount",
  "passcodeHash",
  "visibility",
  "updatedAtMs",
  "viewCount",
] as const;

/** The drops of an account, those first that were changed last. */
export async function listOwnDrops(userId: string): Promise<OwnDrop[]> {
  const rows = toDropRows(await queryRaw(ranges.drops(userId), { attributes }));
  return rows.map(toOwnDrop).sort((one, other) => other.updatedAtMs - one.updatedAtMs);
}

function toOwnDrop({ drop, views }: DropRow): OwnDrop {
  return {
    slug: drop.sk?.S?.slice("DROP#".length) ?? "",
    title: drop.title?.S ?? "",
    version: Number(drop.latestVersion?.N),
    visibility: toVisibility({ visibility: drop.visibility?.S }).kind,
    isLocked: drop.passcodeHash !== undefined,
    versionCount: Number(drop.versionCount?.N),
    viewCount: Number(views?.viewCount?.N ?? 0),
    updatedAtMs: Number(drop.updatedAtMs?.N),
  };
}
