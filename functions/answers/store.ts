import { environmentNames, findEnvironment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import { type OwnedDrop, ownerCondition, sentFormWrite } from "../drops/reader-writes.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite, transactOnce } from "../table/audit-trail.ts";
import { hashSecret } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { isDropNotHeld, refuseHeld } from "../table/legal-hold.ts";
import { findItems, getItem, queryAll, queryOnce, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { answerCounts, tooManyWriters } from "./answer-counts.ts";
import {
  earlierNumbers,
  findEarlier,
  logWrite,
  pointersOf,
  pointerWrites,
  removalWrites,
} from "./answer-writes.ts";
import {
  type Answer,
  countOf,
  type FormCounts,
  type NewAnswer,
  requireAnswerQuota,
  withCount,
} from "./answers.ts";
import {
  type AnswerLog,
  isCurrent,
  isOf,
  numberOf,
  readLog,
  toAnswer,
  toAnswerItem,
  toAnswerLog,
} from "./items.ts";

/**
 * Outcome of sending an answer. `repeated`: the same form was sent before, and the answer is already stored. `missing`: the drop no longer
 * exists.
 */
type SendOutcome =
  | {
      readonly kind: "written";
      readonly answer: Answer;
      /** Numbers of the person's earlier answers. */
      readonly replaced: readonly number[];
    }
  | { readonly kind: "repeated" }
  | { readonly kind: "missing" };

/** Selects the answers of a list. */
interface Listing {
  /** Name of the form. @default - all forms */
  readonly form?: string | undefined;
  readonly limit: number;
  readonly nowMs: number;
}

interface NewestListing extends Listing {
  /** Number before which to start. @default - the newest */
  readonly before?: number | undefined;
  /** Filter for the answers. @default - all answers */
  readonly isMatch?: ((answer: Answer) => boolean) | undefined;
}

/** Answers with numbers after `since`. */
export interface FoundAnswers {
  readonly answers: readonly Answer[];
  /** Number of the last answer that was read. The next request continues after this number. */
  readonly upTo: number;
  readonly hasMore: boolean;
}

const msPerDay = 24 * 60 * 60 * 1_000;

/**
 * Number of answers that are removed in one transaction. Each answer has up to two table items, and DynamoDB limits a transaction to 100
 * items.
 */
const removedAtOnce = 40;

/** Number of answers to read in the first query for a list of the newest answers. */
const newestReadAtOnce = 100;

/**
 * Minimum time between two recounts of a full form. Recounts are needed because DynamoDB removes expired answers without updating the
 * counter.
 */
const recountEveryMs = 60 * 60 * 1_000;

/** Maximum number of queries for one list. Many queries are needed if most answers belong to other forms or do not match the filter. */
const roundsMax = 60;

/** Store for readers' answers to the forms of a drop. */
export const answers = {
  /**
   * Stores an answer under the drop's next number. The transaction also writes the counters, the person's pointer and
   * the audit entry. The answer replaces the person's earlier answer to the form, unless the form accepts many answers
   * per person.
   *
   * @throws ApiError `quota_exceeded` if the form has 5,000 answers
   */
  async send(
    drop: OwnedDrop,
    sent: NewAnswer,
    act: Act,
    { formId }: { readonly formId?: string | undefined } = {},
  ): Promise<SendOutcome> {
    const { slug, ownerId } = drop;
    const { form, fields, version, path, author, atMs } = sent;
    const pointers = pointersOf(slug, sent);
    const sentForm = formId === undefined ? undefined : keys.sentForm(slug, formId);
    return retryConflicts(async () => {
      const find = await findItems(
        [keys.answers(slug), pointers?.own, pointers?.other, sentForm].filter((key) => key !== undefined),
      );
      if (sentForm !== undefined && find(sentForm) !== undefined) return { kind: "repeated" };
      const log = toAnswerLog(find(keys.answers(slug)));
      const numbers = pointers === undefined ? [] : earlierNumbers(pointers, find);
      const earlier = numbers.length === 0 ? undefined : await findEarlier(drop, numbers, atMs);
      const counts = withCount(log.counts, form, -(earlier?.removedCount ?? 0));
      const isFull = countOf(counts, form) >= limits.answersPerFormMax;
      if (isFull && atMs - log.countedAtMs >= recountEveryMs) {
        await answerCounts.recount(slug, atMs);
        throw tooManyWriters();
      }
      requireAnswerQuota(counts, form);
      const number = log.last + 1;
      const answer: Answer = { slug, number, form, fields, version, path, createdAtMs: atMs, author };
      const endMs = answerEndMs(atMs);
      const ttl = endMs === undefined ? undefined : Math.ceil(endMs / 1000);
      const outcome = await transactOnce(
        {
          owner: ownerCondition(drop),
          log: logWrite(slug, log, {
            counts: withCount(counts, form, 1),
            last: number,
            atMs,
            hasRetention: log.hasRetention || ttl !== undefined,
          }),
          answer: {
            put: toAnswerItem(answer, { ownerId, personHash: pointers?.personHash, ttl }),
            condition: "attribute_not_exists(pk)",
          },
          pointers: pointers && pointerWrites(pointers, find, { answer: number, ttl }),
          earlier: earlier?.writes,
          form: formId === undefined ? undefined : sentFormWrite(slug, formId, atMs),
        },
        { act, subject: { ownerId, slug, version, answer: number } },
      );
      if (outcome.committed) return { kind: "written", answer, replaced: earlier?.numbers ?? [] };
      if (outcome.failed.has("owner")) return { kind: "missing" };
      throw tooManyWriters();
    });
  },

  /** Reads the number and time of a drop's last answer, and the number of answers to each form, with one small read. */
  async last(slug: string): Promise<Pick<AnswerLog, "last" | "atMs" | "counts">> {
    return readLog(slug);
  },

  /** Reads up to `limit` answers after the number `since`, oldest first. Leaves out replaced and deleted answers. */
  async list(
    slug: string,
    { form, since = 0, limit, nowMs }: Listing & { readonly since?: number },
  ): Promise<FoundAnswers> {
    const { last } = await answers.last(slug);
    const found: Answer[] = [];
    let upTo = since;
    for (let round = 0; round < roundsMax && upTo < last && found.length < limit; round += 1) {
      const { items, next } = await queryOnce(ranges.answers(slug), {
        after: keys.answer(slug, upTo),
        limit: readAtOnce(limit, round),
        equal: form === undefined ? undefined : ["form", form],
      });
      const some = items.filter((item) => isCurrent(item, nowMs)).map(toAnswer);
      const isCut = found.length + some.length > limit;
      found.push(...some.slice(0, limit - found.length));
      const end = next === undefined ? Math.max(last, ...items.map(numberOf)) : numberOf(next);
      upTo = isCut ? (found.at(-1)?.number ?? end) : end;
    }
    return { answers: found, upTo, hasMore: upTo < last };
  },

  /**
   * Reads up to `limit` answers before a number, newest first. `next` is the cursor: pass it as `before` to continue. The cursor is
   * undefined at the end. A filtered list may end with fewer than `limit` answers.
   */
  async listNewest(
    slug: string,
    { form, before, limit, isMatch = () => true, nowMs }: NewestListing,
  ): Promise<{ readonly answers: readonly Answer[]; readonly next: number | undefined }> {
    const found: Answer[] = [];
    let after = before === undefined ? undefined : keys.answer(slug, before);
    for (let round = 0; round < roundsMax; round += 1) {
      const { items, next } = await queryOnce(ranges.answers(slug), {
        descending: true,
        after,
        limit: readAtOnce(newestReadAtOnce, round),
        equal: form === undefined ? undefined : ["form", form],
      });
      const current = items.filter((item) => isCurrent(item, nowMs));
      found.push(...current.map(toAnswer).filter(isMatch));
      if (found.length > limit) {
        const shown = found.slice(0, limit);
        return { answers: shown, next: shown.at(-1)?.number };
      }
      if (next === undefined) return { answers: found, next: undefined };
      after = next;
    }
    return { answers: found, next: after && numberOf(after) };
  },

  /** Lists all answers of a drop, oldest first, including replaced answers under legal hold. Used only for exports by the operator. */
  async listAll(slug: string): Promise<Answer[]> {
    return (await queryAll(ranges.answers(slug))).map(toAnswer);
  },

  /** Finds an answer by its number. Returns undefined if it does not exist. */
  async find(slug: string, number: number, nowMs: number): Promise<Answer | undefined> {
    const item = await getItem(keys.answer(slug, number));
    return item && isCurrent(item, nowMs) ? toAnswer(item) : undefined;
  },

  /** Finds a person's answer to a form that accepts one per person, with two small reads. Returns undefined before the first answer. */
  async findOf(slug: string, form: string, person: string, nowMs: number): Promise<Answer | undefined> {
    const pointer = await getItem(keys.answerOf(slug, form, hashSecret(person)));
    return pointer && answers.find(slug, pointer.answer as number, nowMs);
  },

  /**
   * Deletes an answer. Returns false if it does not exist. The answer's number is never reused.
   *
   * @throws ApiError `forbidden` if the drop is on legal hold
   */
  async remove(drop: OwnedDrop, number: number, act: Act): Promise<boolean> {
    const line = auditWrite(act, { ...drop, answer: number });
    return (await removeSome(drop, [number], line)) > 0;
  },

  /**
   * Deletes the answers to a form, or to all forms of the drop, in several transactions. A call that failed part-way
   * can be repeated. Returns the number of deleted answers.
   *
   * @throws ApiError `forbidden` if the drop is on legal hold
   */
  async removeAll(drop: OwnedDrop, form: string | undefined, act: Act): Promise<number> {
    const items = await queryAll(ranges.answers(drop.slug), { attributes: ["pk", "sk", "form"] });
    const numbers = items.filter((item) => isOf(item, form)).map(numberOf);
    let removed = 0;
    for (let start = 0; start < numbers.length; start += removedAtOnce) {
      const line = start === 0 ? auditWrite(act, { ...drop }) : undefined;
      removed += await removeSome(drop, numbers.slice(start, start + removedAtOnce), line);
    }
    const { counts } = await answers.last(drop.slug);
    const isMiscounted = counts.some(([name]) => form === undefined || name === form);
    if (isMiscounted) await answerCounts.recount(drop.slug, act.atMs);
    return removed;
  },
};

/** Returns the time when an answer's retention ends, in Unix milliseconds. Returns undefined if answers are kept as long as the drop. */
export function answerEndMs(atMs: number): number | undefined {
  const days = findEnvironment(environmentNames.answerDays);
  return days === undefined ? undefined : atMs + Number(days) * msPerDay;
}

/**
 * Returns the number of answers to read in one query of a list. DynamoDB ends a query earlier after 1 MB. Each query reads more than the
 * one before, because queries also read answers to other forms and answers that the filter rejects. 5,000 answers of 300 bytes take 3
 * queries. 5,000 answers of 8 KB take 40.
 */
function readAtOnce(first: number, round: number): number {
  return Math.min(first * 8 ** round, 10_000);
}

/** Removes answers by their numbers in one transaction. Returns how many of the answers existed. */
async function removeSome(
  drop: OwnedDrop,
  numbers: readonly number[],
  line: TransactionWrite | undefined,
): Promise<number> {
  const { slug, ownerId } = drop;
  return retryConflicts(async () => {
    const find = await findItems([keys.answers(slug), ...numbers.map((number) => keys.answer(slug, number))]);
    const items = numbers
      .map((number) => find(keys.answer(slug, number)))
      .filter((item) => item !== undefined);
    if (items.length === 0) return 0;
    const log = toAnswerLog(find(keys.answers(slug)));
    const counts = items.reduce(
      (rest: FormCounts, { form }) => withCount(rest, form as string, -1),
      log.counts,
    );
    const outcome = await transact({
      owner: ownerCondition(drop),
      account: { check: keys.account(ownerId), condition: isDropNotHeld, values: { ":slug": slug } },
      log: logWrite(slug, log, { counts }),
      answers: items.flatMap((item) => removalWrites(slug, item)),
      line,
    });
    if (outcome.committed) return items.length;
    refuseHeld(outcome.failed.get("account"), slug);
    if (outcome.failed.has("owner")) return 0;
    throw tooManyWriters();
  });
}
