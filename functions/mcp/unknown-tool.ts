import { joinMessages, wordsFor } from "../core/errors.ts";
import { normalizeName, singular } from "../core/names.ts";
import type { Route } from "../http/route.ts";
import { quote, shownCharactersMax } from "../http/schemas.ts";
import { expectedCall, expectedToolCall, namesInPath, sayExpected } from "../refusals/expected-call.ts";
import {
  adviceOnFields,
  adviceOnWords,
  deletionWords,
  hasSynonym,
  rankByWords,
  shareKnown,
  wordsOfName,
} from "../refusals/nearest-words.ts";
import { wordsOfRow } from "../refusals/rank-operations.ts";
import { type ListedTool, toolOf, toolRows } from "./tool-rows.ts";
import { mcpTools } from "./tools.ts";

/** Maximum number of tools that an error message names. */
const nearestMax = 4;

/** Pattern of the prefix that clients put before a tool's name, such as `mcp__dropleaf__` in `mcp__dropleaf__publish_drop`. */
const serverPrefix = /^.*(?:__|[.:/])(?=\w)/;

/**
 * Writes the message and data of a protocol error about a tool. They describe the tool's arguments. For an unknown tool, they name the tools
 * with the most similar names and arguments, and describe the arguments of the most similar tool.
 *
 * @param given names of the sent arguments
 * @param called definitions of operations that the caller may mean although they are not tools. @default - only tools are named
 */
export function explainTool(name: string, given: readonly string[] = [], called: readonly Route[] = []) {
  const known = toolOf(name);
  const bare = name.slice(0, shownCharactersMax).replace(serverPrefix, "");
  const same = toolOf(bare.toLowerCase().replaceAll("-", "_"));
  const words = wordsOfName(bare);
  const isDeletion = words.some((word) => deletionWords.includes(word));
  // Suggests tools that delete only if the called name suggests a deletion.
  const offered = mcpTools.filter(({ operation }) => isDeletion || toolRows[operation].method !== "DELETE");
  const items = offered.map((item) => {
    const row = toolRows[item.operation];
    const ofFiles = "takesFiles" in item ? ["folder"] : [];
    const own = new Set(
      [...wordsOfName(item.name), ...wordsOfName(item.operation), ...partOf(row), ...ofFiles].map(singular),
    );
    return {
      item,
      words: [...own],
      summary: row.summary,
      // Among equally similar tools, prefers the tool with fewer words and fewer required arguments, which is more general.
      points: shareKnown(given, argumentsOf(item)) - (own.size + namesInPath(row).length) / 100,
    };
  });
  const { ranked, matching, unknown } = rankByWords(words, items);
  const isOffered = items.some((item) => isNamedBy(words, item.words));
  const ofHttp = findOverHttp(words, offered, called, isOffered);
  const named = known ?? same;
  const nearest = named ? [named] : ranked.filter((one) => matching.has(one)).slice(0, nearestMax);
  const [first] = nearest;
  const overHttp = named === undefined ? ofHttp : undefined;
  const expected = overHttp
    ? expectedCall(overHttp)
    : first && expectedToolCall(first, toolRows[first.operation]);
  const onName = adviceOnWords([...words, normalizeName(bare)], first ? argumentsOf(first) : []);
  const sentences = [
    `There is no tool ${quote(name)}.`,
    overHttp
      ? `No tool does this. Call ${overHttp.method} ${overHttp.path} over HTTP (${overHttp.summary}).`
      : "",
    same === undefined && unknown.length > 0 && !ofHttp
      ? `No tool matches ${unknown.map(quote).join(", ")}: tools/list lists all tools.`
      : "",
    onName,
    named === undefined && first && !ofHttp ? adviceOnFields("argument", given, argumentsOf(first)) : "",
    nearest.length === 0
      ? ""
      : `Nearest: ${nearest.map((one) => `${one.name} (${toolRows[one.operation].summary})`).join(", ")}.`,
  ];
  const message = known === undefined ? wordsFor("tool", joinMessages(sentences)) : "";
  return {
    message: expected
      ? sayExpected(
          message,
          expected,
          overHttp ? `${overHttp.method} ${overHttp.path}` : expected.operation,
        ).trim()
      : message,
    data: {
      tool: name.slice(0, shownCharactersMax),
      ...(known === undefined ? { nearest: nearest.map((one) => one.name) } : {}),
      ...(expected && { expected }),
    },
  };
}

/** Returns the words of the last segment of an operation's path, such as `diff`. */
function partOf({ path }: Route): readonly string[] {
  const [, part = ""] = /\}\/([a-z]+)$/.exec(path) ?? [];
  return wordsOfName(part);
}

/** Finds an operation that has no tool and matches the called name. At least one matching word must not belong to any tool. */
function findOverHttp(
  words: readonly string[],
  offered: readonly ListedTool[],
  called: readonly Route[],
  isOffered: boolean,
): Route | undefined {
  const ofTools = offered.flatMap(({ name, operation }) => [
    ...wordsOfName(name),
    ...wordsOfRow(toolRows[operation]),
  ]);
  const own = words.map(singular).filter((word) => !ofTools.map(singular).includes(word));
  const isDeletion = words.some((word) => deletionWords.includes(word));
  const others = called.filter(
    ({ id, method }) => !Object.hasOwn(toolRows, id) && (isDeletion || method !== "DELETE"),
  );
  return others.find((row) => {
    const known = ["drop", ...wordsOfRow(row)];
    const isMeant = isOffered
      ? wordsOfRow(row).every((word) => words.includes(word) || ofTools.includes(word)) &&
        words.every((word) => known.includes(singular(word)))
      : isNamedBy(words, known);
    return known.some((word) => own.includes(word)) && isMeant;
  });
}

/** Checks whether a tool or operation has all words of a name, or synonyms of them. */
function isNamedBy(words: readonly string[], known: readonly string[]): boolean {
  return words.map(singular).every((word) => known.includes(word) || hasSynonym(known, word));
}

function argumentsOf(tool: ListedTool): readonly string[] {
  return Object.keys(expectedToolCall(tool, toolRows[tool.operation]).fields);
}
