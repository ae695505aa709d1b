/** State of a drop for an open viewer: the latest version, or why the drop cannot be read. */
export interface DropState {
  readonly state: "open" | "locked" | "gone";
  /** Number of the latest version. Present only if the drop can be read. */
  readonly latest_version?: number;
}

// Intervals in milliseconds at which an open viewer polls the state of its drop; see docs/adr/0058-viewer-polling.md.
// Each is a separate export, so that the viewer's minified script contains no property names.

/** Period of frequent polling after the viewer opens, its tab becomes visible, or the drop changes. */
export const activeForMs = 120_000;

/** Polling interval in the frequent period. The edge caches for 2 s, so a reader sees a change within 4 s. */
export const activeIntervalMs = 2_000;

/** Polling interval in the frequent period for guarded drops. The edge does not cache their state. */
export const readerActiveIntervalMs = 4_000;

/** Polling interval of an idle tab, so that a page that reloads automatically shows a new version after at most 10 s. */
export const idleIntervalMs = 7_000;

/** A tab without input for this long counts as abandoned, and polls at `abandonedIntervalMs`. */
export const abandonedAfterMs = 1_800_000;
export const abandonedIntervalMs = 30_000;

/** Maximum polling interval after failed requests. */
export const failureIntervalMsMax = 60_000;
