import { type ProvisionedNameKind, provisionedNameOf } from "../people/members.ts";
import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, getItems, type Item, queryAll } from "../table/table.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { notFound, ScimError } from "./scim-error.ts";

// Each name belongs to one resource. A deleted or renamed resource keeps its old name, which is marked as free. Until another resource gets
// this name, a person who signs in with the name is still recognized as the earlier user.

/** A name that only one resource can have at a time. */
export interface UniqueName {
  readonly kind: ProvisionedNameKind;
  readonly value: string;
}

/** Returns the key of the table item for a name. */
export function nameKey({ kind, value }: UniqueName) {
  return keys.provisionedName(provisionedNameOf(kind, value));
}

/**
 * Builds the functions that read one type of resource.
 *
 * @param toResource converts an item to a resource. Returns undefined if the resource was deleted
 */
export function readsOf<Resource>(
  list: "users" | "groups",
  keyOf: (id: string) => Key,
  toResource: (item: Item) => Resource | undefined,
) {
  const find = async (id: string): Promise<Resource | undefined> => {
    const item = await getItem(keyOf(id));
    return item && toResource(item);
  };
  return {
    find,

    /** Finds a resource by its id. @throws ScimError 404 */
    async require(id: string): Promise<Resource> {
      const resource = await find(id);
      if (resource === undefined) throw notFound(`The ${list.slice(0, -1)} ${id}`);
      return resource;
    },

    async findByName(name: UniqueName): Promise<Resource | undefined> {
      const { holder, isFree } = (await getItem(nameKey(name))) ?? {};
      return holder === undefined || isFree === true ? undefined : find(holder as string);
    },

    /** Lists the ids of all resources, oldest first. */
    async listIds(): Promise<readonly string[]> {
      const entries = await queryAll(ranges.provisionedEntries(list));
      return entries.map(({ sk }) => String(sk).split("#")[1] ?? "");
    },

    async findAll(ids: readonly string[]): Promise<readonly Resource[]> {
      const items = await getItems(ids.map(keyOf));
      const found = new Map(items.map((item) => [item.id, toResource(item)]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

/**
 * Builds the write that assigns a name to a resource. The write fails if another resource has received the name in the meantime.
 *
 * @throws ScimError `uniqueness` if another resource has the name
 */
export async function claimName(name: UniqueName, id: string): Promise<TransactionWrite> {
  const item = await getItem(nameKey(name));
  const before = item?.holder as string | undefined;
  const isAnothers = before !== undefined && before !== id;
  if (isAnothers && item?.isFree !== true)
    throw new ScimError(409, `${attributeOf(name)} is already in use.`, "uniqueness");
  return {
    key: nameKey(name),
    update: `SET holder = :id, holderSinceMs = :now REMOVE isFree${isAnothers ? " ADD formerHolders :before" : ""}`,
    condition:
      before === undefined
        ? "attribute_not_exists(holder)"
        : `holder = :seen${isAnothers ? " AND isFree = :free" : ""}`,
    values: {
      ":id": id,
      ":now": Date.now(),
      ...(before === undefined ? {} : { ":seen": before }),
      ...(isAnothers ? { ":before": new Set([before]), ":free": true } : {}),
    },
  };
}

/** Builds the write that marks a resource's name as free. */
export function freeName(name: UniqueName, id: string): TransactionWrite {
  return {
    key: nameKey(name),
    update: "SET isFree = :free",
    condition: "holder = :id",
    values: { ":free": true, ":id": id },
  };
}

/** Builds the writes that replace one of a resource's names. */
export async function changeName(
  before: UniqueName | undefined,
  after: UniqueName | undefined,
  id: string,
): Promise<TransactionWrite[]> {
  if ((before && nameKey(before).pk) === (after && nameKey(after).pk)) return [];
  return [
    ...(before === undefined ? [] : [freeName(before, id)]),
    ...(after === undefined ? [] : [await claimName(after, id)]),
  ];
}

function attributeOf({ kind }: UniqueName): string {
  return kind === "group" ? "displayName" : kind;
}

/** Reads a set of strings from a table item. */
export function textsOf(item: Item, attribute: string): readonly string[] {
  return [...((item[attribute] ?? []) as Iterable<string>)];
}
