/**
 * The intervals at which an open viewer asks for its drop's state, in milliseconds: docs/adr/0058-an-open-tab-asks-for-news.md.
 */
export const newsIntervals = {
  /** The first time after the viewer opens, its tab is seen again, or the drop changes. */
  activeForMs: 120_000,
  /** The interval in that time. With what the edge caches a change is seen within four seconds. */
  activeEveryMs: 2_000,
  /** The same where each reader asks for themselves, which the edge does not cache. */
  activeEveryMsOfReaders: 4_000,
  /** The interval afterwards. */
  restingEveryMs: 15_000,
  /** The time without a touch after which a tab is taken as left open, and the interval from then on. */
  leftAfterMs: 1_800_000,
  leftEveryMs: 30_000,
  /** The longest pause after requests that failed. */
  failingEveryMsMax: 60_000,
} as const;
