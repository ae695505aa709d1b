import type { Done } from "./list-page.ts";

/** Part of a drop's answers that a page shows. */
export interface AnswersPart {
  /** Name of the form; empty for the form that was answered last. @default "" */
  readonly form?: string | undefined;
  /** Text that the answers have. @default - all answers */
  readonly q?: string | undefined;
  /** Shows answers with smaller numbers only. @default - the newest */
  readonly before?: number | undefined;
  /** Numbers after which the files of an export begin. @default - one file */
  readonly parts?: readonly number[] | undefined;
}

/** The query of a page of answers, with its question mark. */
export function answersQuery({ form, q, before, parts = [] }: AnswersPart, made?: Done): string {
  const values = { done: made, form, q, before, parts: parts.join(",") };
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return sent.length === 0 ? "" : `?${new URLSearchParams(sent)}`;
}
