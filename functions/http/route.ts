import type { $ZodType } from "zod/v4/core";
import type { GrantedSetting } from "../core/environment.ts";
import type { ErrorCode } from "../core/errors.ts";
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
  /** May append lines to the audit trail, and neither read, change nor remove any. */
  readonly audit?: true;
  /** May add to the read trail, or read it. Nothing is added unless the operator has turned it on. */
  readonly readTrail?: "PutItem" | "Query";
  /** May renew keys of folders, and read renewals. */
  readonly folderKeys?: true;
  readonly pages?: readonly BucketAction[];
  /** The same bucket, but only the pictures of pages that links and lists show, under `cardsPrefix`. */
  readonly cards?: readonly BucketAction[];
  /** The same bucket, but only the pictures and reports that are for a drop's owner, under `reportsPrefix`. */
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
  /** The same bucket, but only what lies under `stagedPrefix`. */
  readonly stagedFiles?: readonly BucketAction[];
  /** The same bucket, but only what lies under `restrictedPrefix`. */
  readonly restrictedFiles?: readonly BucketAction[];
  /**
   * The key of cookies is an item of the table, which `cookieKey` reads and `newCookieKey` makes; `scimTokens` reads the hashes of SCIM
   * clients' tokens; the registration at the identity provider is a parameter.
   */
  readonly secrets?: readonly ("cookieKey" | "newCookieKey" | "identityProvider" | "scimTokens")[];
  /** Queues that it may send to. The queue of webhooks does not exist without webhooks. */
  readonly queues?: readonly ("followUps" | "views" | "webhooks")[];
  /** Functions of the stack that it may call. Those of rendering do not exist if that is off. */
  readonly functions?: readonly ("drawPage" | "indexDrops" | "renderPage")[];
  /** Ids of operations whose functions it may invoke: they check the caller, limits and input as they do for API Gateway. */
  readonly operations?: readonly string[];
  readonly distribution?: readonly "CreateInvalidation"[];
  /** May put events on the account's event bus. */
  readonly events?: true;
  /** Settings that the function reads. */
  readonly settings?: readonly GrantedSetting[];
}

/** The host that a path exists on: the service's own, an owner's, or both. */
export type HostKind = "base" | "owner" | "any";

/** The section of the specification, and OpenAPI's tag. */
export type ResourceName =
  | "auth"
  | "account"
  | "account-pages"
  | "tokens"
  | "blobs"
  | "drops"
  | "versions"
  | "feedback"
  | "library"
  | "pages"
  | "feedback-pages"
  | "discovery"
  | "renders"
  | "mcp"
  | "oauth"
  | "scim";

/** A response: its status, and a schema for JSON or the kind of what else it is; `alsoAs` where Accept asks for that. */
export type ResponseRule =
  | {
      readonly status: 200 | 201;
      /** Another good status with the same body: 202 comes with Retry-After. @default - none */
      readonly alsoStatus?: 201 | 202;
      readonly json: $ZodType;
      /** Fields of the same object that the specification does not name. @default - none */
      readonly additions?: $ZodType;
      readonly alsoAs?: ContentKind;
    }
  | {
      readonly status: 200;
      readonly content: ContentKind;
      readonly alsoAs?: ContentKind;
      /** Status of a redirect in place of the response. @default - none */
      readonly alsoStatus?: 302 | 303;
    }
  | { readonly status: 204 | 302 | 303 };

/** A body of JSON by a schema. */
export interface JsonBody {
  readonly json: $ZodType;
  readonly required: boolean;
  /** Rule for a page as the body. @default - the body is JSON, whatever its type */
  readonly page?: PageBody;
}

