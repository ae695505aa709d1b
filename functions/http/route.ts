import type { $ZodType } from "zod/v4/core";
import type { GrantedSetting } from "../core/environment.ts";
import type { ErrorCode, Message } from "../core/errors.ts";
import type { TeamRole } from "../policies/access.ts";
import type { TokenScope } from "../table/identifiers.ts";
import type { ItemFamily } from "../table/keys.ts";
import type { RawQuery } from "./query.ts";

/** Permission for these actions only, and only on table items of these families. */
export interface TableGrant {
  readonly actions: readonly TableAction[];
  /** Prefixes of the partition key, enforced by the condition key `dynamodb:LeadingKeys`. */
  readonly items: readonly Exclude<ItemFamily, "AUDIT">[];
}

type TableAction =
  | "BatchGetItem"
  | "BatchWriteItem"
  | "ConditionCheckItem"
  | "DeleteItem"
  | "GetItem"
  | "PutItem"
  | "Query"
  | "UpdateItem";

export type BucketAction = "DeleteObject" | "GetObject" | "PutObject";

/** Permissions of a function. The stack turns them into the role's policy, which allows nothing else. */
export interface Grants {
  readonly table?: TableGrant;
  /** The function may append audit entries, but not read, change or remove them. */
  readonly audit?: true;
  /** The function may read the audit trail. */
  readonly auditReads?: true;
  /** The function may list, hide and delete all versions of page and file objects. */
  readonly objectVersions?: true;
  /** Permission to add entries to the read trail, or to read it. Entries are only added if the operator has turned the trail on. */
  readonly readTrail?: "PutItem" | "Query";
  /** The function may renew folder keys and read their renewals. */
  readonly folderKeys?: true;
  readonly pages?: readonly BucketAction[];
  /** Actions on link cards and thumbnails, under `cardsPrefix` in the bucket of pages. */
  readonly cards?: readonly BucketAction[];
  /** Actions on pictures and reports for a drop's owner, under `reportsPrefix` in the bucket of pages. */
  readonly reports?: readonly BucketAction[];
  /** Actions on the normalized texts of pages, under `pageTextPrefix` in the bucket of pages. */
  readonly words?: readonly BucketAction[];
  /** Actions on the search index, under `searchPrefix` in the bucket of pages. */
  readonly searchIndex?: readonly BucketAction[];
  /** Actions on the contents of folders, under `folderPrefix` in the bucket of pages. */
  readonly folders?: readonly BucketAction[];
  /** Actions on the archives of folders, with keys from `archiveKey`, in the bucket of pages. */
  readonly archives?: readonly BucketAction[];
  readonly blobs?: readonly BucketAction[];
  /** Actions on objects under `stagedPrefix` in the bucket of files. */
  readonly stagedFiles?: readonly BucketAction[];
  /** Actions on objects under `restrictedPrefix` in the bucket of files. */
  readonly restrictedFiles?: readonly BucketAction[];
  /**
   * `cookieKey` reads the cookie keys in the table, and `newCookieKey` creates them. `scimTokens` reads the hashes of SCIM clients' tokens.
   * `identityProvider` and `slackApp` read SSM parameters.
   */
  readonly secrets?: readonly (
    | "cookieKey"
    | "newCookieKey"
    | "identityProvider"
    | "scimTokens"
    | "slackApp"
  )[];
  /** Queues that the function may send to. On stacks without webhooks, the webhooks queue does not exist. */
  readonly queues?: readonly ("followUps" | "views" | "webhooks")[];
  /** Functions of the stack that this function may invoke. On stacks without rendering, the rendering functions do not exist. */
  readonly functions?: readonly ("drawPage" | "indexDrops" | "renderPage")[];
  /**
   * Ids of operations that the function may invoke. The operations check the caller, limits and input as they do for API Gateway.
   * `administer` carries out the actions of administrators.
   */
  readonly operations?: readonly string[];
  readonly distribution?: readonly "CreateInvalidation"[];
  /** The function may put events on the account's event bus. */
  readonly events?: true;
  /** Settings that the function reads. */
  readonly settings?: readonly GrantedSetting[];
}

/** Grants of every operation that requires a token. They allow reading the current rights of a person who acts for a team. */
export const actingGrants: Grants = {
  table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "SCIM", "USER"] },
  settings: ["members"],
};

/** Host of a path: the service's own host, owners' hosts, or both. */
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

