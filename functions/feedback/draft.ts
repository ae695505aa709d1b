import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { formatCount } from "../html/format.tsx";
import { cleanFieldText } from "../http/request.ts";
import type { Region } from "./feedback.ts";
import { feedbackText } from "./feedback-text.ts";

/** Field values of a feedback form. */
export interface Draft {
  /** Number of the thread to reply to. @default - a new thread */
  readonly thread: number | undefined;
  /** Path of the commented page in a folder. */
  readonly path: string;
  readonly quote: string;
  /** CSS selector of the marked element. Empty if nothing was marked. */
  readonly selector: string;
  /** Marked place as `x,y,width,height`, in fractions of the page. Empty if nothing was marked. */
  readonly region: string;
  readonly text: string;
  readonly name: string;
}

/** Form fields that hold the reader's input. */
export type FieldName = Exclude<keyof Draft, "thread">;

/** Reason why a form was refused, as shown to the sender. */
export interface Problem {
  readonly message: string;
  /** The invalid field. @default - the problem does not concern a single field */
  readonly field?: FieldName | undefined;
  /** True if another person may have filled in the form, because the browser's user has changed. @default false */
  readonly isStale?: boolean;
}

/** Maximum length of a field's text when a refused form is shown again, in UTF-16 code units. */
const keptCodeUnitsMax = 20_000;

const words = feedbackText.problems;

/** Reads and cleans the fields of a form. */
export function readDraft(fields: URLSearchParams): Draft {
  const read = (name: FieldName, lengthMax = keptCodeUnitsMax) =>
    cleanFieldText((fields.get(name) ?? "").slice(0, lengthMax));
  const thread = fields.get("thread") ?? "";
  return {
    thread: /^[1-9][0-9]{0,5}$/.test(thread) ? Number(thread) : undefined,
    path: read("path", limits.folderPathCharactersMax),
    quote: read("quote").trim(),
    selector: read("selector").trim(),
    region: read("region").trim(),
    text: read("text").trim(),
    name: read("name").replace(/\s+/g, " ").trim(),
  };
}

/** Empty draft for a new form. */
export const emptyDraft: Draft = readDraft(new URLSearchParams());

/** Validates a draft. @throws ApiError `invalid_arg` that names the field, with a message for people */
export function requireValidDraft(draft: Draft, needsName: boolean): void {
  const { quote, selector, text, name } = draft;
  if (text === "") throw wrong("text", words.textMissing);
  if (needsName && name === "") throw wrong("name", words.nameMissing);
  requireShort("text", text, limits.commentCodePointsMax, words.textTooLong);
  requireShort("quote", quote, limits.quoteCodePointsMax, words.quoteTooLong);
  requireShort("selector", selector, limits.markSelectorCharactersMax, words.selectorTooLong);
  if (draft.region !== "" && parseRegion(draft.region) === undefined)
    throw wrong("region", words.regionInvalid);
  if (needsName) requireShort("name", name, limits.commenterNameCodePointsMax, words.nameTooLong);
}

/** Parses `x,y,width,height`. Returns undefined unless the text consists of four fractions from 0 to 1. */
export function parseRegion(text: string): Region | undefined {
  const [x, y, width, height, ...rest] = text
    .split(",")
    .map((part) => (/^\d?\.?\d{1,20}$/.test(part) ? Number(part) : -1));
  const isFraction = (value: number | undefined): value is number =>
    value !== undefined && value >= 0 && value <= 1;
  if (!isFraction(x) || !isFraction(y) || !isFraction(width) || !isFraction(height) || rest.length > 0)
    return undefined;
  return { x, y, width, height };
}

function requireShort(
  field: FieldName,
  value: string,
  most: number,
  say: (characters: string, most: string) => string,
): void {
  const characters = [...value].length;
  if (characters <= most) return;
  throw wrong(field, say(formatCount(characters), formatCount(most)), { characters, characters_max: most });
}

function wrong(field: FieldName, message: string, details: Readonly<Record<string, unknown>> = {}): ApiError {
  return new ApiError("invalid_arg", { message, details: { field, ...details } });
}
