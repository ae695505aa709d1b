const { priceOf } = require("./parcel.js");

/**
 * Text on a parcel's label.
 * @param {{ id: string, weight: number }} parcel
 * @returns {string}
 */
function labelOf(parcel) {
  var heavy = parcel.weight > 5000 ? " (heavy)" : "";
  return parcel.id + ": " + priceOf(parcel) / 100 + heavy;
}

module.exports = { labelOf };
