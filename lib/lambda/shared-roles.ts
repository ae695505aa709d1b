import type { OperationId } from "../../functions/routes.ts";

/**
 * Groups of operations that share one role with the grants of all. Operations may share if that gives none of them anything worth
 * an attack: the same kind of caller, all read or all write, the same kinds of items. Other operations share a role only with the
 * same grants. A stack may have 500 resources.
 */
export const sharedRoles: readonly (readonly OperationId[])[] = [
  // Reading by token.
  [
    "get-me",
    "get-usage",
    "list-tokens",
    "list-blobs",
    "list-drops",
    "list-trash",
    "get-drop",
    "list-versions",
    "get-version",
    "read-html",
    "read-source",
    "list-files",
    "compare-versions",
    "list-reads",
  ],
  // Changing one item by token.
  ["edit-blob", "edit-drop", "set-passcode"],
  ["delete-drop", "undelete-drop", "purge-drop"],
  ["delete-blob", "revoke-token"],
  ["resolve-feedback", "delete-feedback"],
  // Reading a drop with what its reader's browser sends.
  ["read-raw-page", "read-folder-file", "read-context", "show-comparison"],
  // Reading what everybody may.
  ["show-owner-page", "show-owner-feed", "read-oembed"],
  // Reading one's own pages with a session.
  ["show-account", "show-own-drop", "show-own-files", "show-own-trash", "show-own-tokens"],
  // Changes of one's own things, with a session and a form of this service.
  [
    "edit-own-drop",
    "share-own-drop",
    "delete-own-drop",
    "undelete-own-drop",
    "purge-own-drop",
    "delete-own-version",
    "edit-own-file",
    "delete-own-file",
    "revoke-own-token",
  ],
];

/** The operations that share an operation's role by a group, itself among them; undefined where it is in none. */
export function roleGroupOf(id: string): readonly OperationId[] | undefined {
  return sharedRoles.find((group) => group.some((one) => one === id));
}
