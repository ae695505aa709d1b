import type { $ZodType } from "zod/v4/core";
import { ApiError, type ErrorCode, type Message } from "../core/errors.ts";
import type { TeamRole } from "../policies/access.ts";
import type { Grants, TableGrant } from "../table/grants.ts";
import type { TokenScope } from "../table/identifiers.ts";
import type { RawQuery } from "./query.ts";

/** Grants of every operation that requires a token: reading the current rights of the token's person in a team. */
export const actingGrants: Grants = {
  table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "SCIM", "USER"] },
  settings: ["members"],
};

/** Host on which a path exists: the service's own host, owners' hosts, or both. */
export type HostKind = "base" | "owner" | "any";

/** Section of the specification, also used as the OpenAPI tag. */
export type ResourceName =
  | "auth"
  | "account"
  | "account-pages"
  | "administration"
  | "tokens"
  | "teams"
  | "blobs"
  | "drops"
  | "versions"
  | "feedback"
  | "answers"
  | "access-requests"
  | "library"
  | "pages"
  | "feedback-pages"
  | "discovery"
  | "renders"
  | "mcp"
  | "oauth"
  | "scim"
  | "slack";

/**
 * Rule for a successful response: its status, and a JSON schema or a kind of content. `alsoAs` is a second kind, which Accept can select.
 */
export type ResponseRule =
  | {
      readonly status: 200 | 201;
      /** Another success status with the same body, such as 202 with Retry-After. @default - none */
      readonly alsoStatus?: 201 | 202;
      readonly json: $ZodType;
      /** Further fields of the response that are not in the specification. @default - none */
      readonly additions?: $ZodType;
      readonly alsoAs?: ContentKind;
    }
  | {
      readonly status: 200;
      readonly content: ContentKind;
      readonly alsoAs?: ContentKind;
      /** Another possible status: a redirect, or 202 with Retry-After while the response is being prepared. @default - none */
      readonly alsoStatus?: 202 | 302 | 303;
      /** Schema of the JSON body of a 202 response. @default - the body is an HTML page */
      readonly pendingJson?: $ZodType;
    }
  | { readonly status: 204 | 302 | 303 };

/** Rule for a JSON body. Without `page`, the body is parsed as JSON, regardless of Content-Type. */
export interface JsonBody {
  readonly json: $ZodType;
  readonly required: boolean;
  /** Advice in the error for a missing body. @default - none */
  readonly ifEmpty?: Message;
  readonly page?: PageBody;
}

