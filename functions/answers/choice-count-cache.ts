/** Number of answers by field and value. */
export type ChoiceCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** State of a drop's answers at the time of a count. */
interface CountedState {
  /** String that changes whenever an answer is sent, replaced or deleted. */
  readonly state: string;
  /** Total number of the drop's answers. */
  readonly total: number;
  readonly nowMs: number;
}

/** Maximum number of answers that are recounted immediately after a change. Reading 500 answers of 8 KB takes 1,000 read units. */
const countedAtOnce = 500;

/** Minimum time between two counts, in milliseconds, for every `countedAtOnce` answers. */
const pauseMs = 15_000;

/** Maximum age of cached counts. Older counts may include expired answers, because an answer's expiry does not change `state`. */
const ageMsMax = 60 * 60 * 1_000;

/** Maximum number of forms in the cache. */
const formsMax = 100;

/**
 * Caches the counts of choices in a function's memory. Counting reads all answers of a drop, and pages that show
 * results poll every 15 seconds. The more answers there are, the longer counts stay cached: 150 seconds for 5,000 answers.
 */
export class ChoiceCountCache {
  readonly #cache = new Map<
    string,
    { readonly state: string; readonly atMs: number; counts: ChoiceCounts }
  >();

  /** Returns the counts of a form. Counts again if the answers have changed and the minimum time has passed. */
  async find(
    form: string,
    { state, total, nowMs }: CountedState,
    count: () => Promise<ChoiceCounts>,
  ): Promise<ChoiceCounts> {
    const cached = this.#cache.get(form);
    const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : nowMs - cached.atMs;
    const pause = total <= countedAtOnce ? 0 : (total / countedAtOnce) * pauseMs;
    if (cached !== undefined && (cached.state === state ? ageMs < ageMsMax : ageMs < pause))
      return cached.counts;
    const counts = await count();
    this.#cache.delete(form);
    this.#cache.set(form, { state, atMs: nowMs, counts });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > formsMax && oldest !== undefined) this.#cache.delete(oldest);
    return counts;
  }
}
