import { ranges } from "../table/keys.ts";
import { type Item, queryAll, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { logWrite } from "./answer-writes.ts";
import { countOf, type FormCounts, valuesOf, withCount } from "./answers.ts";
import { ChoiceCountCache, type ChoiceCounts } from "./choice-count-cache.ts";
import { fieldsOf, isCurrent, isOf, numberOf, readLog } from "./items.ts";

/** Names of the fields whose values are counted. */
interface CountedFields {
  readonly names: ReadonlySet<string>;
  readonly nowMs: number;
}

const cache = new ChoiceCountCache();

/** Counts a drop's answers, and compares the stored counters with the result. */
export const answerCounts = {
  /** Returns the number of current answers to each form. Reads all of the drop's answers if some have a retention period. */
  async current(slug: string, nowMs: number): Promise<FormCounts> {
    const { counts, hasRetention } = await readLog(slug);
    if (!hasRetention) return counts;
    const items = await queryAll(ranges.answers(slug), { attributes: ["form", "ttl", "replacedAtMs"] });
    return countItems(items.filter((item) => isCurrent(item, nowMs)));
  },

  /**
   * Counts how often each value was sent in some fields of a form. For forms with many answers, the counts can be a few minutes old; see
   * `ChoiceCountCache`.
   *
   * @param names fields to count, such as those with choices
   */
  async byChoice(slug: string, form: string, { names, nowMs }: CountedFields): Promise<ChoiceCounts> {
    const { last, counts, countsText } = await readLog(slug);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const key = JSON.stringify([slug, form, [...names].toSorted()]);
    const state = JSON.stringify([last, countsText]);
    return cache.find(key, { state, total, nowMs }, () => countChoices(slug, form, { names, nowMs }));
  },

  /**
   * Recounts a drop's stored answers, because DynamoDB removes expired answers without updating the counters.
   *
   * @param last lower bound for the last used answer number, such as the last number in a backup
   * @param line audit entry to write
   */
  async recount(
    slug: string,
    nowMs: number,
    { last = 0, line }: { readonly last?: number; readonly line?: TransactionWrite } = {},
  ): Promise<void> {
    await retryConflicts(async () => {
      const { log, counted } = await countStored(slug);
      const changed = { counts: counted.counts, last: Math.max(last, log.last, counted.last) };
      const { update, values, ...write } = logWrite(slug, log, changed);
      const outcome = await transact({
        log: { ...write, update: `${update}, countedAtMs = :now`, values: { ...values, ":now": nowMs } },
        line,
      });
      if (!outcome.committed) throw tooManyWriters();
    });
  },

  /** Compares a drop's counters with its stored answers. Returns a description of the first difference, or undefined if they agree. */
  async findMiscount(slug: string): Promise<string | undefined> {
    return retryConflicts(async () => {
      const { log, counted } = await countStored(slug);
      const after = await readLog(slug);
      if (after.last !== log.last || after.countsText !== log.countsText) throw tooManyWriters();
      if (counted.last > log.last)
        return `would give a new answer the number ${counted.last} of an existing one`;
      const forms = new Set([...counted.counts, ...log.counts].map(([form]) => form));
      for (const form of forms) {
        const [stored, has] = [countOf(log.counts, form), countOf(counted.counts, form)];
        if (stored < has || (stored > has && !log.hasRetention))
          return `counts ${stored} answers to the form ${form}, but has ${has}`;
      }
      return undefined;
    });
  },
};

/**
 * Counts the values in all answers to a form. Reads all of the drop's answers. 5,000 answers of 300 bytes take two
 * queries and 370 read units. Answers of 8 KB take 40 queries and 10,000 units (calculated, for consistent reads).
 */
async function countChoices(
  slug: string,
  form: string,
  { names, nowMs }: CountedFields,
): Promise<ChoiceCounts> {
  const items = await queryAll(ranges.answers(slug), {
    attributes: ["form", "fields", "ttl", "replacedAtMs"],
  });
  const pairs = items
    .filter((item) => isCurrent(item, nowMs) && isOf(item, form))
    .flatMap((item) => fieldsOf(item))
    .filter(([name]) => names.has(name));
  const byName = Map.groupBy(pairs, ([name]) => name);
  return new Map(
    [...byName].map(([name, some]) => {
      const values = Map.groupBy(
        some.flatMap(([, value]) => valuesOf(value)),
        (value) => value,
      );
      return [name, new Map([...values].map(([value, same]) => [value, same.length]))];
    }),
  );
}

/** Reads a drop's counters, then counts the stored answers. */
async function countStored(slug: string) {
  const log = await readLog(slug);
  const items = await queryAll(ranges.answers(slug), { attributes: ["sk", "form"] });
  const last = items.map(numberOf).at(-1) ?? 0;
  return { log, counted: { last, counts: countItems(items) } };
}

function countItems(items: readonly Item[]): FormCounts {
  return items.reduce((counts: FormCounts, { form }) => withCount(counts, form as string, 1), []);
}

/** Error for a write conflict, after which `retryConflicts` tries again. */
export function tooManyWriters(): RetryableError {
  return new RetryableError("Others are answering at the same time. Try again.");
}
