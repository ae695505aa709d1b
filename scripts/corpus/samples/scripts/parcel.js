/**
 * Price of a parcel.
 * @param {{ id: string, weight: number }} parcel
 * @returns {number} cents
 */
function priceOf(parcel) {
  if (parcel.weight > 10000) return 2000;
  return parcel.weight > 1000 ? 900 : 450;
}

/** Queue of parcels that wait. */
class Queue {
  constructor() {
    this.waiting = [];
  }
  /**
   * Adds a parcel at the end.
   * @param {object} parcel
   */
  add(parcel) {
    this.waiting.push(parcel);
  }
  /** Removes the first parcel. */
  next() {
    return this.waiting.shift();
  }
}

module.exports = { priceOf, Queue };
