import { type $ZodIssue, type $ZodType, type output, safeParse } from "zod/v4/core";
import {
  ApiError,
  type ErrorCode,
  errorCatalog,
  inBothWords,
  joinMessages,
  type Message,
  wordsFor,
} from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { parseSlug } from "./drop-address.ts";
import { visibility } from "./intents.ts";
import type { HttpRequest } from "./request.ts";
import type { Route } from "./route.ts";
import { describe, isObject, mustBe, type ProblemParams, patterns, quote } from "./schemas.ts";
import type { Site } from "./site.ts";

/** Error codes for the fields that have their own code for a missing value; see section "Errors" of the specification. */
const requiredCodes: Readonly<Record<string, ErrorCode>> = {
  html: "html_required",
  title: "title_required",
  passcode: "passcode_required",
};

const problemsMax = 5;
const issuesMax = 50;

/**
 * Parses a value with its schema.
 *
 * @throws ApiError for the first invalid field, with its value and the allowed values. The message also describes the errors in other
 * fields, so that the caller can correct all of them
 */
export function validate<Schema extends $ZodType>(
  schema: Schema,
  value: unknown,
  kind: "field" | "parameter" = "field",
): output<Schema> {
  const result = safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, issuesMax).map((issue) => toApiError(issue, kind));
  const names = errors.map(({ details }) => details.field ?? details.parameter);
  const problems = errors.filter((_, index) => names.indexOf(names[index]) === index).slice(0, problemsMax);
  const [first = new ApiError("invalid_arg"), ...others] = problems;
  const missing = names.filter(
    (name): name is string => typeof name === "string" && Object(value)[name] === undefined,
  );
  const refusal = first.withFurther(others.map(({ both }) => both));
  throw refusal.saying(refusal.both, {}, missing);
}

