export { labelOf } from "./labels/label.ts";
export { type Parcel, priceOf, Queue } from "./parcel.ts";
