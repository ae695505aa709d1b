import type { $ZodType } from "zod/v4/core";
import type { GrantedSetting } from "../core/environment.ts";
import type { ErrorCode, Message } from "../core/errors.ts";
import type { TeamRole } from "../policies/access.ts";
import type { TokenScope } from "../table/identifiers.ts";
import type { ItemFamily } from "../table/keys.ts";
import type { RawQuery } from "./query.ts";

/** Grant on the table: exactly these actions on items of these families. */
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

/** Grants of a function. The stack turns them into the role's policy; nothing else is allowed. */
export interface Grants {
  readonly table?: TableGrant;
  /** May append lines to the audit trail, but not read, change or remove them. */
  readonly audit?: true;
  /** May read the audit trail. */
  readonly auditReads?: true;
  /** May list, hide and delete all versions of the objects of pages and files. */
  readonly objectVersions?: true;
  /** May add to the read trail, or read it. Lines are only added if the operator has turned it on. */
  readonly readTrail?: "PutItem" | "Query";
  /** May renew keys of folders, and read renewals. */
  readonly folderKeys?: true;
  readonly pages?: readonly BucketAction[];
  /** The same bucket, but only pictures of pages for links and lists, under `cardsPrefix`. */
  readonly cards?: readonly BucketAction[];
  /** The same bucket, but only pictures and reports for a drop's owner, under `reportsPrefix`. */
  readonly reports?: readonly BucketAction[];
  /** The same bucket, but only the normalized texts of pages, under `pageTextPrefix`. */
  readonly words?: readonly BucketAction[];
  /** The same bucket, but only the search index, under `searchPrefix`. */
  readonly searchIndex?: readonly BucketAction[];
  /** The same bucket, but only the contents of folders, under `folderPrefix`. */
  readonly folders?: readonly BucketAction[];
  /** The same bucket, but only the archives of folders, by `archiveKey`. */
  readonly archives?: readonly BucketAction[];
  readonly blobs?: readonly BucketAction[];
  /** The same bucket, but only objects under `stagedPrefix`. */
  readonly stagedFiles?: readonly BucketAction[];
  /** The same bucket, but only objects under `restrictedPrefix`. */
  readonly restrictedFiles?: readonly BucketAction[];
  /**
   * The key of cookies is an item of the table, which `cookieKey` reads and `newCookieKey` makes; `scimTokens` reads the hashes of SCIM
   * clients' tokens; the registration at the identity provider and the app in Slack are parameters.
   */
  readonly secrets?: readonly (
    | "cookieKey"
    | "newCookieKey"
    | "identityProvider"
    | "scimTokens"
    | "slackApp"
  )[];
  /** Queues that it may send to. Without webhooks, their queue does not exist. */
  readonly queues?: readonly ("followUps" | "views" | "webhooks")[];
  /** Functions of the stack that it may call. Without rendering, its functions do not exist. */
  readonly functions?: readonly ("drawPage" | "indexDrops" | "renderPage")[];
  /**
   * Ids of operations whose functions it may invoke, which check the caller, limits and input as they do for API Gateway, and `administer`,
   * which carries out acts of administrators.
   */
  readonly operations?: readonly string[];
  readonly distribution?: readonly "CreateInvalidation"[];
  /** May put events on the account's event bus. */
  readonly events?: true;
  /** Settings that the function reads. */
  readonly settings?: readonly GrantedSetting[];
}

/** Grants of every operation with a token: it reads the current rights of the person who acts for a team. */
export const actingGrants: Grants = {
  table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "SCIM", "USER"] },
  settings: ["members"],
};

/** The host of a path: the service's own, an owner's, or both. */
export type HostKind = "base" | "owner" | "any";

/** The section of the specification, which is also OpenAPI's tag. */
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

/** A response: its status, and a schema for JSON or the kind of another format; `alsoAs` is a second kind that Accept can select. */
export type ResponseRule =
  | {
      readonly status: 200 | 201;
      /** Another success status with the same body: 202 has Retry-After. @default - none */
      readonly alsoStatus?: 201 | 202;
      readonly json: $ZodType;
      /** Fields of the same object that are not in the specification. @default - none */
      readonly additions?: $ZodType;
      readonly alsoAs?: ContentKind;
    }
  | {
      readonly status: 200;
      readonly content: ContentKind;
      readonly alsoAs?: ContentKind;
      /** Status of a redirect in place of the response, or 202 with Retry-After while it is made. @default - none */
      readonly alsoStatus?: 202 | 302 | 303;
      /** Schema of the JSON with 202. @default - a page for people */
      readonly pendingJson?: $ZodType;
    }
  | { readonly status: 204 | 302 | 303 };

