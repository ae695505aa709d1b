import { describe, expect, test } from "vitest";
import { parseEventPattern } from "../../src/events/event-pattern.ts";

const event = {
  eventName: "REMOVE",
  count: 5,
  none: null,
  dynamodb: {
    OldImage: { pk: { S: "USER#1" }, sk: { S: "DROP#abc" }, tags: { SS: ["red", "blue"] }, n: { N: "5" } },
  },
};

const matches = (pattern: unknown) => parseEventPattern(JSON.stringify(pattern), "Filter")(event);

describe("a pattern (Lambda developer guide, filter rule syntax) matches", () => {
  test.each([
    ["a value", { eventName: ["REMOVE"] }],
    ["one of several values", { eventName: ["INSERT", "REMOVE"] }],
    ["names that all match", { eventName: ["REMOVE"], count: [5] }],
    ["a nested name", { dynamodb: { OldImage: { pk: { S: ["USER#1"] } } } }],
    ["a prefix", { dynamodb: { OldImage: { sk: { S: [{ prefix: "DROP#" }] } } } }],
    ["a suffix", { dynamodb: { OldImage: { sk: { S: [{ suffix: "abc" }] } } } }],
    ["another case", { eventName: [{ "equals-ignore-case": "remove" }] }],
    ["null", { none: [null] }],
    ["an existing field", { dynamodb: { OldImage: { pk: { S: [{ exists: true }] } } } }],
    ["a missing field", { dynamodb: { NewImage: { pk: { S: [{ exists: false }] } } } }],
    ["anything but a value", { eventName: [{ "anything-but": "INSERT" }] }],
    ["anything but some values", { eventName: [{ "anything-but": ["INSERT", "MODIFY"] }] }],
    ["anything but a prefix", { eventName: [{ "anything-but": { prefix: "IN" } }] }],
    ["an element of a set", { dynamodb: { OldImage: { tags: { SS: ["blue"] } } } }],
    ["a number", { count: [{ numeric: ["=", 5] }] }],
    ["a range of numbers", { count: [{ numeric: [">", 0, "<=", 5] }] }],
    ["one of several fields", { $or: [{ eventName: ["INSERT"] }, { count: [5] }] }],
  ])("%s", (_, pattern) => {
    expect(matches(pattern)).toBe(true);
  });
});

describe("a pattern does not match", () => {
  test.each([
    ["another value", { eventName: ["INSERT"] }],
    ["if only one of several names matches", { eventName: ["REMOVE"], count: [6] }],
    ["a missing name", { dynamodb: { NewImage: { pk: { S: ["USER#1"] } } } }],
    ["a value of another type", { count: ["5"] }],
    ["another prefix", { dynamodb: { OldImage: { sk: { S: [{ prefix: "BLOB#" }] } } } }],
    ["a missing field with anything-but", { missing: [{ "anything-but": "x" }] }],
    ["the excluded value", { eventName: [{ "anything-but": ["REMOVE"] }] }],
    ["an object, which is not a field", { dynamodb: { OldImage: [{ exists: true }] } }],
    ["a DynamoDB number, which is text", { dynamodb: { OldImage: { n: { N: [{ numeric: ["=", 5] }] } } } }],
    ["a name that every object inherits", { toString: [{ exists: true }] }],
  ])("%s", (_, pattern) => {
    expect(matches(pattern)).toBe(false);
  });
});

describe("refused with position and reason: a pattern with", () => {
  test.each([
    [
      "an unknown comparison",
      { a: { b: [{ wildcard: "x*" }] } },
      'Filter.a.b: the comparison {"wildcard":"x*"}',
    ],
    ["two comparisons in one", { a: [{ prefix: "x", suffix: "y" }] }, "Filter.a: the comparison"],
    ["a value that is not in a list", { a: "x" }, 'Filter.a: expected an object with field names, not "x"'],
    ["an empty list", { a: [] }, "Filter.a: an empty list"],
    ["a prefix that is not text", { a: [{ prefix: 1 }] }, "Filter.a.prefix: expected text, not 1"],
    ["half a range", { a: [{ numeric: [">"] }] }, "Filter.a.numeric: expected a list such as"],
  ])("%s", (_, pattern, message) => {
    expect(() => matches(pattern)).toThrow(message);
  });

  test("invalid JSON", () => {
    expect(() => parseEventPattern("{", "Filter")).toThrow("Filter: the pattern is not JSON: {");
  });
});