/** Runs a check. Returns an ApiError instead of throwing it, so that errors of several checks can be collected. */
export function attempt<Result>(
  check: () => Result,
):
  | { readonly result: Result; readonly fault?: never }
  | { readonly result?: never; readonly fault: ApiError } {
  try {
    return { result: check() };
  } catch (error) {
    if (error instanceof ApiError) return { fault: error };
    throw error;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a request body as JSON. Returns undefined for an empty body. `explain` turns the parser's message into the error message.
 *
 * @throws ApiError `invalid_json` if the body is not JSON in UTF-8.
 */
export function parseJson(body: Uint8Array, explain = sayNoJson): unknown {
  if (body.byteLength === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : "it is not valid UTF-8";
    throw new ApiError("invalid_json", { message: explain(reason), cause });
  }
}

function sayNoJson(reason: string): string {
  return `The request body must be JSON in UTF-8: ${reason}.`;
}

/** Returns advice for a body that is a string or an array instead of an object. */
function adviceOnBody(body: unknown): string {
  if (typeof body === "string") return " The object was encoded as JSON twice: send the object itself.";
  if (!Array.isArray(body)) return "";
  return isObject(body[0]) && "op" in body[0]
    ? ' JSON Patch is not supported: send the new values, such as {"title": "…"}.'
    : " Send each object in a separate call.";
}

function toApiError(issue: $ZodIssue, kind: "field" | "parameter"): ApiError {
  const [field] = issue.path;
  if (issue.code === "custom" && issue.params) {
    const { apiCode, details } = issue.params as unknown as ProblemParams;
    const ofCode = errorCatalog[apiCode].message;
    const message = issue.message === wordsFor("http", ofCode) ? ofCode : issue.message;
    if (details !== undefined) return new ApiError(apiCode, { message, details });
    return new ApiError(apiCode, {
      message: `${String(field)} ${issue.message}`,
      details: { [kind]: String(field) },
    });
  }
  if (field === undefined) {
    const message = `The request body ${mustBe("a JSON object", describe(issue.input))}${adviceOnBody(issue.input)}`;
    return new ApiError("invalid_arg", { message });
  }
  const name = String(field);
  const required = requiredCodes[name];
  const isNull = issue.input === null;
  const leaveOut = isNull ? " Leave out optional fields without a value." : "";
  if (required && (issue.input === undefined || isNull)) {
    const message = wordsFor("http", errorCatalog[required].message);
    const ofNull = `${name} ${mustBe("a string", "null")}${name === "html" ? "" : leaveOut} ${message}`;
    return new ApiError(required, { ...(isNull ? { message: ofNull } : {}), details: { field: name } });
  }
  const shown = issue.path
    .map((part, at) =>
      at === 0 ? String(part) : typeof part === "number" ? `[${part}]` : `[${quote(String(part))}]`,
    )
    .join("");
  const [expected, actual = describe(issue.input)] = expectationOf(issue);
  const fault = issue.input === undefined ? `is missing: send ${expected}.` : mustBe(expected, actual);
  const meaning = name === "visibility" ? ` ${visibility}` : "";
  return new ApiError("invalid_arg", {
    message: `${shown} ${fault}${meaning}${leaveOut}`,
    details: issue.code === "invalid_value" ? { [kind]: name, allowed: issue.values } : { field: name },
  });
}

/** Describes the expected value of a field. Also returns the actual value if the message should quote it. */
function expectationOf(issue: $ZodIssue): readonly [expected: string, actual?: string] {
  const { input } = issue;
  const quoted: string | undefined = typeof input === "string" ? quote(input) : undefined;
  switch (issue.code) {
    case "invalid_value":
      return [`one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}`, quoted];
    case "too_small":
      return [`at least ${issue.minimum}`, typeof input === "number" ? String(input) : undefined];
    case "too_big":
      return [`at most ${issue.maximum}`, typeof input === "number" ? String(input) : undefined];
    case "invalid_format":
      return [issue.pattern === undefined ? issue.format : `a text that matches ${issue.pattern}`, quoted];
    default: {
      const type = issue.code === "invalid_type" ? issue.expected : "valid value";
      const expected = type === "record" ? "object" : type;
      return [`${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`];
    }
  }
}

/** Validated path parameters. */
export interface PathParameters {
  readonly slug: string;
  readonly id: string;
  /** Namespace of the file's owner, or of a team. */
  readonly namespace: string;
  /** Key of a file in a restricted page. */
  readonly key: string;
  /** Version number, from the path parameter `{n}`. */
  readonly version: number;
  /** Version in the drop's URL that was sent instead of the slug. @default - none */
  readonly pinned: string | undefined;
  /** A member of a team, in the format of `presentReader`. */
  readonly reader: string;
  /** Number of a feedback thread. */
  readonly thread: number;
  /** Number of an answer to a form. */
  readonly number: number;
  /** Id of a folder's publication. */
  readonly publication: string;
}

/** Path parameters that are numbers, each with the call that returns valid numbers. */
const numbersInPath: Readonly<Record<string, { readonly name: string; readonly where: Message }>> = {
  n: {
    name: "Version",
    where: inBothWords(
      (call) => `${call("GET /api/drops/{slug}", "get_drop")} returns the newest as latest_version.`,
    ),
  },
  thread: {
    name: "Thread",
    where: inBothWords(
      (call) => `${call("GET /api/feedback", "list_feedback")} returns the thread of each comment.`,
    ),
  },
  number: { name: "Answer", where: "" },
};

/**
 * Reads the parameters of a route's path. The path must have the canonical spelling.
 *
 * @throws ApiError `invalid_slug` or `invalid_id` for an invalid value in an API path; `not_found` for an invalid value in a page's path,
 * an invalid number, or a path that does not match
 */
export function parsePath(
  route: Route,
  { path, pathParameters }: Pick<HttpRequest, "path" | "pathParameters">,
  site: Site,
): PathParameters {
  const given = (name: string) => pathParameters[name] ?? "";
  const has = (name: string) => route.path.includes(`{${name}}`);
  const inApi = route.errorsAs === "json";
  const isAddress = route.path.startsWith("/api/") && has("slug") && !patterns.slug.test(given("slug"));
  const { slug, version: pinned } = isAddress
    ? parseSlug(given("slug"), site, "invalid_slug", route.method)
    : { slug: given("slug"), version: undefined };
  if (has("slug") && !patterns.slug.test(slug)) {
    const message = `The slug ${mustBe("7 letters or digits", quote(slug))}`;
    throw inApi ? new ApiError("invalid_slug", { message }) : new ApiError("not_found");
  }
  if (route.resource === "blobs" && has("id") && !patterns.blobId.test(given("id"))) {
    const where = route.path.startsWith("/api/blobs/uploads/")
      ? inBothWords(
          (call) => `${call("POST /api/blobs/uploads", "start_upload")} returns the id of an upload.`,
        )
      : inBothWords((call) => `${call("GET /api/blobs", "list_blobs")} lists your files with their ids.`);
    const message = joinMessages([`The id ${mustBe("7 letters or digits", quote(given("id")))}`, where]);
    throw inApi ? new ApiError("invalid_id", { message }) : new ApiError("not_found");
  }
  for (const [parameter, { name, where }] of Object.entries(numbersInPath)) {
    if (!has(parameter) || patterns.positiveInteger.test(given(parameter))) continue;
    const message = `${name} numbers start at 1; there is no ${name.toLowerCase()} ${quote(given(parameter))}.`;
    throw new ApiError("not_found", { message: joinMessages([message, where]) });
  }
  const spellings = [route.path, route.alsoAt?.path].map((one) => one && filled(one, pathParameters));
  const isBelow =
    route.hasPathsBelow &&
    spellings.some((one) => one && path.startsWith(`${one}/`) && pathBelow.test(path.slice(one.length)));
  // Decodes a path with a reader, who may be named by an e-mail address with an encoded at sign.
  const spelled = has("reader") ? decoded(path) : path;
  if (!isAddress && !spellings.includes(spelled) && !isBelow && !route.path.endsWith("+}")) {
    throw new ApiError("not_found");
  }
  return {
    slug,
    id: given("id"),
    namespace: given("namespace"),
    reader: given("reader"),
    key: given("key"),
    version: Number(given("n")),
    thread: Number(given("thread")),
    number: Number(given("number")),
    publication: given("publication"),
    pinned,
  };
}

/** Matches the part of a path below the operation's own path, as functions/edge/viewer-request.ts forwards it. */
const pathBelow = /^(?!.*(\/(\.|%2e){1,2}(\/|$)|\/\/|%2f|%5c|\\))\/[!-~]+$/i;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
}

const name = "idempotency-key";

/**
 * Reads the Idempotency-Key header, if there is one. The value may be a structured string in quotation marks (RFC 9651, section 3.3.3), as
 * in the draft, or lack the quotation marks, as most clients send it.
 *
 * Source: IETF draft "The Idempotency-Key HTTP Header Field", section 2.1.
 *
 * @throws ApiError `invalid_arg` for an invalid key
 */
export function readIdempotencyKey(request: HttpRequest): string | undefined {
  const values = request.headers[name];
  if (values === undefined || values.length === 0) return undefined;
  const [value = "", ...others] = values.map((sent) => sent.trim());
  if (others.length > 0) throw refusal(`${values.length} headers`);
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  const key = quoted?.replace(/\\(["\\])/g, "$1") ?? value;
  // Refuses a value with an opening but no closing quotation mark.
  if (quoted === undefined && value.startsWith('"'))
    throw refusal("a string without its closing quotation mark");
  if (key.length === 0 || key.length > limits.idempotencyKeyCharactersMax)
    throw refusal(`${key.length} characters`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw refusal("white space or characters outside ASCII");
  return key;
}

function refusal(sent: string): ApiError {
  const message = `Idempotency-Key must be one key of 1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters, such as a UUID, with or without quotation marks. You sent ${sent}.`;
  return new ApiError("invalid_arg", { message, details: { header: name } });
}
