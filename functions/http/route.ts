import type { $ZodType } from "zod/v4/core";
import type { ItemFamily } from "../table/keys.ts";
import type { ErrorCode } from "./errors.ts";
import type { RawQuery } from "./query.ts";
import type { MeantNames } from "./rejected-fields.ts";

/** What a route's function may do with the table: exactly these actions, on items of these families. */
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

/** What a function may touch. The stack turns it into the role's policy, and nothing else is granted. */
export interface Grants {
  readonly table?: TableGrant;
  /** Whether it does what the audit trail tells of: it may add lines, and neither read, change nor remove any. */
  readonly audit?: true;
  readonly pages?: readonly BucketAction[];
  /** The same bucket, but only the pictures of pages that links and lists show, under `cardsPrefix`. */
  readonly cards?: readonly BucketAction[];
  /** The same bucket, but only the pictures and reports that are for a drop's owner, under `reportsPrefix`. */
  readonly reports?: readonly BucketAction[];
  /** The same bucket, but only the words of pages, under `wordsPrefix`. */
  readonly words?: readonly BucketAction[];
  readonly blobs?: readonly BucketAction[];
  /** The same bucket, but only what lies under `stagedPrefix`. */
  readonly stagedFiles?: readonly BucketAction[];
  /** The same bucket, but only what lies under `restrictedPrefix`. */
  readonly restrictedFiles?: readonly BucketAction[];
  /**
   * The key of cookies is an item of the table, which `cookieKey` reads and `newCookieKey` makes; the registration at the identity provider is
   * a parameter.
   */
  readonly secrets?: readonly ("cookieKey" | "newCookieKey" | "identityProvider")[];
  /** Queues that it may send to. Without webhooks there is none of theirs. */
  readonly queues?: readonly ("followUps" | "views" | "webhooks")[];
  /** Functions that it may call, beside those that a request leads to. Where pages are not rendered there are none. */
  readonly functions?: readonly ("drawPage" | "renderPage")[];
  readonly distribution?: readonly "CreateInvalidation"[];
  /** Whether it may tell the account's event bus what has happened. */
  readonly events?: true;
  /** What the operator has chosen that it is told of. */
  readonly settings?: readonly (
    | "concurrentExecutions"
    | "members"
    | "pageBytesMax"
    | "readerSessionHours"
    | "renders"
    | "tokenDaysMax"
    | "tokensPerAccountMax"
    | "visibility"
    | "webhooks"
  )[];
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
  | "oauth";

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
      /** Where it leads elsewhere instead, without a body. @default - it never does */
      readonly alsoStatus?: 302 | 303;
    }
  | { readonly status: 204 | 302 | 303 };

/** A body of JSON by a schema. */
export interface JsonBody {
  readonly json: $ZodType;
  readonly required: boolean;
  /**
   * Where it may be a page instead, `text/html`: makes the same of the page and the query, whose parameters it names.
   *
   * @default - it is JSON, whatever its type says
   */
  readonly page?: $ZodType;
  /**
   * Where it may be Markdown as well, `text/markdown`: makes the page of it, which `page` takes then.
   *
   * @default - it may not
   */
  readonly renderMarkdown?: (markdown: string, query: RawQuery) => Promise<{ readonly source?: string }>;
}

/** One operation of the service. */
export interface Route {
  /** The operation's id, verb-noun: the file name of its handler. */
  readonly id: string;
  readonly resource: ResourceName;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Methods of the same path that the same function refuses itself, by 405. @default - they have no response but 404 */
  readonly refusedMethods?: readonly ("GET" | "DELETE")[];
  readonly path: string;
  readonly host: HostKind;
  /** A second address of the same operation. @default - none */
  readonly alsoAt?: { readonly path: string; readonly host: HostKind };
  /** Why there is it although no table of the specification has it: the text's words, or a decision. @default - one has */
  readonly addition?: string;
  /** One line for people: OpenAPI's summary. */
  readonly summary: string;
  /** `session`: who has signed in in a browser; the operation itself tells who that is, and what they may. */
  readonly caller: "anyone" | "token" | "session";
  /** Whether a call spends from the token's minute and day, or in a browser from the account's; section "Limits". */
  readonly countsAsWrite: boolean;
  readonly query?: $ZodType;
  /** Parameters that it does not take, by which a caller means something; other unknown ones are done without. @default - none */
  readonly refusedParameters?: readonly MeantNames[];
  /** The same of the fields of a JSON body. @default - none */
  readonly refusedFields?: readonly MeantNames[];
  /** What is legal of query and body, as the row's schemas make them, and surely not meant. @default - nothing */
  readonly review?: (read: { readonly query: unknown; readonly body: unknown }) => readonly string[];
  /** Headers that mean something here, beside those that every call has. @default - none */
  readonly headers?: readonly RequestHeader[];
  /**
   * JSON by schema, the bytes as they came, an urlencoded form, or a page that an operation takes which this one performs.
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
   * Who answers: its own function, the one that serves all documents, S3 through the edge, or the 404 page until it is
   * built.
   *
   * @default "function"
   */
  readonly servedBy?: "function" | "documents" | "bucket" | "not-found";
}

/** Codes and sets of codes as one list. To be marked as pure: otherwise a bundle has every row of the file. */
export function errorCodes(...parts: readonly (ErrorCode | readonly ErrorCode[])[]): readonly ErrorCode[] {
  return parts.flat();
}

/** What every write of a token may be refused with. */
export const writeErrors = ["rate_limited", "daily_quota_exceeded"] as const;

/** What a response may be beside JSON by a schema; the key stands in the rows. */
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

/** What a response is, where it is not JSON by a schema. */
export type ContentKind = keyof typeof mediaTypes;

/** Request headers that a row may take: additions to the specification, docs/adr/0013-safe-retries.md. */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** What a row may refuse because of a header that it takes, beside its own refusals. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** Headers of responses that go with them. */
export const replayedHeader = "idempotency-replayed";

/** What a function has where its row says nothing, in MB. */
export const memoryMegabytesDefault = 512;

/** So many megabytes stand for a processor; AWS Lambda developer guide, "Configure Lambda function memory". */
const megabytesPerProcessor = 1_769;

/** The memory of a row's function, in MB: what its work asks for. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}

/** The share of a processor that comes with so much memory. */
export function processorsOf(memoryMegabytes: number): number {
  return memoryMegabytes / megabytesPerProcessor;
}
