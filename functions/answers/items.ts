import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryKeys } from "../table/table.ts";
import type { Answer, AnswerAuthor, AnswerFields, FormCounts } from "./answers.ts";

/** Counters of a drop's answers. */
export interface AnswerLog {
  /** Number of the last answer, or 0 before the first answer. */
  readonly last: number;
  /** Time of the last answer. @default - no answer was sent */
  readonly atMs: number | undefined;
  /** Number of answers by form. The most recently answered form comes last. */
  readonly counts: FormCounts;
  /** True if some answers have a retention period. DynamoDB removes such answers later without updating the counts. */
  readonly hasRetention: boolean;
  /** Stored JSON of the counts, for conditional writes. */
  readonly countsText: string | undefined;
  /** Time of the last recount of the answers. */
  readonly countedAtMs: number;
}

/** Parses the table item with a drop's counters. The item is undefined before the first answer. */
export function toAnswerLog(item: Item | undefined): AnswerLog {
  const countsText = item?.counts as string | undefined;
  return {
    last: (item?.sequence ?? 0) as number,
    atMs: item?.writtenAtMs as number | undefined,
    counts: countsText === undefined ? [] : (JSON.parse(countsText) as FormCounts),
    hasRetention: item?.hasRetention === true,
    countsText,
    countedAtMs: (item?.countedAtMs ?? 0) as number,
  };
}

/** Reads a drop's counters with one small read. */
export async function readLog(slug: string): Promise<AnswerLog> {
  return toAnswerLog(await getItem(keys.answers(slug)));
}

/** Attributes of an answer's table item that are not part of the answer. */
interface StoredWith {
  /** Id of the drop's owner when the answer was sent, for the stream listener. */
  readonly ownerId: string;
  /** Hash of the id of the person whose pointer refers to this answer. @default - there is no pointer */
  readonly personHash: string | undefined;
  /** Time when DynamoDB removes the answer, in Unix seconds. @default - never */
  readonly ttl: number | undefined;
}

/**
 * Converts an answer to a table item. The fields are stored as one JSON string, because the SDK would drop an attribute called `__proto__`.
 */
export function toAnswerItem(answer: Answer, { ownerId, personHash, ttl }: StoredWith): Item {
  const { slug, number, author, fields, ...attributes } = answer;
  return {
    ...keys.answer(slug, number),
    ...attributes,
    fields: JSON.stringify(fields),
    authorKind: author.kind,
    ...(author.kind === "reader" ? { authorName: author.name, authorIdentity: author.identity } : {}),
    ownerId,
    personHash,
    ttl,
  };
}

/** Converts a table item to an answer. */
export function toAnswer(item: Item): Answer {
  return {
    slug: (item.pk as string).slice("SLUG#".length),
    number: numberOf(item),
    form: item.form as string,
    fields: fieldsOf(item),
    version: item.version as number,
    path: item.path as string | undefined,
    createdAtMs: item.createdAtMs as number,
    author: { kind: item.authorKind, name: item.authorName, identity: item.authorIdentity } as AnswerAuthor,
  };
}

/** Reads an answer's number from its table item or key. */
export function numberOf({ sk }: Item | Key): number {
  return Number((sk as string).slice("ANSWER#".length));
}

/** Reads an answer's fields from its table item. */
export function fieldsOf({ fields }: Item): AnswerFields {
  return JSON.parse(fields as string) as AnswerFields;
}

/** Checks if an answer is current: within its retention period, and not marked as replaced under legal hold. */
export function isCurrent({ ttl, replacedAtMs }: Item, nowMs: number): boolean {
  return replacedAtMs === undefined && (ttl === undefined || (ttl as number) * 1000 > nowMs);
}

/** Checks if an answer belongs to a form. Without a form, every answer matches. */
export function isOf(item: Item, form: string | undefined): boolean {
  return form === undefined || item.form === form;
}

/**
 * Returns the keys of a drop's answers, pointers and counters, to delete the drop permanently. Records of sent forms are deleted with the
 * comments instead.
 */
export async function answerKeysOf(slug: string): Promise<Key[]> {
  const found = await Promise.all([ranges.answers(slug), ranges.answersOf(slug)].map(queryKeys));
  // The counters are deleted last, because a retry after a failure needs them to find the other items.
  return [...found.flat(), keys.answers(slug)];
}
