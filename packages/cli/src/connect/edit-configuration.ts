import { isDeepStrictEqual } from "node:util";
import { applyEdits, type JSONPath, modify, type ParseError, parse as parseJson } from "jsonc-parser";
import { parse as parseToml, stringify } from "smol-toml";
import { Problem } from "../problem.ts";

/** Name of the entry in every client's configuration. */
export const entryName = "dropleaf";

/**
 * Sets the entry in the text of a configuration, or removes the entry if the URL is undefined. Everything else stays unchanged, including
 * comments.
 *
 * @throws Problem if the text cannot be parsed
 */
export type EditConfiguration = (text: string, url: string | undefined, path: string) => string;

/** Creates an editor for JSON with comments. */
export function editJson(folder: JSONPath, describe: (url: string) => object): EditConfiguration {
  return keepingMark((text, url, path) => {
    const before = text.trim() === "" ? "{}\n" : text;
    const errors: ParseError[] = [];
    const content = parseJson(before, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw unreadable(path, "JSON");
    const servers = folder.reduce((value, key) => value?.[key], content) ?? {};
    const entry = url === undefined ? undefined : describe(url);
    if (isDeepStrictEqual(servers[entryName], entry)) return text;
    const isLast = entry === undefined && Object.keys(servers).length === 1;
    const edits = modify(before, isLast ? folder : [...folder, entryName], entry, {
      formattingOptions: {
        insertSpaces: !/^\t/m.test(before),
        tabSize: /^ {4}\S/m.test(before) ? 4 : 2,
        eol: "\n",
      },
    });
    return applyEdits(before, edits);
  });
}

/** Creates an editor for TOML. The entry is a separate table, at its previous position or at the end. */
export function editToml(folder: string, describe: (url: string) => object): EditConfiguration {
  const header = new RegExp(
    `^[ \\t]*\\[[ \\t]*${folder}[ \\t]*\\.[ \\t]*(?:"${entryName}"|${entryName})[ \\t]*(?:\\.[^\\]]*)?\\]`,
  );
  return keepingMark((text, url, path) => {
    const before = readToml(text, path);
    const kept = withoutTables(text, header);
    const entry = url === undefined ? "" : stringify({ [folder]: { [entryName]: describe(url) } });
    const after = [kept.trimEnd(), entry.trim()].filter((part) => part !== "").join("\n\n");
    const edited = after === "" ? "" : `${after}\n`;
    const expected = withEntry(before, folder, url === undefined ? undefined : describe(url));
    if (!isDeepStrictEqual(toPlain(readToml(edited, path)), toPlain(expected)))
      throw new Problem(
        `${path} has ${folder}.${entryName} in a form that this command cannot edit: change it by hand.`,
      );
    return edited;
  });
}

/** Keeps a byte order mark, which some Windows editors write, before the edited text. */
function keepingMark(edit: EditConfiguration): EditConfiguration {
  return (text, url, path) => {
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return `${mark}${edit(text.slice(mark.length), url, path)}`;
  };
}

function withoutTables(text: string, header: RegExp): string {
  let isInTable = false;
  const lines = text.split("\n").filter((line) => {
    if (/^[ \t]*\[/.test(line)) isInTable = header.test(line);
    return !isInTable;
  });
  return lines.join("\n");
}

type TomlTable = Readonly<Record<string, unknown>>;

function withEntry(before: TomlTable, folder: string, entry: object | undefined): TomlTable {
  const { [entryName]: _, ...others } = (before[folder] ?? {}) as TomlTable;
  const servers = entry === undefined ? others : { ...others, [entryName]: entry };
  const { [folder]: __, ...rest } = before;
  return Object.keys(servers).length === 0 ? rest : { ...rest, [folder]: servers };
}

function readToml(text: string, path: string): TomlTable {
  try {
    return parseToml(text);
  } catch {
    throw unreadable(path, "TOML");
  }
}

/** Converts a table to plain JSON values, so that two parsed tables can be compared. */
function toPlain(value: TomlTable): unknown {
  return JSON.parse(JSON.stringify(value));
}

function unreadable(path: string, language: string): Problem {
  return new Problem(`${path} is not valid ${language}, and was not changed. Correct it first.`);
}
