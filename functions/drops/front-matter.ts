import { type ParsedNode, parseDocument } from "yaml";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { metadataSchema } from "../http/metadata.ts";
import { metadataPrefix, type RawQuery } from "../http/query.ts";
import { validate } from "../http/validation.ts";

/** A YAML block at the start of Markdown. */
export interface FrontMatter {
  /** The Markdown after it; all of it where the block cannot be read. */
  readonly body: string;
  /** Title and description, as parameters of a query. */
  readonly texts: RawQuery;
  /** Its tags, as parameters of a query. */
  readonly tags: RawQuery;
  readonly warnings: readonly string[];
}

/** Characters in which the block ends. It is metadata, and a longer one takes a parser seconds. */
const blockCharactersMax = 16_384;

const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Reads the YAML block of Markdown; undefined for Markdown that begins with a line, and no block of fields. */
export function readFrontMatter(markdown: string): FrontMatter | undefined {
  const found = block.exec(markdown.slice(0, blockCharactersMax));
  if (found === null || found.index !== 0) return undefined;
  const [whole, yaml = ""] = found;
  let fields: unknown;
  try {
    fields = parse(yaml);
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n");
    const warning = `The YAML block at the start cannot be read, and is shown as text: ${reason.slice(0, 200)}`;
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
            `description of the YAML block was not used: it has more than ${limits.descriptionCodePointsMax} characters.`,
          ]
        : []),
      ...(warning === undefined ? [] : [warning]),
    ],
  };
}

/**
 * Parses YAML whose values are all strings, as they are written.
 *
 * @throws Error for what is not YAML, and for aliases that would make it large
 */
function parse(yaml: string): unknown {
  const document = parseDocument<ParsedNode>(yaml, { schema: "failsafe", prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ mapAsMap: true, maxAliasCount: 10 });
}

/** A text on one line; undefined for what YAML writes for nothing, and for lists. */
function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replace(/\s+/g, " ").trim();
  return /^(?:|~|null)$/i.test(text) ? undefined : text;
}

/** Tags as metadata: pairs as they are, and words together under the key `tags`. */
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
    return { tags: {}, warning: `tags of the YAML block were not used: ${error.message}` };
  }
  const named = Object.entries(metadata).map(([key, one]) => [metadataPrefix + key, [one]] as const);
  return { tags: Object.fromEntries(named) };
}
