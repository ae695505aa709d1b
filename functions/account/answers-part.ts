import { type Done, queryString } from "./list-page.ts";

/** Query parameters that select the answers on a page. */
export interface AnswersPart {
  /** Name of the form. @default - the form that was answered last */
  readonly form?: string | undefined;
  /** Search text for answers. @default - all answers are shown */
  readonly q?: string | undefined;
  /** Cursor for older answers. All shown answers have a lower number. @default - the newest answers are shown */
  readonly before?: number | undefined;
  /** Cursors at which the files of a large export start. @default - the export fits into one file */
  readonly parts?: readonly number[] | undefined;
}

/** Returns the query of a page of answers, including the question mark. */
export function answersQuery({ form, q, before, parts = [] }: AnswersPart, made?: Done): string {
  const partList = parts.join(",") || undefined;
  return queryString({ done: made, form: form || undefined, q: q || undefined, before, parts: partList });
}
