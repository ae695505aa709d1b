/** A number that is known, where both ends are the same, or known to lie between two. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A number that is known. */
export function exactly(value: number): Range {
  return { from: value, to: value };
}

/** Whether the number is known. */
export function isExact({ from, to }: Range): boolean {
  return from === to;
}

/** Expects a number of the range, in what `expect().toEqual()` compares with. */
export class Between {
  readonly #range: Range;

  constructor(range: Range) {
    this.#range = range;
  }

  asymmetricMatch(value: unknown): boolean {
    const { from, to } = this.#range;
    return Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
  }

  toString(): string {
    return "Between";
  }

  toAsymmetricMatcher(): string {
    const { from, to } = this.#range;
    return from === to ? String(from) : `${from} to ${to}`;
  }
}
