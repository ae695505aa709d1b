import type { GrantedSetting } from "../core/environment.ts";
import type { ItemFamily } from "./keys.ts";

/** Permission for some actions on some kinds of table items. */
export interface TableGrant {
  readonly actions: readonly TableAction[];
  /** Allowed prefixes of the partition key, enforced by the condition key `dynamodb:LeadingKeys`. */
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

/** Permissions of a function, from which the stack creates the policy of its role. The role has no other permissions. */
export interface Grants {
  readonly table?: TableGrant;
  /** The function may append audit entries, but not read, change or remove them. */
  readonly audit?: true;
  /** The function may read the audit trail. */
  readonly auditReads?: true;
  /** The function may list, hide and delete all versions of page and file objects. */
  readonly objectVersions?: true;
  /** Permission to add entries to the log of reads (read trail), or to query this log. */
  readonly readTrail?: "PutItem" | "Query";
  /** The function may renew the keys of folders, and read which keys were renewed. */
  readonly folderKeys?: true;
  readonly pages?: readonly BucketAction[];
  /** Actions on preview images of pages, under `cardsPrefix` in the bucket of pages. */
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
   * Secrets that the function may read: the cookie keys and the hashes of SCIM tokens in the table, and SSM parameters with the settings of
   * the identity provider and the Slack app. `newCookieKey` allows creating cookie keys.
   */
  readonly secrets?: readonly (
    | "cookieKey"
    | "newCookieKey"
    | "identityProvider"
    | "scimTokens"
    | "slackApp"
  )[];
  /** Queues to which the function may send messages. Stacks without webhooks have no queue `webhooks`. */
  readonly queues?: readonly ("followUps" | "views" | "webhooks")[];
  /** Functions of the stack that this function may invoke. Without rendering, `drawPage` and `renderPage` do not exist. */
  readonly functions?: readonly ("drawPage" | "indexDrops" | "renderPage")[];
  /**
   * Ids of operations and workers whose functions this function may invoke directly. Operations then check the caller, limits and input as
   * usual.
   */
  readonly operations?: readonly string[];
  readonly distribution?: readonly "CreateInvalidation"[];
  /** The function may put events on the account's event bus. */
  readonly events?: true;
  /** Settings that the function reads. */
  readonly settings?: readonly GrantedSetting[];
}