/** A body of `text/html`, `text/markdown` or `application/zip`, which the query describes. */
export interface PageBody {
  /** The parameters of the query that describe the page. */
  readonly query: $ZodType;
  /** Makes the fields of the JSON body of a page and its query. */
  readonly toFields: (page: SentPage) => object;
  readonly renderMarkdown: (markdown: string, query: RawQuery) => Promise<SentPage>;
  /** Reads a folder from a zip archive. */
  readonly readFolder: (archive: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** Makes a folder with one page of a page in another charset than UTF-8. Its bytes stay unchanged. */
  readonly readForeignPage: (page: Uint8Array, query: RawQuery) => Promise<SentPage>;
  /** The page's own title, for a JSON body without one. @default - a title is optional */
  readonly findTitle?: (html: string) => string | undefined;
}

/** A page that was sent as the body, with the query of its address. */
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
  /** Other methods of the same path that the same function handles, or refuses by 405. @default - they have no response but 404 */
  readonly otherMethods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[];
  readonly path: string;
  readonly host: HostKind;
  /** A second address of the same operation. @default - none */
  readonly alsoAt?: { readonly path: string; readonly host: HostKind };
  /** The edge sends it every path below its own that no other row has. @default - it does not */
  readonly hasPathsBelow?: true;
  /** The reason for an operation that no table of the specification has: its words, an ADR or a sentence. @default - a table has it */
  readonly addition?: string;
  /** One line for people: OpenAPI's summary. */
  readonly summary: string;
  /** `session`: a person who is signed in in a browser; the operation checks who it is and what they may do. */
  readonly caller: "anyone" | "token" | "session";
  /** The token of a workflow may call it: it is about the caller's own pages; docs/adr/0095-github-actions.md. @default - it may not */
  readonly isForWorkflows?: true;
  /** The call counts against the write limits of the token, or in a browser of the account; section "Limits". */
  readonly countsAsWrite: boolean;
  readonly query?: $ZodType;
  /** Refuses unknown parameters, of which each would select or change something. @default - most are ignored with a warning */
  readonly refusesUnknownParameters?: true;
  /** Warns about likely mistakes in a valid query and body. @default - none */
  readonly review?: (read: { readonly query: unknown; readonly body: unknown }) => readonly string[];
  /** Headers that mean something here, beside those that every call has. @default - none */
  readonly headers?: readonly RequestHeader[];
  /**
   * JSON by schema, the bytes as they were sent, an urlencoded form, or a page that an operation takes which this one performs.
   *
   * @default - the body is ignored
   */
  readonly body?: JsonBody | "bytes" | "form" | "page";
  readonly response: ResponseRule;
  /** The codes of the row's own refusals; 5xx can come from any. */
  readonly errors: readonly ErrorCode[];
  /** A refusal's form: `negotiated` is a page where the request prefers text/html. */
  readonly errorsAs: "json" | "page" | "negotiated";
  readonly grants: Grants;
  /** The ids of rows whose operations it carries out for the caller: it may do what each of them may. @default - none */
  readonly performs?: readonly string[];
  /**
   * The memory of its function, in MB, and with it its share of a processor: docs/cost.md, "The memory of each function".
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

/** Codes and sets of codes as one list. Mark calls of it, and of the functions below, as pure: otherwise a bundle has every row of the file. */
export function errorCodes(...parts: readonly (ErrorCode | readonly ErrorCode[])[]): readonly ErrorCode[] {
  return parts.flat();
}

const apiDefaults = { host: "base", caller: "token", errorsAs: "json" } as const;
const pageDefaults = { host: "base", caller: "anyone", countsAsWrite: false, errorsAs: "page" } as const;

type WithDefaults<Defaults> = Omit<Route, keyof Defaults> &
  Partial<Pick<Route, keyof Defaults & keyof Route>>;
type Completed<Row, Defaults> = Row & Omit<Defaults, keyof Row>;

/** A row of the JSON API: on the service's host, with a token. A call with a token that changes something counts as a write. */
export function apiRoute<const Row extends WithDefaults<typeof apiDefaults & { countsAsWrite: boolean }>>(
  row: Row,
): Completed<Row, typeof apiDefaults & { readonly countsAsWrite: boolean }> {
  const countsAsWrite = (row.caller ?? "token") === "token" && row.method !== "GET";
  return { ...apiDefaults, countsAsWrite, ...row };
}

/** A row of a page that anyone may open on the service's host. */
export function pageRoute<const Row extends WithDefaults<typeof pageDefaults>>(
  row: Row,
): Completed<Row, typeof pageDefaults> {
  return { ...pageDefaults, ...row };
}

/** Actions on the table by which an operation admits a person, and may make their account. */
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

/** Errors of every write with a token. */
export const writeErrors = ["rate_limited", "daily_quota_exceeded"] as const;

/** Media types of responses that are not JSON by a schema, by the key in the rows. */
export const mediaTypes = {
  /** A file, whose type is its own. */
  bytes: "*/*",
  html: "text/html; charset=utf-8",
  /** JSON whose form a document of its own describes. */
  json: "application/json; charset=utf-8",
  /** RFC 9727, section 4.1: the profile makes the linkset a catalog of APIs. */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  markdown: "text/markdown; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
  text: "text/plain; charset=utf-8",
  xml: "text/xml; charset=utf-8",
  /** A card or a thumbnail, whose type is its own. */
  picture: "image/*",
} as const;

/** Kind of a response that is not JSON by a schema. */
export type ContentKind = keyof typeof mediaTypes;

/** Request headers that a row may take: additions to the specification, docs/adr/0013-idempotency-and-upserts.md. */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** Errors of the request headers that a row takes. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** Headers of responses that go with them. */
export const replayedHeader = "idempotency-replayed";

/** Default memory of a function, in MB. */
export const memoryMegabytesDefault = 512;

/** The memory of a row's function, in MB: what its work asks for. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}
