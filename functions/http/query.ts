import * as z from "zod/mini";
import { type ReaderRule, readReaders } from "../identity/visibility.ts";
import type { ErrorCode } from "./errors.ts";
import { limits } from "./limits.ts";
import { lowerCaseHint, type Metadata } from "./metadata.ts";
import { accepts, countCodePoints, patterns, problem, schema } from "./schemas.ts";

/** A query string, decoded, with every value of a repeated name in the order that it came. */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

/** The filters of a list: pairs combine with AND; a repeated key keeps all its values. */
export type MetadataFilters = readonly (readonly [key: string, value: string])[];

/** The rules of a query's parameters, in the words of JSON Schema: the reader goes by them, and so does OpenAPI. */
type ParameterRules = Readonly<Record<string, ParameterRule>>;

type ParameterRule =
  | IntegerRule
  | TextParameterRule
  | ChoiceRule
  | ChoicesRule
  | FlagRule
  | typeof metadataFilterRule
  | typeof readersRule;

interface IntegerRule {
  readonly type: "integer";
  readonly minimum: 0 | 1;
  readonly maximum?: number;
  readonly default?: number;
}

interface TextParameterRule {
  readonly type: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

interface FlagRule {
  readonly type: "boolean";
}

/** One of the values; the first is the default. */
interface ChoiceRule {
  readonly type: "string";
  readonly enum: readonly [string, ...string[]];
}

/** Any of the values, a parameter for each. */
interface ChoicesRule {
  readonly type: "array";
  readonly choices: readonly string[];
}

const metadataPrefix = "metadata.";

/** Limit of characters that a message repeats of a refused value. */
const shownCharactersMax = 100;

/** `metadata.<key>=value`, any number of times: the properties of this object are the parameters. */
export const metadataFilterRule = /* @__PURE__ */ schema(
  () =>
    ({
      type: "object",
      propertyNames: { pattern: `^metadata\\.${patterns.metadataKey.source.slice(1)}` },
      additionalProperties: { type: "string" },
    }) as const,
);

/** `readers=<one>`, once for each of them. */
export const readersRule = /* @__PURE__ */ schema(
  () =>
    ({
      type: "array",
      minItems: 1,
      maxItems: limits.readersPerDropMax,
      items: { type: "string", maxLength: limits.readerBytesMax },
    }) as const,
);

/** `page=`: which page of a list, counted from 1. */
export const pageRule = { type: "integer", minimum: 1, default: 1 } as const;

/** `pageSize=`: how much is on one; section "Drops" of the specification. */
export const pageSizeRule = /* @__PURE__ */ schema(
  () =>
    ({
      type: "integer",
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: limits.pageSizeDefault,
    }) as const,
);

/** The schema of a query string: `read` takes from it what the rules name, and `required` names what must be there. */
export function query<const Rules extends ParameterRules, Output>(
  rules: Rules,
  read: (reader: QueryReader<Rules>, query: RawQuery) => Output,
  required: readonly (keyof Rules & string)[] = [],
) {
  return accepts(
    z.pipe(
      z.custom<RawQuery>(),
      z.transform((query, context) => read(new QueryReader(rules, query, context.issues), query)),
    ),
    { type: "object", properties: rules, required },
  );
}

type Issues = { push(issue: z.core.$ZodRawIssue): unknown };
type Names<Rules, Rule> = { [Name in keyof Rules]: Rules[Name] extends Rule ? Name : never }[keyof Rules] &
  string;

/** Reads the parameters of one query string by their rules, and tells `issues` of each breach. */
class QueryReader<Rules extends ParameterRules> {
  readonly #rules: Rules;
  readonly #query: RawQuery;
  readonly #issues: Issues;

  constructor(rules: Rules, query: RawQuery, issues: Issues) {
    this.#rules = rules;
    this.#query = query;
    this.#issues = issues;
  }

