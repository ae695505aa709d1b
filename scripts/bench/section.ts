import type { Table } from "./markdown-table.ts";

/** One part of the benchmark, chosen by its name. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** How long it takes, about, on a machine of two processors that has nothing else to do. */
  readonly minutes: number;
  /** Measures. Rejects only when something does not run: a figure beyond its target is a finding, not a failure. */
  measure(options: MeasureOptions): Promise<Findings>;
}

/** A request that takes more of the processors than it is to take. */
export interface OverGoal {
  readonly request: string;
  readonly cpuMs: number;
  readonly cpuMsMax: number;
}

/** What the command line says besides the names of sections. */
export interface MeasureOptions {
  /** A checkout of earlier code, with its packages, to be measured beside this one. @default - what was measured of it once */
  readonly before?: string | undefined;
  /** What an earlier section of the same run has found over its goal. @default - none has looked */
  readonly overGoal?: readonly OverGoal[] | undefined;
}

/** What a section found. */
export interface Findings {
  readonly table: Table;
  /** What a reader has to know to read the figures, a sentence or two each. */
  readonly notes: readonly string[];
  /** The same as data for programs, by path relative to the root of the project. @default - none */
  readonly dataFiles?: Readonly<Record<string, unknown>>;
  /** For the section that says where the time of these goes. @default - this one does not compare with goals */
  readonly overGoal?: readonly OverGoal[];
}
