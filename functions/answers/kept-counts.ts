/** Number of answers by field and value. */
export type ChoiceCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** State of a drop's answers at the time of a count. */
interface CountedState {
  /** String that changes with each sent, replaced or deleted answer. */
  readonly state: string;
  /** Number of the drop's answers. */
  readonly total: number;
  readonly nowMs: number;
}

/** Maximum number of answers up to which a changed form is recounted at once. 500 answers of 8 KB take 1,000 read units. */
const countedAtOnce = 500;

/** Minimum time between two counts, per `countedAtOnce` answers. */
const pauseMs = 15_000;

/** Maximum age of cached counts. Answers whose retention ends do not change the state. */
const ageMsMax = 60 * 60 * 1_000;

/** Maximum number of forms in the cache. */
const keptMax = 100;

/**
 * Caches counts of choices in a function's memory. Counting reads all answers of a drop, and pages that show results
 * poll every 15 seconds. A drop with 5,000 answers that change all the time is counted once in 150 seconds.
 */
export class KeptCounts {
  readonly #kept = new Map<string, { readonly state: string; readonly atMs: number; counts: ChoiceCounts }>();

  /** Returns the counts of a form. Counts again if the answers have changed and the minimum time has passed. */
  async find(
    form: string,
    { state, total, nowMs }: CountedState,
    count: () => Promise<ChoiceCounts>,
  ): Promise<ChoiceCounts> {
    const kept = this.#kept.get(form);
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : nowMs - kept.atMs;
    const pause = total <= countedAtOnce ? 0 : (total / countedAtOnce) * pauseMs;
    if (kept !== undefined && (kept.state === state ? ageMs < ageMsMax : ageMs < pause)) return kept.counts;
    const counts = await count();
    this.#kept.delete(form);
    this.#kept.set(form, { state, atMs: nowMs, counts });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
    return counts;
  }
}
