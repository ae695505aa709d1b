import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/**
 * A reader's answer to a form of a drop; see docs/adr/0070-feedback.md. An answer is never edited, but a person's new answer replaces the
 * earlier one.
 */
export interface Answer {
  readonly slug: string;
  /** Number of the answer. A drop's answers are numbered from 1 without gaps, and numbers are never reused. */
  readonly number: number;
  /** Name of the form, from its `data-answers` attribute. */
  readonly form: string;
  readonly fields: AnswerFields;
  /** Version that the reader saw. */
  readonly version: number;
  /** Path of the form's page in a folder. @default - the drop was a single page */
  readonly path?: string | undefined;
  readonly createdAtMs: number;
  readonly author: AnswerAuthor;
}

/**
 * Sent fields, in the order of the form. Stored as pairs, because a field may be called `__proto__`. A field that was sent more than once
 * has a list of values.
 */
export type AnswerFields = readonly (readonly [name: string, value: string | readonly string[]])[];

/** Author of an answer: a reader who confirmed their name, or an anonymous reader. */
export type AnswerAuthor =
  | {
      readonly kind: "reader";
      /** User name at the identity provider when the answer was sent. */
      readonly name: string;
      /** Stable id of the person at the identity provider. */
      readonly identity: string;
    }
  | { readonly kind: "stranger" };

/** Fields of a new answer. */
export interface NewAnswer {
  readonly form: string;
  readonly fields: AnswerFields;
  readonly version: number;
  readonly path?: string | undefined;
  readonly author: AnswerAuthor;
  /** Stable id of the person or browser. The answer replaces an earlier answer under this id. @default - none, so nothing is replaced */
  readonly person?: string | undefined;
  /**
   * The person's other stable id: the browser's id for an answer with a name, the account's id for an answer without a name. The answer
   * also replaces an earlier answer under this id. @default - none
   */
  readonly otherPerson?: string | undefined;
  /** True if the form accepts many answers per person. */
  readonly isMany: boolean;
  readonly atMs: number;
}

/** Number of stored answers by form name, as pairs. */
export type FormCounts = readonly (readonly [form: string, count: number])[];

/** Groups sent values by field name. Each name appears once, in the order of its first value. */
export function toAnswerFields(sent: Iterable<readonly [string, string]>): AnswerFields {
  const byName = Map.groupBy(sent, ([name]) => name);
  return [...byName].map(([name, pairs]) => {
    const values = pairs.map(([, value]) => value);
    return [name, values.length === 1 ? (values[0] ?? "") : values];
  });
}

/** Returns a field's values, in the order in which they were sent. */
export function valuesOf(value: AnswerFields[number][1]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

/** Checks the size of an answer. @throws ApiError `invalid_arg` for too many fields, an overlong name, or too many bytes */
export function requireAnswerBounds(fields: AnswerFields): void {
  const { answerFieldsMax, answerFieldNameCharactersMax, answerBytesMax } = limits;
  if (fields.length > answerFieldsMax)
    throw tooLarge(
      `Your answer has ${fields.length} fields. The limit is ${answerFieldsMax}. Leave some empty, then send it again.`,
      { fields_max: answerFieldsMax },
    );
  const longest = Math.max(0, ...fields.map(([name]) => name.length));
  if (longest > answerFieldNameCharactersMax)
    throw tooLarge(
      `A field name of this form has ${longest} characters. The limit is ${answerFieldNameCharactersMax}. Ask the page’s owner to shorten it.`,
      { name_characters_max: answerFieldNameCharactersMax },
    );
  const bytes = bytesOf(fields);
  if (bytes > answerBytesMax)
    throw tooLarge(
      `Your answer has ${bytes} bytes. The limit is ${answerBytesMax}. Shorten it, then send it again.`,
      { bytes_max: answerBytesMax },
    );
}

/** Counts the UTF-8 bytes of names and values. A field's name is counted once for each of its values. */
function bytesOf(fields: AnswerFields): number {
  return fields
    .flatMap(([name, value]) => valuesOf(value).map((one) => name + one))
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function tooLarge(message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError("invalid_arg", { message, details });
}

/** Adds a number to a form's count. Removes the form if its count becomes 0. */
export function withCount(counts: FormCounts, form: string, added: number): FormCounts {
  const count = countOf(counts, form) + added;
  const others = counts.filter(([name]) => name !== form);
  return count > 0 ? [...others, [form, count]] : others;
}

/** Returns the number of stored answers of a form. */
export function countOf(counts: FormCounts, form: string): number {
  return counts.find(([name]) => name === form)?.[1] ?? 0;
}

/**
 * Requires that the limits allow another answer.
 *
 * @throws ApiError `quota_exceeded` if the form has reached its answer limit, or the drop its form limit
 */
export function requireAnswerQuota(counts: FormCounts, form: string): void {
  const { answersPerFormMax, answeredFormsPerDropMax } = limits;
  if (countOf(counts, form) >= answersPerFormMax)
    throw new ApiError("quota_exceeded", {
      message: `The form ${form} has reached the limit of ${answersPerFormMax} answers. The page's owner can delete some.`,
      details: { answers_max: answersPerFormMax },
    });
  if (countOf(counts, form) === 0 && counts.length >= answeredFormsPerDropMax)
    throw new ApiError("quota_exceeded", {
      message: `The page has answers to ${counts.length} forms, which is the limit. The page's owner can delete one form's answers.`,
      details: { forms_max: answeredFormsPerDropMax },
    });
}