/** A body of JSON by a schema. */
export interface JsonBody {
  readonly json: $ZodType;
  readonly required: boolean;
  /** Advice for an empty body that is required. @default - none */
  readonly ifEmpty?: Message;
  /** Rule for a page as the body. @default - the body is JSON, whatever its type */
  readonly page?: PageBody;
}

/** A body of `text/html`, `text/markdown` or `application/zip`, which the query describes. */
export interface PageBody {
  /** The query parameters that describe the page. */
  readonly query: $ZodType;
  /** Converts a page and its query to the fields of the JSON body. */
  readonly toFields: (page: SentPage) => object;
  readonly renderMarkdown: (markdown: string, query: RawQuery) => Promise<SentPage>;
  /** Reads a folder from a zip archive. */
  readonly readFolder: (archive: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Makes a folder from texts by path, which tools send in place of `html`. */
  readonly readTexts: (files: unknown) => Promise<SentPage>;
  /** Makes a one-page folder from a page in a charset other than UTF-8. The bytes stay unchanged. */
  readonly readForeignPage: (page: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** The page's own title, for a JSON body without one. @default - a title is optional */
  readonly findTitle?: (html: string) => string | undefined;
}

/** A page in the body, with the query of the request. */
export interface SentPage {
  readonly html: string;
  readonly query: RawQuery;
  /** The Markdown from which it was rendered. @default - it was sent as HTML */
  readonly source?: string;
  /** The folder whose entry page it is. @default - it is a single page */
  readonly folder?: object;
  /** Messages for the response. @default - none */
  readonly warnings?: readonly string[];
}

/** One operation of the service. */
export interface Route {
  /** The operation's id, verb-noun: the file name of its handler. */
  readonly id: string;
  readonly resource: ResourceName;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Other methods of the same path that the same function handles, or refuses with 405. @default - other methods get 404 */
  readonly otherMethods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
  readonly path: string;
  readonly host: HostKind;
  /** A second address of the same operation. @default - none */
  readonly alsoAt?: { readonly path: string; readonly host: HostKind };
  /** It handles every path below its own that no other row has. @default false */
  readonly hasPathsBelow?: true;
  /**
   * The reason for an operation outside the tables of the specification: a quotation from it, an ADR or a sentence. @default - a table
   * lists it
   */
  readonly addition?: string;
  /** The setting without which the stack does not have the operation. @default - every stack has it */
  readonly onlyWith?: "administrators" | "slack";
  /** One line for people: OpenAPI's summary. */
  readonly summary: string;
  /** `session`: a person who has signed in in a browser. The operation checks the person and their rights. */
  readonly caller: "anyone" | "token" | "session";
  /** Role that a person needs to call it for a team. @default - `owner` for DELETE, and `editor` for the rest */
  readonly teamRole?: TeamRole;
  /** The scope that a token needs to call it. @default - `read` for GET, and `all` for the rest */
  readonly scope?: TokenScope;
  /** Tokens of workflows may call it, because it concerns only the caller's own pages; docs/adr/0095-github-actions.md. @default false */
  readonly isForWorkflows?: true;
  /** The call counts against the write limits of the token or, in a browser, of the account; section "Limits". */
  readonly countsAsWrite: boolean;
  readonly query?: $ZodType;
  /** Refuses unknown parameters, since each parameter selects or changes something. @default - most are ignored with a warning */
  readonly refusesUnknownParameters?: true;
  /** Warns about likely mistakes in a valid query and body. @default - none */
  readonly review?: (read: { readonly query: unknown; readonly body: unknown }) => readonly string[];
  /** Headers with a meaning for this call, besides the common ones. @default - none */
  readonly headers?: readonly RequestHeader[];
  /**
   * JSON by schema, the bytes as they were sent, an urlencoded form, or a page for another operation that this one performs.
   *
   * @default - the body is ignored
   */
  readonly body?: JsonBody | "bytes" | "form" | "page";
  readonly response: ResponseRule;
  /** The codes of the row's own errors. All rows can return 5xx. */
  readonly errors: readonly ErrorCode[];
  /** An error's form: `negotiated` is a page if the request prefers text/html. */
  readonly errorsAs: "json" | "page" | "negotiated";
  readonly grants: Grants;
  /** The ids of rows whose operations it carries out for the caller. It has the permissions of all of them. @default - none */
  readonly performs?: readonly string[];
  /**
   * The memory of its function in MB, which determines its share of a processor: docs/cost.md, "The memory of each function".
   *
   * @default - `memoryMegabytesDefault`
   */
  readonly memoryMegabytes?: number;
  /**
   * Server of the responses: its own function, the function of all documents, S3 through the edge, or the 404 page.
   *
   * @default "function"
   */
  readonly servedBy?: "function" | "documents" | "bucket" | "not-found";
}

/** Method and path of a row, as in `GET /api/drops/{slug}`. */
type Address = `${Route["method"]} /${string}`;

/** Columns that follow from a row's others, or have a default. */
type CompletedColumn = "host" | "caller" | "countsAsWrite" | "errorsAs" | "errors" | "grants";

/** A row as a feature writes it. */
interface WrittenRow
  extends Omit<Route, CompletedColumn | "method" | "path">,
    Partial<Pick<Route, Exclude<CompletedColumn, "errors" | "grants">>> {
  /** Codes, and sets of codes, besides those that follow from caller, path, query, body and limits. @default - none */
  readonly errors?: readonly (ErrorCode | readonly ErrorCode[])[];
  /** Grants besides those that the operation needs to identify its caller. @default - none */
  readonly grants?: WrittenGrants;
}

type WrittenGrants = Omit<Grants, "table"> & { readonly table?: Partial<TableGrant> };

/** A completed row, with the types of its own query, body and response. */
type CompletedRow<Columns> = Route & Pick<Columns, Extract<keyof Columns, "query" | "body" | "response">>;

/**
 * Makes rows of the JSON API, on the service's host and with a token, from their common columns and their own. Errors and grants of both
 * add up. Mark its calls, and those of the result, as pure: otherwise a bundle contains every row of the file.
 *
 * @example
 * const apiRow = apiRows({ resource: "drops" });
 * const getDropRoute = apiRow("GET /api/drops/{slug}", { id: "get-drop", … });
 */
export function apiRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "token", errorsAs: "json" }, common);
}

