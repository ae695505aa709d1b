import { type ParsedNode, parseDocument } from "yaml";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { metadataPrefix, type RawQuery } from "../http/query.ts";
import { validate } from "../http/validation.ts";
import { metadataSchema } from "./metadata.ts";

interface FrontMatter {
  /** The Markdown after the block, or the whole Markdown if the block is invalid. */
  readonly body: string;
  readonly texts: RawQuery;
  readonly tags: RawQuery;
  readonly warnings: readonly string[];
}

/** Maximum length of a block. Parsing a longer block would take seconds. */
const blockCharactersMax = 16_384;

const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Parses the YAML block at the start of Markdown. Returns undefined without a block, for example for a horizontal rule. */
export function readFrontMatter(markdown: string): FrontMatter | undefined {
  const found = block.exec(markdown.slice(0, blockCharactersMax));
  if (found === null || found.index !== 0) return undefined;
  const [whole, yaml = ""] = found;
  let fields: unknown;
  try {
    fields = parse(yaml);
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n");
    const warning = `The YAML block at the start is invalid and is shown as text: ${reason.slice(0, 200)}`;
    return { body: markdown, texts: {}, tags: {}, warnings: [warning] };
  }
  if (!(fields instanceof Map)) return undefined;
  const title = lineOf(fields.get("title"));
  const description = lineOf(fields.get("description"));
  const isLong = description !== undefined && [...description].length > limits.descriptionCodePointsMax;
  const { tags, warning } = toTags(fields.get("tags"));
  return {
    body: markdown.slice(whole.length),
    texts: {
      ...(title === undefined
        ? {}
        : { title: [[...title].slice(0, limits.titleCodePointsMax).join("").trim()] }),
      ...(description === undefined || isLong ? {} : { description: [description] }),
    },
    tags,
    warnings: [
      ...(isLong
        ? [
            `The description in the YAML block was not used: it has more than ${limits.descriptionCodePointsMax} characters.`,
          ]
        : []),
      ...(warning === undefined ? [] : [warning]),
    ],
  };
}

/** Parses YAML and keeps values as strings. @throws Error for invalid YAML, and for aliases that would expand to a large document */
function parse(yaml: string): unknown {
  const document = parseDocument<ParsedNode>(yaml, { schema: "failsafe", prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ mapAsMap: true, maxAliasCount: 10 });
}

/** Joins the lines of a string. Returns undefined for YAML's null values, and for values that are not strings. */
function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replace(/\s+/g, " ").trim();
  return /^(?:|~|null)$/i.test(text) ? undefined : text;
}

/** Converts tags to metadata. Key-value pairs stay unchanged. Single words are joined under the key `tags`. */
function toTags(value: unknown): { readonly tags: RawQuery; readonly warning?: string } {
  const listed = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const words = listed.flatMap((one) => lineOf(one) ?? []);
  const pairs = value instanceof Map ? [...value].map(([key, one]) => [String(key), lineOf(one) ?? ""]) : [];
  const metadata: Record<string, string> = Object.fromEntries(
    words.length === 0 ? pairs : [["tags", words.join(", ")]],
  );
  try {
    if (Object.keys(metadata).length > 0) validate(metadataSchema, metadata);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { tags: {}, warning: `The tags in the YAML block were not used: ${error.message}` };
  }
  const named = Object.entries(metadata).map(([key, one]) => [metadataPrefix + key, [one]] as const);
  return { tags: Object.fromEntries(named) };
}