  /** The value of a parameter that may come once. */
  optional(name: keyof Rules & string): string | undefined {
    const values = this.#query[name];
    if (values === undefined) return undefined;
    if (values.length > 1)
      this.#refuse(name, "invalid_arg", `${name} is given ${values.length} times; once is allowed.`);
    return values[0];
  }

  required(name: keyof Rules & string, code: "token_required" | "invalid_arg"): string {
    const value = this.optional(name);
    if (value) return value;
    const what = code === "token_required" ? ": the poll_token of the sign-in" : "";
    this.#refuse(name, code, `The query parameter ${name} is required${what}.`);
    return "";
  }

  /** A text within the rule's length and pattern; an empty one, as forms send it, is none. */
  text(name: Names<Rules, TextParameterRule>, shape: string): string | undefined {
    const value = this.optional(name)?.trim();
    if (value === undefined || value === "") return undefined;
    const { maxLength = Number.MAX_SAFE_INTEGER, pattern = "" } = this.#rules[name] as TextParameterRule;
    const characters = countCodePoints(value);
    if (characters <= maxLength && value.isWellFormed() && new RegExp(pattern, "u").test(value)) return value;
    const shown = JSON.stringify([...value].slice(0, shownCharactersMax).join(""));
    const came = characters > maxLength ? `${characters} characters came` : `${shown} came`;
    this.#refuse(
      name,
      "invalid_arg",
      `${name} must be ${shape} of at most ${maxLength} characters, but ${came}.`,
    );
    return undefined;
  }

  /**
   * Refuses the parameters that the rules do not name: whoever sends one means something by it. `explain` says how it would be
   * right, and undefined of one that means nothing here.
   */
  refuseOthers(explain: (name: string, value: string) => string | undefined = () => ""): void {
    const known = Object.keys(this.#rules).map((name) =>
      name === "metadata" ? `${metadataPrefix}<key>` : name,
    );
    for (const [name, [value = ""]] of Object.entries(this.#query)) {
      if (name !== "metadata" && (Object.hasOwn(this.#rules, name) || name.startsWith(metadataPrefix)))
        continue;
      const way = explain(name, value);
      if (way === undefined) continue;
      const shown = name.slice(0, shownCharactersMax);
      const message = `${JSON.stringify(shown)} is no parameter here: this takes ${known.join(", ")}. ${way}`;
      this.#issues.push({
        code: "custom",
        input: name,
        ...problem("invalid_arg", message.trim(), { parameter: shown, allowed: known }),
      });
    }
  }

  /** An integer from 1 to the rule's maximum, or its default. */
  integer(name: Names<Rules, IntegerRule>): number {
    const {
      minimum,
      maximum = Number.MAX_SAFE_INTEGER,
      default: ifAbsent = 1,
    } = this.#rules[name] as IntegerRule;
    const value = this.optional(name);
    if (value === undefined) return ifAbsent;
    const isAllowed = patterns.positiveInteger.test(value) || (value === "0" && minimum === 0);
    const number = isAllowed ? Number(value) : Number.NaN;
    if (number <= maximum) return number;
    const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
    this.#refuse(
      name,
      "invalid_arg",
      `${name} must be an integer ${range}, but ${JSON.stringify(value)} came.`,
    );
    return ifAbsent;
  }

  /** One of the rule's values; the first is the default. */
  oneOf<Name extends Names<Rules, ChoiceRule>>(name: Name): Choice<Rules[Name]> {
    const { enum: allowed } = this.#rules[name] as ChoiceRule;
    const value = this.optional(name) ?? allowed[0];
    const match = allowed.find((candidate) => candidate === value) as Choice<Rules[Name]> | undefined;
    if (match !== undefined) return match;
    this.#refuse(
      name,
      "invalid_arg",
      `${name} must be ${allowed.join(" or ")}, but ${JSON.stringify(value)} came.`,
    );
    return allowed[0] as Choice<Rules[Name]>;
  }

