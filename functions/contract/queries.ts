import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { patterns } from "./patterns.ts";
import { schema } from "./schema.ts";
import { problem } from "./text.ts";

/** A query string, decoded, with every value of a repeated name in the order that it came. */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

/** The filters of a list: pairs combine with AND; a repeated key keeps all its values. */
export type MetadataFilters = readonly (readonly [key: string, value: string])[];

const metadataPrefix = "metadata.";

/** `GET /api/drops`; section "Drops" of the specification. */
export const listDropsQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query, context) => {
      const read = reader(query, context.issues);
      return {
        page: read.integer("page", Number.MAX_SAFE_INTEGER, 1),
        pageSize: read.integer("pageSize", limits.pageSizeMax, limits.pageSizeDefault),
        sortBy: read.oneOf("sortBy", ["created_at", "updated_at", "view_count"] as const),
        sortOrder: read.oneOf("sortOrder", ["desc", "asc"] as const),
        filters: read.filters(),
      };
    }),
  ),
);

/**
 * `?v=N` on the serving URLs: undefined for the latest version. What is no version number becomes 0, which no
 * drop has, so that people see the 404 page and not an API error.
 */
export const pinnedVersionQuery = /* @__PURE__ */ schema(() =>
  z.pipe(z.custom<RawQuery>(), z.transform(readPinnedVersion)),
);

function readPinnedVersion(query: RawQuery): { readonly version: number | undefined } {
  const [first, ...others] = query.v ?? [];
  if (first === undefined) return { version: undefined };
  return { version: others.length === 0 && patterns.positiveInteger.test(first) ? Number(first) : 0 };
}

/** `?v=N&from=` of the gate's form: the version, and which of the drop's addresses to go back to. */
export const unlockQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query) => {
      const from = gateOrigins.find((origin) => origin === query.from?.[0]) ?? "p";
      return { ...readPinnedVersion(query), from };
    }),
  ),
);

/** The addresses that show a gate: `/p/<slug>`, `/d/<slug>` and `/p/<slug>/raw`. */
const gateOrigins = ["p", "d", "raw"] as const;

/** `GET /api/auth/poll?token=`: the poll_token. */
export const pollSignInQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query, context) => {
      const read = reader(query, context.issues);
      return { pollToken: read.required("token", "token_required") };
    }),
  ),
);

/** `GET /verify?code=` and the way from there to the identity provider. */
export const deviceCodeQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query, context) => {
      const read = reader(query, context.issues);
      return { code: read.required("code", "invalid_arg").trim().toUpperCase() };
    }),
  ),
);

/** `GET /api/auth/idp/callback`: RFC 6749, section 4.1.2; an error answer has `error` in place of `code`. */
export const callbackQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query, context) => {
      const read = reader(query, context.issues);
      const refused = read.optional("error");
      return {
        state: read.required("state", "invalid_arg"),
        code: refused === undefined ? read.required("code", "invalid_arg") : undefined,
        refused,
      };
    }),
  ),
);

/** `?page=N` of an owner's page: 0 for what is no page number, so that people see the 404 page. */
export const ownerPageQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query) => {
      const value = query.page?.[0] ?? "1";
      return { page: patterns.positiveInteger.test(value) ? Number(value) : 0 };
    }),
  ),
);

/** `POST /api/blobs?filename=`. */
export const uploadBlobQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.custom<RawQuery>(),
    z.transform((query, context) => {
      const read = reader(query, context.issues);
      return { filename: read.filename() };
    }),
  ),
);

type Issues = { push(issue: z.core.$ZodRawIssue): unknown };

function reader(query: RawQuery, issues: Issues) {
  const refuse = (name: string, code: Parameters<typeof problem>[0], message: string) => {
    issues.push({ code: "custom", input: query[name], ...problem(code, message, { parameter: name }) });
  };
  const optional = (name: string): string | undefined => {
    const values = query[name];
    if (values === undefined) return undefined;
    if (values.length > 1)
      refuse(name, "invalid_arg", `${name} is given ${values.length} times; once is allowed.`);
    return values[0];
  };
  return {
    optional,
    required(name: string, code: "token_required" | "invalid_arg"): string {
      const value = optional(name);
      if (value) return value;
      refuse(name, code, `The query parameter ${name} is required.`);
      return "";
    },
    integer(name: string, max: number, ifAbsent: number): number {
      const value = optional(name);
      if (value === undefined) return ifAbsent;
      const number = patterns.positiveInteger.test(value) ? Number(value) : Number.NaN;
      if (number <= max) return number;
      const range = max === Number.MAX_SAFE_INTEGER ? "from 1" : `from 1 to ${max}`;
      refuse(name, "invalid_arg", `${name} must be an integer ${range}, but ${JSON.stringify(value)} came.`);
      return ifAbsent;
    },
    /** One of the values; the first is the default. */
    oneOf<Value extends string>(name: string, allowed: readonly [Value, ...Value[]]): Value {
      const value = optional(name);
      if (value === undefined) return allowed[0];
      const match = allowed.find((candidate) => candidate === value);
      if (match !== undefined) return match;
      refuse(
        name,
        "invalid_arg",
        `${name} must be ${allowed.join(" or ")}, but ${JSON.stringify(value)} came.`,
      );
      return allowed[0];
    },
    filters(): MetadataFilters {
      const names = Object.keys(query).filter((name) => name.startsWith(metadataPrefix));
      return names.flatMap((name) => {
        const key = name.slice(metadataPrefix.length);
        if (!patterns.metadataKey.test(key)) {
          refuse(
            name,
            "invalid_arg",
            `${JSON.stringify(key)} is no metadata key: it does not match ${patterns.metadataKey.source}.`,
          );
        }
        return (query[name] ?? []).map((value) => [key, value] as const);
      });
    },
    filename(): string {
      const value = optional("filename") ?? "";
      const max = limits.blobFilenameCharactersMax;
      if (value.length <= max && patterns.filename.test(value)) return value;
      const came = value === "" ? "nothing" : JSON.stringify(value.slice(0, max));
      const message = `filename must be 1 to ${max} letters, digits, dashes, dots and spaces, but ${came} came.`;
      refuse("filename", "invalid_filename", message);
      return "";
    },
  };
}
