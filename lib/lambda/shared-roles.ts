import type { OperationId } from "../../functions/routes.ts";
import { constructId, documentsSource } from "../bundle/function-source.ts";

/** The id of a function that serves requests. */
export type AnsweringFunctionId = OperationId | typeof documentsSource.id;

/** A role that functions of several operations share. */
export interface SharedRole {
  readonly id: string;
  /**
   * Operations that share their grants: every function of the role has the grants of all these operations. An attacker must not gain
   * anything from the shared grants, so the operations have the same kind of caller, all read or all write, use the same kinds of items,
   * and write no objects.
   * @default - none
   */
  readonly together?: readonly OperationId[];
  /** Functions whose grants are not shared. A condition limits each of their statements to the function. @default - none */
  readonly apart?: readonly AnsweringFunctionId[];
}

/**
 * Shared roles, which keep the number of resources low. All other functions have a role of their own. See
 * docs/adr/0027-api-gateway-and-roles.md.
 */
export const sharedRoles: readonly SharedRole[] = [
  {
    id: "TokenReads",
    together: [
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
      "compare-versions",
      "list-reads",
      "get-render",
      "get-pdf",
    ],
    apart: [
      "get-blob",
      "list-files",
      "start-folder",
      "list-feedback",
      "list-answers",
      "list-access-requests",
      "export-answers",
      "list-library",
      "search-drops",
    ],
  },
  {
    id: "TokenWrites",
    together: [
      "edit-blob",
      "edit-drop",
      "set-passcode",
      "delete-drop",
      "undelete-drop",
      "purge-drop",
      "delete-version",
      "delete-blob",
      "revoke-token",
      "resolve-feedback",
      "delete-feedback",
      "delete-answer",
      "delete-answers",
      "dismiss-access-request",
      "reply-to-feedback",
    ],
    apart: [
      "start-publish",
      "publish-drop",
      "upsert-drop",
      "publish-version",
      "publish-folder",
      "restore-version",
      "upload-blob",
      "start-upload",
      "complete-upload",
    ],
  },
  {
    id: "Teams",
    apart: [
      "move-drop",
      "list-teams",
      "create-team",
      "get-team",
      "edit-team",
      "set-team-role",
      "remove-team-role",
      "create-team-token",
    ],
  },
  {
    id: "Administration",
    apart: [
      "show-admin",
      "create-admin-team",
      "show-admin-account",
      "change-admin-account",
      "show-admin-drop",
      "change-admin-drop",
      "show-admin-audit",
    ],
  },
  {
    id: "SessionReads",
    together: [
      "show-account",
      "show-own-drop",
      "show-own-files",
      "show-own-answers",
      "export-own-answers",
      "show-own-trash",
      "show-own-tokens",
      "show-own-team",
      "show-library",
    ],
  },
  {
    id: "SessionWrites",
    together: [
      "edit-own-drop",
      "share-own-drop",
      "delete-own-drop",
      "undelete-own-drop",
      "purge-own-drop",
      "delete-own-version",
      "delete-own-answers",
      "decide-access-request",
      "edit-own-file",
      "delete-own-file",
      "revoke-own-token",
    ],
    apart: ["switch-account", "edit-own-team", "move-own-drop", "restore-own-version", "upload-own-file"],
  },
  {
    id: "Readers",
    apart: [
      "view-drop",
      "read-raw-page",
      "read-folder-file",
      "read-context",
      "read-drop-state",
      "show-comparison",
      "unlock-drop",
      "read-oembed",
    ],
  },
  {
    id: "Commenters",
    apart: ["show-feedback", "send-feedback", "send-answer", "read-answer-results", "request-access"],
  },
  {
    id: "SignIn",
    apart: [
      "start-sign-in",
      "start-browser-sign-in",
      "poll-sign-in",
      "reveal-token",
      "show-verify-page",
      "authorize-sign-in",
      "complete-sign-in",
      "choose-account",
      "undo-sign-in",
      "admit-reader",
      "sign-out-reader",
      "register-client",
      "revoke-grant",
    ],
  },
  {
    id: "Anyone",
    apart: [
      "show-login-page",
      "show-token-page",
      "show-consent",
      "decide-consent",
      "issue-token",
      "call-scim",
      "send-page",
      "show-owner-page",
      "show-owner-feed",
      "show-file",
      "show-embedded-file",
      "return-to-gate",
      "close-gate",
      "show-home-page",
      "show-not-found",
      documentsSource.id,
    ],
  },
];

/** Returns the role of an operation's function, whether shared or its own. */
export function sharedRoleOf(id: AnsweringFunctionId): SharedRole {
  const found = sharedRoles.find(({ together, apart }) =>
    [...(together ?? []), ...(apart ?? [])].some((one) => one === id),
  );
  return found ?? { id: constructId(id), apart: [id] };
}