/** Makes rows of pages that anyone may open on the service's host, like `apiRows`. */
export function pageRows<const Common extends Partial<WrittenRow>>(common: Common) {
  return rowsWith({ host: "base", caller: "anyone", countsAsWrite: false, errorsAs: "page" }, common);
}

/** Makes a row of the JSON API without common columns. */
export const apiRow = /* @__PURE__ */ apiRows({});

/** Makes a row of a page without common columns. */
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
    // A call with a token that changes something counts as a write.
    const { caller, countsAsWrite = caller === "token" && method !== "GET" } = columns;
    const completed = { ...columns, countsAsWrite };
    return {
      ...completed,
      errors: [...followingErrors(completed), ...[common.errors ?? [], row.errors ?? []].flat(2)],
      grants: [callerGrants[caller], common.grants ?? {}, row.grants ?? {}].reduce(unite),
    } as unknown as CompletedRow<Omit<Common, keyof Row> & Row>;
  };
}

/** Errors that follow from the other columns of a row. */
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

/** Grants of an operation that reads the browser's session: who the person is, and their current rights. */
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

/** Grants by which operations identify their callers. Each use of a token is noted. */
const callerGrants: Readonly<Record<Route["caller"], WrittenGrants>> = {
  anyone: {},
  token: { table: { actions: ["UpdateItem"], items: ["TOKEN"] } },
  session: sessionGrants,
};

/** Unites lists of the same name. Of other values, the later one counts. */
function unite(one: object, other: object): object {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  const before: Readonly<Record<string, unknown>> = { ...one };
  const united = Object.entries(other).map(([name, value]) => {
    const known = before[name];
    return [name, typeof known === "object" && known !== null ? unite(known, value) : value];
  });
  return { ...before, ...Object.fromEntries(united) };
}

/** The scope that a token needs for the call of a row. */
export function neededScope({ scope, method }: Pick<Route, "scope" | "method">): TokenScope {
  return scope ?? (method === "GET" ? "read" : "all");
}

/** Actions on the table that an operation needs to admit a person and to create their account. */
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

/** Media types of responses without a JSON schema, by the key in the rows. */
export const mediaTypes = {
  /** A file with its own type. */
  bytes: "*/*",
  html: "text/html; charset=utf-8",
  /** JSON in a format that is defined elsewhere. */
  json: "application/json; charset=utf-8",
  /** RFC 9727, section 4.1: the profile makes the linkset a catalog of APIs. */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  markdown: "text/markdown; charset=utf-8",
  pdf: "application/pdf",
  atom: "application/atom+xml; charset=utf-8",
  /** RFC 4180. */
  csv: "text/csv; charset=utf-8; header=present",
  text: "text/plain; charset=utf-8",
  xml: "text/xml; charset=utf-8",
  /** A card or a thumbnail with its own type. */
  picture: "image/*",
} as const;

/** Kind of a response without a JSON schema. */
export type ContentKind = keyof typeof mediaTypes;

/** Request headers that a row may accept: additions to the specification, docs/adr/0013-idempotency-and-upserts.md. */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** Errors of the request headers that a row accepts. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** The corresponding response headers. */
export const replayedHeader = "idempotency-replayed";

/** Default memory of a function, in MB. */
export const memoryMegabytesDefault = 512;

/** The memory of a row's function, in MB. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}
