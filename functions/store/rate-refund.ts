import type { RateRule } from "../domain/rate-window.ts";
import type { Key } from "./keys.ts";
import { updateItem } from "./update.ts";

/**
 * Gives one use back to each window of an item that counted it; one that opened since never did. A window is known by
 * when it opened, and not by the use's own time: of two first uses, the later one may open it for both.
 */
export async function refundRate(
  key: Key,
  rules: readonly RateRule[],
  openedAtMs: Readonly<Record<string, number>>,
): Promise<void> {
  for (const { name } of rules) {
    await updateItem({
      key,
      update: `ADD ${name}Count :minusOne`,
      condition: `${name}StartedAtMs = :opened AND ${name}Count > :zero`,
      values: { ":minusOne": -1, ":opened": openedAtMs[name], ":zero": 0 },
    });
  }
}
