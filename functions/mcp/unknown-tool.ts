import { joinMessages, wordsFor } from "../core/errors.ts";
import { normalizeName } from "../core/names.ts";
import { type ExpectedCall, expectedToolCall, namesInPath, sayExpected } from "../http/expected-call.ts";
import { rankByWords, singular, wordsOfName } from "../http/nearest-words.ts";
import { quote, shownCharactersMax } from "../http/schemas.ts";
import { adviceOnWords } from "../http/unknown-names.ts";
import { toolOf, toolRows } from "./tool-rows.ts";
import { mcpTools } from "./tools.ts";

/** Limit of tools that a refusal names. */
const nearestMax = 4;

/** A client's name for the server before the tool's name, such as `mcp__dropleaf__publish_drop`. */
const serverPrefix = /^.*(?:__|[.:/])(?=\w)/;

/** An error of the protocol about a tool. */
interface ToolError {
  readonly message: string;
  readonly data: {
    readonly tool: string;
    readonly nearest?: readonly string[];
    readonly expected?: ExpectedCall;
  };
}

/** Describes a tool's arguments or, for an unknown tool, the tools with the nearest names and the arguments of the first one. */
export function explainTool(name: string): ToolError {
  const known = toolOf(name);
  const bare = name.slice(0, shownCharactersMax).replace(serverPrefix, "");
  const same = toolOf(bare.toLowerCase().replaceAll("-", "_"));
  const items = mcpTools.map((item) => {
    const words = new Set([...wordsOfName(item.name), ...wordsOfName(item.operation)].map(singular));
    const row = toolRows[item.operation];
    return {
      item,
      words: [...words],
      summary: row.summary,
      // Of equal tools, the one with fewer words and required arguments is more general.
      points: -(words.size + namesInPath(row).length) / 100,
    };
  });
  const words = wordsOfName(bare);
  const { ranked, unknown } = rankByWords(words, items);
  const nearest = (known ?? same) ? [known ?? same].flatMap((one) => one ?? []) : ranked.slice(0, nearestMax);
  const [first] = nearest;
  const expected = first && expectedToolCall(first, toolRows[first.operation]);
  const onName = adviceOnWords([...words, normalizeName(bare)], Object.keys(expected?.fields ?? {}));
  const sentences = [
    `There is no tool ${quote(name)}.`,
    ...(same === undefined && unknown.includes(words.at(-1) ?? "")
      ? [`No tool matches ${unknown.map(quote).join(", ")}.`]
      : []),
    `Nearest: ${nearest.map((one) => `${one.name} (${toolRows[one.operation].summary})`).join(", ")}.`,
    onName,
  ];
  const message = known === undefined ? wordsFor("tool", joinMessages(sentences)) : "";
  return {
    message: first && expected ? sayExpected(message, expected, first.name).trim() : message,
    data: {
      tool: name.slice(0, shownCharactersMax),
      ...(known === undefined ? { nearest: nearest.map((one) => one.name) } : {}),
      ...(expected && { expected }),
    },
  };
}
