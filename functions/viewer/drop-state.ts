/** State of a drop for an open viewer: its latest version, or only that it cannot be read. */
export interface DropState {
  readonly state: "open" | "locked" | "gone";
  /** Present when the drop can be read. */
  readonly latest_version?: number;
}

// The intervals at which an open viewer asks for its drop's state, in milliseconds: docs/adr/0058-viewer-polling.md. Each is an export
// of its own, so that the viewer's script has no names of them.

/** The time after the viewer opens, its tab is seen again, or the drop changes, in which it asks often. */
export const activeForMs = 120_000;

/** The interval in that time. With what the edge caches a change is seen within four seconds. */
export const activeEveryMs = 2_000;

/** The same where each reader asks for themselves, which the edge does not cache. */
export const activeEveryMsOfReaders = 4_000;

/** The interval afterwards. */
export const restingEveryMs = 15_000;

/** The time without a touch after which a tab is taken as left open, and the interval from then on. */
export const leftAfterMs = 1_800_000;
export const leftEveryMs = 30_000;

/** The longest pause after requests that failed. */
export const failingEveryMsMax = 60_000;