/** Rule for a page in the body, as `text/html`, `text/markdown` or `application/zip`. The other fields are then query parameters. */
export interface PageBody {
  /** The query parameters that describe the page. */
  readonly query: $ZodType;
  /** Converts a page and its query to the fields of the JSON body. */
  readonly toFields: (page: SentPage) => object;
  readonly renderMarkdown: (markdown: string, query: RawQuery) => Promise<SentPage>;
  /** Reads a folder from a zip archive. */
  readonly readFolder: (archive: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Creates a folder from an object of texts by path, which tools send instead of `html`. */
  readonly readTexts: (files: unknown) => Promise<SentPage>;
  /** Creates a folder with one page from a page that is not in UTF-8. The page's bytes stay unchanged. */
  readonly readForeignPage: (page: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Finds the title in the page, for a JSON body that lacks the required title. @default - a title is optional */
  readonly findTitle?: (html: string) => string | undefined;
}

/** A page from the body, with the query of its request. */
export interface SentPage {
  readonly html: string;
  readonly query: RawQuery;
  /** The Markdown source of the page. @default - the page was sent as HTML */
  readonly source?: string;
  /** The folder whose entry page is this page. @default - the page has no folder */
  readonly folder?: object;
  /** Warnings for the response. @default - none */
  readonly warnings?: readonly string[];
}

/** One operation of the service. */
export interface Route {
  /** The operation's id, a verb and a noun, which is also the file name of its handler. */
  readonly id: string;
  readonly resource: ResourceName;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Other methods that the same function handles at this path, or refuses with 405. @default - other methods get 404 */
  readonly otherMethods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
  readonly path: string;
  readonly host: HostKind;
  /** A second path of the operation. @default - none */
  readonly alsoAt?: { readonly path: string; readonly host: HostKind };
  /** The operation also handles every path below its own, except the paths of other operations. @default false */
  readonly hasPathsBelow?: true;
  /**
   * Reason for an operation that the specification does not list: a quotation from the specification, an ADR or a sentence.
   *
   * @default - the specification lists the operation
   */
  readonly addition?: string;
  /** Setting without which a stack does not have this operation. @default - every stack has the operation */
  readonly onlyWith?: "administrators" | "slack";
  /** Description in one line, also used as OpenAPI's summary. */
  readonly summary: string;
  /** Kind of caller. `session` is a person who is signed in with a browser, whose rights the operation itself checks. */
  readonly caller: "anyone" | "token" | "session";
  /** Role that a person needs to call the operation for a team. @default - `owner` for DELETE, `editor` for other methods */
  readonly teamRole?: TeamRole;
  /** The scope that a token needs to call the operation. @default - `read` for GET, `all` for other methods */
  readonly scope?: TokenScope;
  /**
   * Tokens of GitHub workflows may call the operation, because it affects only the caller's own pages; see docs/adr/0095-github-actions.md.
   *
   * @default false
   */
  readonly isForWorkflows?: true;
  /**
   * A call counts against the write limits of the token, or of the account for calls from a browser; see section "Limits" of the
   * specification.
   */
  readonly countsAsWrite: boolean;
  readonly query?: $ZodType;
  /**
   * Unknown query parameters are refused, because an ignored parameter could change the result's meaning.
   *
   * @default - most unknown parameters are ignored with a warning
   */
  readonly refusesUnknownParameters?: true;
  /** Returns warnings about likely mistakes in a valid query and body. @default - none */
  readonly review?: (read: { readonly query: unknown; readonly body: unknown }) => readonly string[];
  /** Additional request headers that the operation accepts. @default - none */
  readonly headers?: readonly RequestHeader[];
  /**
   * The accepted body: JSON with a schema, bytes, a URL-encoded form, or a page that this operation passes to another operation.
   *
   * @default - the body is ignored
   */
  readonly body?: JsonBody | "bytes" | "form" | "page";
  readonly response: ResponseRule;
  /** Error codes of the operation, except those with status 5xx, which every operation can return. */
  readonly errors: readonly ErrorCode[];
  /** Format of errors. `negotiated` means a page if the request prefers text/html, and otherwise JSON. */
  readonly errorsAs: "json" | "page" | "negotiated";
  readonly grants: Grants;
  /** Ids of other operations that this operation carries out itself, and whose permissions its function therefore has. @default - none */
  readonly performs?: readonly string[];
  /**
   * Memory of the operation's function in MB, which also determines its share of a processor; see "The memory of each function",
   * docs/cost.md.
   *
   * @default - `memoryMegabytesDefault`
   */
  readonly memoryMegabytes?: number;
  /**
   * Source of the responses: the operation's own function, the common function for documents, S3 through the edge, or the 404 page.
   *
   * @default "function"
   */
  readonly servedBy?: "function" | "documents" | "bucket" | "not-found";
}

/** Method and path of an operation, such as `GET /api/drops/{slug}`. */
type Address = `${Route["method"]} /${string}`;

/** Properties of an operation that have a default or are derived from other properties. */
type CompletedColumn = "host" | "caller" | "countsAsWrite" | "errorsAs" | "errors" | "grants";

/** The part of an operation's definition (`row`) that a feature specifies. */
export interface WrittenRow
  extends Omit<Route, CompletedColumn | "method" | "path">,
    Partial<Pick<Route, Exclude<CompletedColumn, "errors" | "grants">>> {
  /**
   * Error codes and lists of error codes, in addition to the codes that are derived from the operation's other properties.
   *
   * @default - none
   */
  readonly errors?: readonly (ErrorCode | readonly ErrorCode[])[];
  /** Additional grants. The grants for identifying the caller are always included. @default - none */
  readonly grants?: WrittenGrants;
}

type WrittenGrants = Omit<Grants, "table"> & { readonly table?: Partial<TableGrant> };

/** A complete definition of an operation, with the types of its own query, body and response. */
type CompletedRow<Columns> = Route & Pick<Columns, Extract<keyof Columns, "query" | "body" | "response">>;

/**
 * Returns a function that defines operations of the JSON API, which are on the service's own host and require a token. An operation's own
 * errors and grants are added to the common ones. Mark calls of `apiRows` and of the returned function as pure, so that the bundler can
 * drop unused definitions.
 *
 * @example
 * const apiRow = apiRows({ resource: "drops" });
 * const getDropRoute = apiRow("GET /api/drops/{slug}", { id: "get-drop", … });
 */
export function apiRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "token", errorsAs: "json" }, common);
}

/** Returns a function that defines pages on the service's own host that anyone may open; see `apiRows`. */
export function pageRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "anyone", countsAsWrite: false, errorsAs: "page" }, common);
}

/** Defines an operation of the JSON API. Properties that most operations share have defaults. */
export const apiRow = /* @__PURE__ */ apiRows({});

/** Defines a page. Properties that most pages share have defaults. */
export const pageRow = /* @__PURE__ */ pageRows({});

function rowsWith<const Common extends Partial<WrittenRow>>(
  defaults: Pick<Route, "host" | "caller" | "errorsAs"> & Partial<Pick<Route, "countsAsWrite">>,
  common: Common,
) {
  return <const Row extends Omit<WrittenRow, keyof Common> & Partial<WrittenRow>>(
    address: Address,
    row: Row,
  ): CompletedRow<Omit<Common, keyof Row> & Row> => {
    const [method, path] = address.split(" ") as [Route["method"], string];
    const columns = { ...defaults, ...common, ...row, method, path } as unknown as Route;
    // By default, calls with a token count as writes, except GET.
    const { caller, countsAsWrite = caller === "token" && method !== "GET" } = columns;
    const completed = { ...columns, countsAsWrite };
    return {
      ...completed,
      errors: [...followingErrors(completed), ...[common.errors ?? [], row.errors ?? []].flat(2)],
      grants: [callerGrants[caller], common.grants ?? {}, row.grants ?? {}].reduce(unite),
    } as unknown as CompletedRow<Omit<Common, keyof Row> & Row>;
  };
}

