import type { OperationId } from "../../functions/routes.ts";

/**
 * Groups of operations that share one role, with the grants of all of them. Operations join a group where that gives none of them anything
 * worth an attack: they have the same kind of caller, they all read or they all write, and they touch the same kinds of items. Every other
 * operation shares a role only with operations of exactly the same grants. Each role is a resource of the stack, of which there are 500.
 */
export const sharedRoles: readonly (readonly OperationId[])[] = [
  // Reading by token.
  [
    "get-me",
    "get-usage",
    "list-tokens",
    "list-blobs",
    "list-drops",
    "get-drop",
    "list-versions",
    "get-version",
    "read-html",
    "read-source",
    "compare-versions",
  ],
  // Changing one item by token.
  ["edit-blob", "edit-drop", "set-passcode"],
  ["delete-blob", "revoke-token"],
  ["resolve-feedback", "delete-feedback"],
  // Reading a drop with what its reader's browser sends.
  ["read-raw-page", "read-context", "show-comparison"],
  // Reading what everybody may.
  ["show-owner-page", "show-owner-feed", "read-oembed"],
  // Reading one's own pages with a session.
  ["show-account", "show-own-drop", "show-own-files", "show-own-tokens"],
  // Changing what is one's own with a session and a form of this service.
  [
    "edit-own-drop",
    "lock-own-drop",
    "delete-own-drop",
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
