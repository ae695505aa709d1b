import type { ItemFamily } from "../contract/route.ts";

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Every key of the table; no other file spells one. */
export const keys = {
  account: (userId: string) => key("USER", userId, "PROFILE"),
  identity: (provider: string, id: string) => key("IDP", `${provider}#${id}`, "IDP"),
  namespace: (name: string) => key("NS", name, "NS"),
  drop: (userId: string, slug: string) => key("USER", userId, `DROP#${slug}`),
  views: (userId: string, slug: string) => key("USER", userId, `DROP#${slug}#VIEWS`),
  /** Immutable, and kept after deletion, so that a slug is never issued twice. */
  pointer: (slug: string) => key("SLUG", slug, "SLUG"),
  version: (slug: string, version: number) => key("SLUG", slug, `V#${String(version).padStart(6, "0")}`),
  blob: (userId: string, id: string) => key("USER", userId, `BLOB#${id}`),
  token: (hash: string) => key("TOKEN", hash, "TOKEN"),
  tokenRow: (userId: string, id: string) => key("USER", userId, `TOKEN#${id}`),
  deviceCode: (code: string) => key("CODE", code, "CODE"),
  poll: (tokenHash: string) => key("POLL", tokenHash, "POLL"),
  rateWindow: (rule: string, subject: string) => key("LIMIT", `${rule}#${subject}`, "LIMIT"),
} as const;

/** Ranges that a query reads. */
export const ranges = {
  /** A drop's item and its views. */
  drop: (userId: string, slug: string) => ({ pk: `USER#${userId}`, prefix: `DROP#${slug}` }),
  /** All drops of an account, each followed by its views. */
  drops: (userId: string) => ({ pk: `USER#${userId}`, prefix: "DROP#" }),
  blobs: (userId: string) => ({ pk: `USER#${userId}`, prefix: "BLOB#" }),
  tokenRows: (userId: string) => ({ pk: `USER#${userId}`, prefix: "TOKEN#" }),
  versions: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "V#" }),
} as const;

function key(family: ItemFamily, id: string, sk: string): Key {
  return { pk: `${family}#${id}`, sk };
}
