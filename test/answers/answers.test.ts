import { afterEach, describe, expect, test, vi } from "vitest";
import { requireAnswerBounds, toAnswerFields } from "../../functions/answers/answers.ts";
import { findAnswerForms } from "../../functions/drops/answer-forms.ts";
import { answersOf, changedAccess, newAccess } from "../../functions/drops/drop-access.ts";
import { expectRefusal } from "../support/expect-refusal.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the fields of an answer", () => {
  test("have a list of values for a name that was sent several times, in the order of sending", () => {
    const sent = [
      ["b", "1"],
      ["__proto__", "x"],
      ["a", ""],
      ["b", "2"],
    ] as const;

    expect(toAnswerFields(sent)).toEqual([
      ["b", ["1", "2"]],
      ["__proto__", "x"],
      ["a", ""],
    ]);
  });

  test.each([
    ["50 fields", Array.from({ length: 50 }, (_, index) => [String(index), ""] as const)],
    ["a name of 200 characters", [["n".repeat(200), ""] as const]],
    ["8,192 bytes", [["é", "é".repeat(4_095)] as const]],
  ])("can be %s", (_, fields) => {
    expect(() => requireAnswerBounds(fields)).not.toThrow();
  });

  test.each([
    ["51 fields", Array.from({ length: 51 }, (_, index) => [String(index), ""] as const), "51 fields"],
    ["a name of 201 characters", [["n".repeat(201), ""] as const], "201 characters"],
    ["8,193 bytes", [["éa", "é".repeat(4_095)] as const], "8193 bytes"],
    ["8,200 bytes in many values of a name", [["n".repeat(100), Array(82).fill("")] as const], "8200 bytes"],
  ])("cannot be %s", (_, fields, words) => {
    expectRefusal(() => requireAnswerBounds(fields), "invalid_arg", [words]);
  });
});

test("a form's name has 1 to 40 letters, digits, dashes and underscores", () => {
  const formsOf = (name: string) => findAnswerForms(Buffer.from(`<form data-answers="${name}"></form>`));

  for (const name of ["vote", "a-b_C9", "x".repeat(40)]) expect(formsOf(name)).toMatchObject([{ name }]);
  for (const name of ["", "a b", "é", "a#b", "x".repeat(41)]) expect(formsOf(name)).toEqual([]);
});

describe("a service without answers", () => {
  const facts = { isLocked: false, nowMs: 0 };

  test("refuses to turn on answers for a drop, and allows other changes", () => {
    vi.stubEnv("ANSWERS", "off");
    const before = newAccess({ answers: "off" }, facts);

    expectRefusal(() => newAccess({ answers: "readers" }, facts), "invalid_arg", [
      "this service doesn't accept answers",
    ]);
    expectRefusal(() => changedAccess(before, { answers: "readers" }, facts), "invalid_arg", ["answers"]);
    expect(changedAccess(before, { answers: "off", answers_results: true }, facts)).toMatchObject({
      answers: undefined,
    });
  });

  test("treats drops with answers as if they were off, until the service accepts answers again", () => {
    const before = newAccess({ answers: "readers" }, facts);

    vi.stubEnv("ANSWERS", "off");
    const changed = changedAccess(before, { indexed: true, answers: "readers" }, facts);
    const whileOff = answersOf(changed);
    vi.stubEnv("ANSWERS", "");

    expect([whileOff, answersOf(changed)]).toEqual(["off", "readers"]);
  });
});
