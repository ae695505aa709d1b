import type { Done } from "./list-page.ts";

/** Selection of the answers that a page shows. */
export interface AnswersPart {
  /** Name of the form. An empty string selects the form that was answered last. @default "" */
  readonly form?: string | undefined;
  /** Text that the answers contain. @default - all answers */
  readonly q?: string | undefined;
  /** Cursor: only answers with lower numbers are shown. @default - the newest answers */
  readonly before?: number | undefined;
  /** Cursors of an export's files. @default - the export fits into one file */
  readonly parts?: readonly number[] | undefined;
}

/** Returns the query of a page of answers, including the question mark. */
export function answersQuery({ form, q, before, parts = [] }: AnswersPart, made?: Done): string {
  const values = { done: made, form, q, before, parts: parts.join(",") };
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return sent.length === 0 ? "" : `?${new URLSearchParams(sent)}`;
}
