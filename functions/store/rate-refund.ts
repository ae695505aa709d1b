import type { RateRule } from "../domain/rate-window.ts";
import type { Key } from "./keys.ts";
import { updateItem } from "./update.ts";

/** Gives one use back to each window of an item that was open when it was spent; a later window never counted it. */
export async function refundRate(key: Key, rules: readonly RateRule[], spentAtMs: number): Promise<void> {
  for (const { name } of rules) {
    await updateItem({
      key,
      update: `ADD ${name}Count :minusOne`,
      condition: `${name}StartedAtMs <= :spentAt AND ${name}Count > :zero`,
      values: { ":minusOne": -1, ":spentAt": spentAtMs, ":zero": 0 },
    });
  }
}
