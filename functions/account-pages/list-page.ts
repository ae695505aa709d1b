/** One page of a list, and how many there are. */
export interface ListPage<Entry> {
  readonly shown: readonly Entry[];
  readonly number: number;
  readonly count: number;
  /** On all pages together. */
  readonly total: number;
}

/** As many as stay light where each has forms of its own. */
const entriesMax = 50;

/** The page of this number; the last one for a number past it, such as after something was deleted. */
export function listPage<Entry>(entries: readonly Entry[], asked: number): ListPage<Entry> {
  const count = Math.max(1, Math.ceil(entries.length / entriesMax));
  const number = Math.min(asked, count);
  const shown = entries.slice((number - 1) * entriesMax, number * entriesMax);
  return { shown, number, count, total: entries.length };
}
