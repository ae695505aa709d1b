import { type Parcel, priceOf } from "../parcel.ts";

/** Text on a parcel's label. */
export function labelOf(parcel: Parcel): string {
  const heavy = parcel.weight > 5_000 ? " (heavy)" : "";
  return `${parcel.id}: ${priceOf(parcel) / 100}${heavy}`;
}
