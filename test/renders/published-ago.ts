import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";

/** Backdates a version's publication, as if its queued rendering had been lost. */
export async function publishedAgo(slug: string, version: number, milliseconds: number): Promise<void> {
  await updateItem({
    key: keys.version(slug, version),
    update: "SET createdAtMs = :then",
    condition: "attribute_exists(pk)",
    values: { ":then": Date.now() - milliseconds },
  });
}
