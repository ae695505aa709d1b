/** A number between two bounds, which is exactly known if they are equal. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of an exactly known number. */
export function exactly(value: number): Range {
  return { from: value, to: value };
}

/** Checks if the number is exactly known. */
export function isExact({ from, to }: Range): boolean {
  return from === to;
}

/** Asymmetric matcher for `expect().toEqual()` that expects a number in the range. */
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
