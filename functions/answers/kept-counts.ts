/** Counts of values by field. */
export type ChoiceCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** State of a drop's answers when they were counted. */
interface CountedState {
  /** Changes with each sent, replaced or deleted answer. */
  readonly state: string;
  /** Number of the drop's answers. */
  readonly total: number;
  readonly nowMs: number;
}

/** Up to this number, a changed form is counted at once: 500 answers of 8 KB are 1,000 read units. */
const countedAtOnce = 500;

/** Pause between two counts for each `countedAtOnce` answers. */
const pauseMs = 15_000;

/** Age after which counts are not used: answers past their retention end without a change of the state. */
const ageMsMax = 60 * 60 * 1_000;

/** Forms whose counts are kept. */
const keptMax = 100;

/**
 * Keeps counts of choices in a function's memory, because counting reads all answers of a drop, and pages that show results ask every
 * 15 seconds. 5,000 answers that change all the time are counted once in 150 seconds.
 */
export class KeptCounts {
  readonly #kept = new Map<string, { readonly state: string; readonly atMs: number; counts: ChoiceCounts }>();

  /** Finds the counts of a form, and counts anew if they have changed and the pause is over. */
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
