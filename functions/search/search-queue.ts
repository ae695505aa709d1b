import { sendLater } from "../background/follow-up-queue.ts";
import type { IndexedPlace } from "./search-document.ts";

/** The kind of these messages in the follow-up queue. */
export const searchKind = "search";

/** Has drops indexed within seconds: in a queue, since the index is written for many changes at once. */
export async function indexSoon(places: readonly IndexedPlace[]): Promise<void> {
  await sendLater(JSON.stringify({ kind: searchKind, places }), 0);
}
