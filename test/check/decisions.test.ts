import { expect, test } from "vitest";
import { findDecisions, isDecision } from "../../scripts/check/decisions.ts";

test("only policies decide who can read", () => {
  expect(findDecisions()).toEqual([]);
});

test.each([
  'if (drop.visibility.kind === "public") return drop;',
  'return visibility !== "people";',
  "switch (drop.visibility.kind) {",
  "if (drop.expiresAtMs <= nowMs) return undefined;",
  "return nowMs < Number(row.expiresAtMs.N);",
  "return rows.filter(({ expiresAtMs }) => nowMs >= expiresAtMs);",
])("a line that decides access is found: %s", (line) => {
  expect(isDecision(line)).toBe(true);
});

test.each([
  "return { visibility: visibility.kind, expires_at: drop.expiresAtMs ?? null };",
  'condition: "#state = :pending AND expiresAtMs > :now",',
  'readonly drop: Pick<Drop, "slug" | "expiresAtMs">;',
  "const until = drops.map(({ expiresAtMs }) => expiresAtMs);",
  "if (change.visibility !== undefined) requireAllowed(change);",
])("a line that only shows or stores a value is not found: %s", (line) => {
  expect(isDecision(line)).toBe(false);
});
