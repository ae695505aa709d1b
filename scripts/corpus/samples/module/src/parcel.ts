/** A parcel with its weight in grams. */
export interface Parcel {
  readonly id: string;
  readonly weight: number;
}

/** Price of a parcel in cents. */
export function priceOf(parcel: Parcel): number {
  if (parcel.weight > 10_000) return 2_000;
  if (parcel.weight > 1_000) {
    return 900;
  }
  return 450;
}

/** Queue of parcels that wait. */
export class Queue {
  readonly #waiting: Parcel[] = [];

  /** Adds a parcel at the end. */
  add(parcel: Parcel): void {
    this.#waiting.push(parcel);
  }

  /** Removes the first parcel. */
  next(): Parcel | undefined {
    return this.#waiting.shift();
  }
}
