import type { Table } from "./markdown-table.ts";

/** A part of the benchmark. Its name is an argument of `npm run bench` and the name of its file in docs/measured. */
export interface Section {
  readonly name: "calls" | "cold" | "handler" | "folders" | "bundles" | "search" | "secrets";
  /** Approximate duration on two idle processors. */
  readonly minutes: number;
  /** Measures everything. Rejects only if something does not run. */
  measure(): Promise<Findings>;
}

/** The measurements of a section. */
export interface Findings extends Measurements {
  /** Operations that the benchmark does not call although they use AWS. @default - none */
  readonly missing?: readonly string[];
  /** Measurements of another kind, by the name of their file in docs/measured. @default - none */
  readonly others?: Readonly<Record<string, Measurements>>;
}

/** Measurements of one kind. */
interface Measurements {
  /** One row for each call or function. The first column names it, and the column "which" its variant. */
  readonly table: Table;
  /** The measurements as JSON for docs/measured. */
  readonly data: readonly object[];
}
