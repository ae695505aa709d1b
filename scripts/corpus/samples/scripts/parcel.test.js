const assert = require("node:assert");
const { priceOf, Queue } = require("./parcel.js");
const { labelOf } = require("./label.js");

describe("the price of a parcel", () => {
  it("is low for a light one", () => assert.equal(priceOf({ id: "a", weight: 20 }), 450));
  it("is high for a heavy one", () => assert.equal(priceOf({ id: "a", weight: 20000 }), 2000));
  it("is on its label", () => assert.equal(labelOf({ id: "a", weight: 20 }), "a: 4.5"));
});

describe("a queue", () => {
  it("gives the first", () => {
    const queue = new Queue();
    queue.add({ id: "a" });
    assert.equal(queue.next().id, "a");
  });
  it("knows how many wait", () => assert.equal(new Queue().length, 0, "a queue has no length"));
});