/** Derives an operation's error codes from its other properties. */
function followingErrors({
  caller,
  path,
  body,
  query,
  headers,
  countsAsWrite,
  errorsAs,
}: Route): ErrorCode[] {
  const isApi = errorsAs === "json";
  const isParsed =
    query !== undefined || headers !== undefined || body === "form" || typeof body === "object";
  const codes: readonly (ErrorCode | false)[] = [
    caller === "token" && "unauthorized",
    caller === "session" && "forbidden",
    isApi && path.includes("{slug}") && "invalid_slug",
    isApi && typeof body === "object" && "invalid_json",
    isApi && isParsed && "invalid_arg",
    path.includes("{") && "not_found",
    countsAsWrite && "rate_limited",
    countsAsWrite && "daily_quota_exceeded",
  ];
  return codes.filter((code) => code !== false);
}

/** Grants for reading the browser's session, and the signed-in person's identity and current rights. */
const sessionGrants = {
  table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SCIM", "USER"] },
  secrets: ["cookieKey"],
  settings: ["members"],
} as const satisfies Grants;

/** Grants of every page that a drop's readers may open, with or without a session. */
export const readerGrants = {
  ...sessionGrants,
  table: { ...sessionGrants.table, items: [...sessionGrants.table.items, "SLUG"] },
} as const satisfies Grants;

/** Grants for identifying the caller, by kind of caller. A token is updated with each use. */
const callerGrants: Readonly<Record<Route["caller"], WrittenGrants>> = {
  anyone: {},
  token: { table: { actions: ["UpdateItem"], items: ["TOKEN"] } },
  session: sessionGrants,
};

/** Merges two objects deeply. Unites lists with the same key. For other values, the second object's value wins. */
function unite(one: object, other: object): object {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  const before: Readonly<Record<string, unknown>> = { ...one };
  const united = Object.entries(other).map(([name, value]) => {
    const known = before[name];
    return [name, typeof known === "object" && known !== null ? unite(known, value) : value];
  });
  return { ...before, ...Object.fromEntries(united) };
}

/** Returns the scope that a token needs to call an operation. */
export function neededScope({ scope, method }: Pick<Route, "scope" | "method">): TokenScope {
  return scope ?? (method === "GET" ? "read" : "all");
}

/** Returns the role that a person needs to call an operation for a team. */
export function neededTeamRole({ method, teamRole }: Pick<Route, "method" | "teamRole">): TeamRole {
  return teamRole ?? (method === "DELETE" ? "owner" : "editor");
}

/** Refuses a team editor's call of an operation that only the team's owners may call. @throws ApiError `forbidden` */
export function requireTeamRole(role: TeamRole, route: Pick<Route, "method" | "teamRole">): void {
  if (role !== "editor" || neededTeamRole(route) === "editor") return;
  throw new ApiError("forbidden", {
    message:
      "Only an owner of this team may do this. Editors can publish and edit. Owners can also delete, and manage people and tokens.",
    details: { reason: "not_team_owner" },
  });
}

/** Table actions that are needed to sign in a person and to create the person's account. */
export const accountActions = [
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "UpdateItem",
] as const;

/** Media types of responses without a JSON schema, by content kind. */
export const mediaTypes = {
  /** A file, sent with its own media type. */
  bytes: "*/*",
  html: "text/html; charset=utf-8",
  /** JSON in a format that another standard defines. */
  json: "application/json; charset=utf-8",
  /** A set of links, with the profile that makes it a catalog of APIs (RFC 9727, section 4.1). */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  markdown: "text/markdown; charset=utf-8",
  pdf: "application/pdf",
  atom: "application/atom+xml; charset=utf-8",
  /** CSV whose first line has the column names (RFC 4180). */
  csv: "text/csv; charset=utf-8; header=present",
  text: "text/plain; charset=utf-8",
  xml: "text/xml; charset=utf-8",
  /** A preview image, sent with its own media type. */
  picture: "image/*",
} as const;

/** Kind of a response without a JSON schema. */
export type ContentKind = keyof typeof mediaTypes;

/**
 * Request headers that an operation may accept, although the specification does not list them; see
 * docs/adr/0013-idempotency-and-upserts.md.
 */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** Errors that an operation can return if it accepts a request header, by header. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** Header that marks a response as the stored response to an earlier, identical request. */
export const replayedHeader = "idempotency-replayed";

/** Default memory of a function, in MB. */
export const memoryMegabytesDefault = 512;

/** Returns the memory of an operation's function, in MB. */
export function memoryMegabytesOf({
  memoryMegabytes = memoryMegabytesDefault,
}: Pick<Route, "memoryMegabytes">) {
  return memoryMegabytes;
}
