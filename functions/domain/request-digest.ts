import { createHash, type Hash } from "node:crypto";

/**
 * The sha256 of a request as it was understood, in hex: the same for equal values, whatever the order of their fields
 * and tags, and for no others. Passcodes do not belong in it: a short one could be found by trying all.
 */
export function requestDigest(value: unknown): string {
  const hash = createHash("sha256");
  add(hash, value);
  return hash.digest("hex");
}

/** Each text with its length in front, so that no two values are written alike. */
function add(hash: Hash, value: unknown): void {
  if (typeof value === "string") {
    hash.update(`s${Buffer.byteLength(value)}:`).update(value);
  } else if (typeof value === "object" && value !== null) {
    const entries = (value instanceof Map ? [...value] : Object.entries(value)) as [string, unknown][];
    const present = entries.filter(([, inner]) => inner !== undefined);
    hash.update(`o${present.length}:`);
    for (const [name, inner] of present.sort(([one], [other]) => (one < other ? -1 : 1))) {
      add(hash, name);
      add(hash, inner);
    }
  } else {
    hash.update(`j${JSON.stringify(value)};`);
  }
}
