/** What an open viewer is told of its drop: the latest version, or no more than that there is nothing to be seen without more. */
export interface DropState {
  readonly state: "open" | "locked" | "gone";
  /** Where it is open. */
  readonly latest_version?: number;
}