/** A response: its status, and a JSON schema or a content kind. `alsoAs` is a second kind that Accept can select. */
export type ResponseRule =
  | {
      readonly status: 200 | 201;
      /** Another success status with the same body. A 202 has Retry-After. @default - none */
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
      /** Status of a redirect instead of the response, or 202 with Retry-After while the response is being prepared. @default - none */
      readonly alsoStatus?: 202 | 302 | 303;
      /** Schema of the JSON body of a 202. @default - the body is an HTML page */
      readonly pendingJson?: $ZodType;
    }
  | { readonly status: 204 | 302 | 303 };

/** A JSON body with a schema. */
export interface JsonBody {
  readonly json: $ZodType;
  readonly required: boolean;
  /** Advice in the error for a missing body. @default - none */
  readonly ifEmpty?: Message;
  /** Parsing rule if the body may also be a page. @default - the body is parsed as JSON, whatever its Content-Type */
  readonly page?: PageBody;
}

/** Parsing rule for a page in the body: `text/html`, `text/markdown` or `application/zip`. The page's other fields are query parameters. */
export interface PageBody {
  /** The query parameters that describe the page. */
  readonly query: $ZodType;
  /** Converts a page and its query to the fields of the JSON body. */
  readonly toFields: (page: SentPage) => object;
  readonly renderMarkdown: (markdown: string, query: RawQuery) => Promise<SentPage>;
  /** Reads a folder from a zip archive. */
  readonly readFolder: (archive: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Creates a folder from texts by path, which tools send instead of `html`. */
  readonly readTexts: (files: unknown) => Promise<SentPage>;
  /** Makes a one-page folder from a page in a charset other than UTF-8. The bytes stay unchanged. */
  readonly readForeignPage: (page: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Finds the title in the page, for a JSON body without `title`. @default - a title is optional */
  readonly findTitle?: (html: string) => string | undefined;
}

/** A page in the body, with the query of the request. */
export interface SentPage {
  readonly html: string;
  readonly query: RawQuery;
  /** The Markdown source of the page. @default - the page was sent as HTML */
  readonly source?: string;
  /** The folder that has this page as its entry page. @default - the page has no folder */
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
  /** Other methods of the path that the same function handles or refuses with 405. @default - other methods get 404 */
  readonly otherMethods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
  readonly path: string;
  readonly host: HostKind;
  /** A second path of the operation. @default - none */
  readonly alsoAt?: { readonly path: string; readonly host: HostKind };
  /** The operation also handles every path below its own, except the paths of other operations. @default false */
  readonly hasPathsBelow?: true;
  /**
   * Reason for adding an operation that the specification does not list: a quotation from the specification, an ADR or a sentence.
   *
   * @default - the specification lists the operation
   */
  readonly addition?: string;
  /** The setting that a stack needs for this operation to exist. @default - every stack has the operation */
  readonly onlyWith?: "administrators" | "slack";
  /** Description in one line, which is also OpenAPI's summary. */
  readonly summary: string;
  /** Kind of caller. `session` is a person with a session in a browser. The operation checks that person's rights. */
  readonly caller: "anyone" | "token" | "session";
  /** Role that a person needs to call the operation for a team. @default - `owner` for DELETE, `editor` for other methods */
  readonly teamRole?: TeamRole;
  /** The scope that a token needs to call the operation. @default - `read` for GET, `all` for other methods */
  readonly scope?: TokenScope;
  /**
   * Workflow tokens may call the operation, because it affects only the caller's own pages; see docs/adr/0095-github-actions.md.
   *
   * @default false
   */
  readonly isForWorkflows?: true;
  /** The call counts against the write limits of the token, or of the account if the call comes from a browser; see section "Limits". */
  readonly countsAsWrite: boolean;
  readonly query?: $ZodType;
  /**
   * Refuses unknown parameters, because each parameter selects or changes something.
   *
   * @default - most unknown parameters are ignored with a warning
   */
  readonly refusesUnknownParameters?: true;
  /** Warns about likely mistakes in a valid query and body. @default - none */
  readonly review?: (read: { readonly query: unknown; readonly body: unknown }) => readonly string[];
  /** Request headers that this operation reads, besides the common ones. @default - none */
  readonly headers?: readonly RequestHeader[];
  /**
   * The accepted body: JSON with a schema, bytes, a URL-encoded form, or a page that this operation passes on to another one.
   *
   * @default - the body is ignored
   */
  readonly body?: JsonBody | "bytes" | "form" | "page";
  readonly response: ResponseRule;
  /** Error codes of the operation. Every operation can also return 5xx. */
  readonly errors: readonly ErrorCode[];
  /** Format of errors. `negotiated` is a page if the request prefers text/html, and JSON otherwise. */
  readonly errorsAs: "json" | "page" | "negotiated";
  readonly grants: Grants;
  /** Ids of operations that this operation carries out for the caller. Its function has the permissions of all of them. @default - none */
  readonly performs?: readonly string[];
  /**
   * Memory of the operation's function in MB, which also determines its share of a processor; see "The memory of each function",
   * docs/cost.md.
   *
   * @default - `memoryMegabytesDefault`
   */
  readonly memoryMegabytes?: number;
  /**
   * Source of the responses: the operation's own function, the function for all documents, S3 through the edge, or the 404 page.
   *
   * @default "function"
   */
  readonly servedBy?: "function" | "documents" | "bucket" | "not-found";
}

/** Method and path of an operation, as in `GET /api/drops/{slug}`. */
type Address = `${Route["method"]} /${string}`;

/** Properties of an operation that have a default or are derived from its other properties. */
type CompletedColumn = "host" | "caller" | "countsAsWrite" | "errorsAs" | "errors" | "grants";

/** The part of an operation's definition (row) that a feature specifies. */
export interface WrittenRow
  extends Omit<Route, CompletedColumn | "method" | "path">,
    Partial<Pick<Route, Exclude<CompletedColumn, "errors" | "grants">>> {
  /** Error codes and lists of error codes, in addition to the codes derived from caller, path, query, body and limits. @default - none */
  readonly errors?: readonly (ErrorCode | readonly ErrorCode[])[];
  /** Additional grants, besides the grants that the operation needs to identify its caller. @default - none */
  readonly grants?: WrittenGrants;
}

type WrittenGrants = Omit<Grants, "table"> & { readonly table?: Partial<TableGrant> };

/** A complete definition of an operation, with the types of its own query, body and response. */
type CompletedRow<Columns> = Route & Pick<Columns, Extract<keyof Columns, "query" | "body" | "response">>;

/**
 * Returns a function that defines operations of the JSON API, which are on the service's host and need a token. An operation's errors and
 * grants are added to the common ones. Mark calls of both functions as pure. Otherwise, a bundle contains every definition in the file.
 *
 * @example
 * const apiRow = apiRows({ resource: "drops" });
 * const getDropRoute = apiRow("GET /api/drops/{slug}", { id: "get-drop", … });
 */
export function apiRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "token", errorsAs: "json" }, common);
}

