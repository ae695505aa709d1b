import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryKeys } from "../table/table.ts";
import type { Answer, AnswerAuthor, AnswerFields, FormCounts } from "./answers.ts";

/** Counters of a drop's answers. */
export interface AnswerLog {
  /** Number of the last answer; 0 before the first one. */
  readonly last: number;
  /** Time of the last answer. @default - there was none */
  readonly atMs: number | undefined;
  /** The form that was answered last is last. */
  readonly counts: FormCounts;
  /** True if answers were stored with a retention: DynamoDB removes them later without counting them. */
  readonly hasRetention: boolean;
  /** The counts as they are stored, for conditions. */
  readonly countsText: string | undefined;
  /** Time at which a form's answers were last counted. */
  readonly countedAtMs: number;
}

/** Reads a drop's counters from their item, which is undefined before the first answer. */
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

/** Reads a drop's counters. One small read. */
export async function readLog(slug: string): Promise<AnswerLog> {
  return toAnswerLog(await getItem(keys.answers(slug)));
}

/** Stored attributes of an answer beside those of the domain. */
export interface StoredWith {
  /** Owner of the drop at the time of sending, whom the stream needs to know. */
  readonly ownerId: string;
  /** Hash of the person whose pointer leads to this answer. @default - there is no pointer */
  readonly personHash: string | undefined;
  /** Time at which DynamoDB removes it, in Unix seconds. @default - never */
  readonly ttl: number | undefined;
}

/** The item of an answer. Its fields are one JSON text: the SDK drops an attribute that is called `__proto__`. */
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

/** The answer of an item. */
export function toAnswer(item: Item): Answer {
  return {
    slug: (item.pk as string).slice("SLUG#".length),
    number: numberOf(item),
    form: item.form as string,
    fields: fieldsOf(item),
    version: item.version as number,
    path: item.path as string | undefined,
    createdAtMs: item.createdAtMs as number,
    author: {
      kind: item.authorKind,
      name: item.authorName,
      identity: item.authorIdentity,
    } as AnswerAuthor,
  };
}

/** Number of an answer's item. */
export function numberOf({ sk }: Item | Key): number {
  return Number((sk as string).slice("ANSWER#".length));
}

/** Fields of an answer's item. */
export function fieldsOf({ fields }: Item): AnswerFields {
  return JSON.parse(fields as string) as AnswerFields;
}

/** Recognizes an answer that is current: neither past its retention nor replaced while the drop was on legal hold. */
export function isCurrent({ ttl, replacedAtMs }: Item, nowMs: number): boolean {
  return replacedAtMs === undefined && (ttl === undefined || (ttl as number) * 1000 > nowMs);
}

/** Recognizes an answer to a form; without a form, any answer. */
export function isOf(item: Item, form: string | undefined): boolean {
  return form === undefined || item.form === form;
}

/** Keys of all items of answers below a slug. Used to delete a drop for good. Sent forms are deleted with the comments. */
export async function answerKeysOf(slug: string): Promise<Key[]> {
  const found = await Promise.all([ranges.answers(slug), ranges.answersOf(slug)].map(queryKeys));
  // The counters are last: a retry after a failure reads them to find the rest.
  return [...found.flat(), keys.answers(slug)];
}