  /** Those of the rule's choices that are named, each once; undefined where none is. */
  several<Name extends Names<Rules, ChoicesRule>>(name: Name): readonly Choice<Rules[Name]>[] | undefined {
    const { choices } = this.#rules[name] as ChoicesRule;
    const values = this.#query[name];
    const wrong = values?.find((value) => !choices.includes(value))?.slice(0, shownCharactersMax);
    const message = `${name} must be of ${choices.join(", ")}, but ${JSON.stringify(wrong)} came.`;
    if (wrong !== undefined) this.#refuse(name, "invalid_arg", message);
    return values && ([...new Set(values)] as unknown as readonly Choice<Rules[Name]>[]);
  }

  /** Yes or no, in the words of JSON; undefined where it does not come. */
  flag(name: Names<Rules, FlagRule>): boolean | undefined {
    const value = this.optional(name);
    if (value === undefined || value === "true" || value === "false")
      return value === undefined ? undefined : value === "true";
    const shown = JSON.stringify(value.slice(0, shownCharactersMax));
    this.#refuse(name, "invalid_arg", `${name} must be true or false, but ${shown} came.`);
    return undefined;
  }

  /** Every `metadata.<key>`, in the order that they came. */
  filters(): MetadataFilters {
    const names = Object.keys(this.#query).filter((name) => name.startsWith(metadataPrefix));
    return names.flatMap((name) => {
      const key = name.slice(metadataPrefix.length);
      if (!patterns.metadataKey.test(key)) {
        const shown = key.slice(0, shownCharactersMax);
        const message = `${JSON.stringify(shown)} is no metadata key: it does not match ${patterns.metadataKey.source}.`;
        this.#refuse(name, "invalid_arg", message + lowerCaseHint(key, metadataPrefix));
      }
      return (this.#query[name] ?? []).map((value) => [key, value] as const);
    });
  }

  /** The same as the metadata of one drop: at least one pair, and a key once. */
  tags(): Metadata {
    const filters = this.filters();
    const tags = new Map(filters);
    const twice = filters.find(([key, value]) => tags.get(key) !== value);
    if (twice) {
      const name = metadataPrefix + twice[0];
      this.#refuse(name, "invalid_arg", `${name} is given with several values: a drop has one.`);
    }
    if (tags.size === 0) {
      const message = "The query must say which drop is meant: at least one metadata.<key>=<value>.";
      this.#refuse("metadata", "invalid_arg", message);
    }
    return tags;
  }

  /** Everybody whom a repeated parameter names; undefined where it does not come. */
  readers(name: Names<Rules, typeof readersRule>): readonly ReaderRule[] | undefined {
    const values = this.#query[name];
    const read = values && readReaders(values);
    if (read === undefined || !("message" in read)) return read;
    this.#issues.push({ code: "custom", input: values, ...read });
    return undefined;
  }

  filename(name: keyof Rules & string): string {
    const value = this.optional(name) ?? "";
    const max = limits.blobFilenameCharactersMax;
    if (value.length <= max && patterns.filename.test(value)) return value;
    const came = value === "" ? "nothing" : JSON.stringify(value.slice(0, max));
    const [wrong] = [...value].filter((character) => !patterns.filename.test(character));
    const where = wrong === undefined ? "" : `, with ${JSON.stringify(wrong)} in it`;
    const way = value === "" ? `, such as ?${name}=report.csv` : "";
    const message = `${name} must be 1 to ${max} letters, digits, dashes, dots and spaces, but ${came} came${where}${way}.`;
    this.#refuse(name, "invalid_filename", message);
    return "";
  }

  #refuse(name: string, code: ErrorCode, message: string): void {
    this.#issues.push({
      code: "custom",
      input: this.#query[name],
      ...problem(code, message, { parameter: name }),
    });
  }
}

type Choice<Rule> = Rule extends { readonly [Key in "enum" | "choices"]?: readonly (infer Value)[] }
  ? Value
  : never;
