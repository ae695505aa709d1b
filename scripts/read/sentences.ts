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
  const templates: Sentence[] = [];
  let line = 1;
  let isCommentAbove = false;
  for (const { type, value } of jsTokens(code, { jsx: file.endsWith(".tsx") })) {
    const place = `${file}:${line}`;
    const words = wordsOf(type, value);
    if (type === "TemplateHead") templates.push({ kind: "text", place, words });
    // A template with expressions is one text, and "…" stands for each expression.
    else if (type === "TemplateMiddle" || type === "TemplateTail") {
      const template = templates.pop();
      const whole = flatten(`${template?.words}…${words}`);
      const joined = { kind: "text", place, ...template, words: whole } as const;
      if (type === "TemplateMiddle") templates.push(joined);
      else if (isProse(joined.words)) sentences.push(joined);
    }
    // Joins consecutive `//` lines to one comment.
    else if (type.endsWith("Comment")) {
      const above = isCommentAbove ? sentences.pop() : undefined;
      if (above !== undefined || words !== "")
        sentences.push({ kind: "comment", place, ...above, words: `${above?.words ?? ""} ${words}`.trim() });
    } else if (words !== "" && isProse(words)) sentences.push({ kind: "text", place, words });
    if (type !== "WhiteSpace" && type !== "LineTerminatorSequence")
      isCommentAbove = type === "SingleLineComment";
    line += value.split("\n").length - 1;
  }
  const isDirective = /^biome-ignore|^eslint|^@module-tag/;
  return sentences.filter(({ kind, words }) => kind === "text" || !isDirective.test(words));
}

/** Returns the words of a comment or text, or an empty string for code. */
function wordsOf(type: string, value: string): string {
  if (type === "SingleLineComment") return value.slice(2).trim();
  if (type === "MultiLineComment")
    return flatten(value.replace(/^\/\*+|\*+\/$/g, "").replace(/^\s*\*/gm, ""));
  if (type === "StringLiteral" || type === "JSXString") return flatten(value.slice(1, -1));
  if (type === "NoSubstitutionTemplate") return flatten(value.slice(1, -1));
  if (type.startsWith("Template")) return value.replace(/^[`}]|(`|\$\{)$/g, "");
  return type === "JSXText" ? flatten(value) : "";
}

/** Removes escape characters and line breaks. */
function flatten(text: string): string {
  const unescaped = text.replace(/\\(?=[`'"])/g, "");
  return unescaped.replace(/\s+/g, " ").trim();
}

/** Returns true for prose: at least four words of letters, and no markup, styles, database expressions or other code. */
function isProse(text: string): boolean {
  return (
    (text.match(/(?<![\w-])[A-Za-z']{2,}(?![\w-])/g) ?? []).length >= 4 &&
    !/[{};]|=>|<\w|\/[\w*]+\/|^M\d|\b(SELECT|SET|ADD|AND|OR) /.test(text)
  );
}
