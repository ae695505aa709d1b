import { expect, test } from "vitest";
import { addressesOf, callsIn } from "../../functions/http/address-hints.ts";
import { findHint, type HintTable, joinHints } from "../../functions/http/hints.ts";
import { pathSentences } from "../../functions/http/path-hints.ts";
import type { Route } from "../../functions/http/route.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { source } from "../../scripts/check/source.ts";

const routes: readonly Route[] = operationIds.map(routeOf);

test("a newcomer finds all hints in six files at most, in functions/http", () => {
  const isOfHints = (file: string) =>
    /: (Hint|Synonym)Table = |satisfies HintTable|isHarmless: true|insteadOf: "|"fastest-levenshtein"/.test(
      source.read(file),
    );

  const files = ["functions", "lib"].flatMap((folder) => source.list(folder, ".ts")).filter(isOfHints);

  expect(files.length).toBeLessThanOrEqual(6);
  expect(files.filter((file) => !/^functions\/http\/\w*-?hints\.ts$/.test(file))).toEqual([]);
});

test("each call that a hint names exists", () => {
  const known = addressesOf(routes).map(({ method, path }) => `${method} ${path}`);
  const tables = routes.flatMap(({ refusedFields = {}, refusedParameters = {} }) => [
    refusedFields,
    refusedParameters,
  ]);

  const named = [...pathSentences, ...tables.flatMap(sentencesOf)].flatMap(callsIn);

  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((call) => !known.includes(call))).toEqual([]);
});

test("each call and tool that a file of hints names exists", () => {
  const known = addressesOf(routes).map(({ method, path }) => `${method} ${path}`);
  const files = source.list("functions/http", ".ts").filter((file) => /hints\.ts$/.test(file));
  const text = files.map((file) => source.read(file)).join("\n");
  const sentences = [...text.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g)].map(([sentence]) => sentence);
  const tools = mcpTools.map(({ name }) => name);
  const ofTools = source
    .read("functions/http/tool-hints.ts")
    .matchAll(
      /\b((?:compare|complete|delete|edit|get|list|lock|poll|publish|read|reply|resolve|restore|search|see|start|undelete|update|upload|upsert)_[a-z_]+)\b/g,
    );

  const calls = [...new Set(sentences.flatMap(callsIn))];
  const named = [...new Set([...ofTools].map(([, name]) => name))];

  expect([calls.length, named.length].every((count) => count > 20)).toBe(true);
  expect(calls.filter((call) => !known.includes(call))).toEqual([]);
  expect(named.filter((name) => !(tools as readonly (string | undefined)[]).includes(name))).toEqual([]);
});

test("of joined tables, the first with a word counts", () => {
  const joined = joinHints({ "a b": "first" }, { "b c": "second" }, { "a b": "third" });

  expect(["a", "b", "c", "d"].map((word) => findHint(joined, word)?.advice)).toEqual([
    "first",
    "first",
    "second",
    undefined,
  ]);
});

test("a hint for some methods is for no others", () => {
  const table = { "GET HEAD tags": "read", tags: "write" };

  expect(findHint(table, "tags", "GET")?.advice).toBe("read");
  expect(findHint(table, "tags", "PUT")?.advice).toBe("write");
});

function sentencesOf(table: HintTable): string[] {
  return Object.values(table).map((hint) => (typeof hint === "string" ? hint : hint.advice));
}