/** Returns a function that defines pages that anyone may open on the service's host; see `apiRows`. */
export function pageRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "anyone", countsAsWrite: false, errorsAs: "page" }, common);
}

/** Defines an operation of the JSON API without common properties. */
export const apiRow = /* @__PURE__ */ apiRows({});

/** Defines a page without common properties. */
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
    // By default, a call with a token counts as a write, except for GET.
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

/** Grants of an operation that reads the browser's session, the person's identity and their current rights. */
const sessionGrants = {
  table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SCIM", "USER"] },
  secrets: ["cookieKey"],
  settings: ["members"],
} as const satisfies Grants;

/** Grants of every page that a drop's readers open, with or without a session. */
export const readerGrants = {
  ...sessionGrants,
  table: { ...sessionGrants.table, items: [...sessionGrants.table.items, "SLUG"] },
} as const satisfies Grants;

/** Grants that an operation needs to identify its caller. Each use of a token is recorded. */
const callerGrants: Readonly<Record<Route["caller"], WrittenGrants>> = {
  anyone: {},
  token: { table: { actions: ["UpdateItem"], items: ["TOKEN"] } },
  session: sessionGrants,
};

/** Merges two objects. Lists with the same key are united. For other values, the second object's value wins. */
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

/** Table actions that an operation needs to sign in a person and to create their account. */
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
  /** JSON in a format that is defined elsewhere. */
  json: "application/json; charset=utf-8",
  /** The profile makes the linkset a catalog of APIs (RFC 9727, section 4.1). */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  markdown: "text/markdown; charset=utf-8",
  pdf: "application/pdf",
  atom: "application/atom+xml; charset=utf-8",
  /** RFC 4180 defines the parameter `header`. */
  csv: "text/csv; charset=utf-8; header=present",
  text: "text/plain; charset=utf-8",
  xml: "text/xml; charset=utf-8",
  /** A card or a thumbnail, sent with its own media type. */
  picture: "image/*",
} as const;

/** Kind of a response without a JSON schema. */
export type ContentKind = keyof typeof mediaTypes;

/** Request headers that an operation may accept. The specification does not have them; see docs/adr/0013-idempotency-and-upserts.md. */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** Errors that an operation can return because of the request headers that it accepts. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** Header that marks a response as the replay of a stored response. */
export const replayedHeader = "idempotency-replayed";

/** Default memory of a function, in MB. */
export const memoryMegabytesDefault = 512;

/** Returns the memory of an operation's function, in MB. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}
