import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import jsTokens from "js-tokens";

const root = join(import.meta.dirname, "../..");

/** Folders whose comments and texts are collected. */
const folders = ["functions", "lib", "local", "bin", "scripts", "action", "packages"];

/** A comment or a text of the code. */
export interface Sentence {
  readonly kind: "comment" | "text";
  /** File and line, such as `functions/drops/store.ts:12`. */
  readonly place: string;
  readonly words: string;
}

/** Finds all comments and texts of at least four words, except in tests and in samples. */
export function readSentences(): Sentence[] {
  const files = execFileSync("git", ["ls-files", ...folders], { cwd: root, encoding: "utf8" }).split("\n");
  return files.filter(isCode).flatMap((file) => sentencesOf(file, readFileSync(join(root, file), "utf8")));
}

function isCode(file: string): boolean {
  return /\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$|(^|\/)(test|samples|fixtures)\//.test(file);
}

function sentencesOf(file: string, code: string): Sentence[] {
  const sentences: Sentence[] = [];
  let line = 1;
  let isCommentAbove = false;
  for (const token of jsTokens(code, { jsx: file.endsWith(".tsx") })) {
    const place = `${file}:${line}`;
    const words = wordsOf(token.type, token.value);
    const kind = token.type.endsWith("Comment") ? "comment" : "text";
    // Consecutive `//` lines count as one comment.
    if (kind === "comment" && isCommentAbove) {
      const above = sentences.pop();
      sentences.push({ ...(above ?? { kind, place }), words: `${above?.words ?? ""} ${words}`.trim() });
    } else if (words !== "" && (kind === "comment" || isProse(words))) {
      sentences.push({ kind, place, words });
    }
    if (token.type !== "WhiteSpace" && token.type !== "LineTerminatorSequence")
      isCommentAbove = token.type === "SingleLineComment";
    line += token.value.split("\n").length - 1;
  }
  return sentences.filter(
    ({ kind, words }) => kind === "text" || !/^biome-ignore|^eslint|^@module-tag/.test(words),
  );
}

/** Returns a token's words on one line, or an empty string for code. */
function wordsOf(type: string, value: string): string {
  if (type === "SingleLineComment") return value.slice(2).trim();
  if (type === "MultiLineComment")
    return flatten(value.replace(/^\/\*+|\*+\/$/g, "").replace(/^\s*\*/gm, ""));
  if (type === "StringLiteral" || type === "JSXString") return flatten(value.slice(1, -1));
  if (type.endsWith("Template") || type.startsWith("Template"))
    return flatten(value.replace(/^[`}]|(`|\$\{)$/g, "…"));
  return type === "JSXText" ? flatten(value) : "";
}

function flatten(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns true for prose: at least four words of letters, and no markup, styles or code. */
function isProse(text: string): boolean {
  return (
    (text.match(/(?<![\w-])[A-Za-z']{2,}(?![\w-])/g) ?? []).length >= 4 &&
    !/[{};]|=>|<\w|\/[\w*]+\/|^M\d/.test(text)
  );
}
