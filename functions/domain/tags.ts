import type { Metadata } from "../contract/metadata-schema.ts";
import type { Drop } from "./drop.ts";

/** Whether the drop carries all of the tags. */
export function hasTags({ metadata }: Drop, tags: Metadata): boolean {
  return [...tags].every(([key, value]) => metadata.get(key) === value);
}

/** The metadata with the tags in it; or the key of which they say different things. */
export function mergeTags(
  tags: Metadata,
  metadata: Metadata = new Map(),
): { readonly merged: Metadata } | { readonly contradictedKey: string } {
  const contradicted = [...tags].find(([key, value]) => (metadata.get(key) ?? value) !== value);
  if (contradicted) return { contradictedKey: contradicted[0] };
  return { merged: new Map([...metadata, ...tags]) };
}
