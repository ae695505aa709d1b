import { ApiError } from "../core/errors.ts";
import { validate } from "../http/validation.ts";
import { isTeamId } from "../table/identifiers.ts";
import { tokens } from "../table/tokens.ts";
import { setTeamRoleBody } from "../teams/schemas.ts";
import { teams } from "../teams/store.ts";
import { requireRule } from "../teams/team-rule.ts";
import { findFile, readAccountFacts, requireAccountRow } from "./account-facts.ts";
import { renderAdminAccountPage } from "./account-page.tsx";
import { type AccountRow, isBanned } from "./accounts.ts";
import { type CompletedAction, administrationText as words } from "./administration-text.ts";
import { type AdministratorFormInput, administratorForm, requireTypedName } from "./administrator.ts";
import { findHolder, setHold } from "./legal-holds.ts";
import { startLongAction } from "./long-action.ts";
import { changeAdminAccountRoute } from "./rows.ts";
import { endSessions, unbanIdentity } from "./suspension.ts";

type Input = AdministratorFormInput<typeof changeAdminAccountRoute>;

/** POST /admin/accounts/{namespace}: performs an administrator's action on an account, a team or a file. */
export const changeAdminAccount = administratorForm(changeAdminAccountRoute, {
  destinationOf: ({ path }) => `/admin/accounts/${path.namespace}`,
  change: async (input) => {
    const account = await requireAccountRow(input.path.namespace);
    return `/admin/accounts/${account.namespace}?done=${await change(account, input)}`;
  },
  showAgain: async (input, problem) => {
    const { fields } = input;
    const facts = await readAccountFacts(input, fields.get("file") ?? "");
    return (nonce) => renderAdminAccountPage({ ...input, ...facts, problem, sent: fields, nonce });
  },
});

/** Actions on an account holder. Teams do not have these actions. */
const personActions = ["ban", "unban", "end-sessions"];

/** Actions that administrators cannot perform on their own account, because they could not undo them. */
const othersActions = ["suspend", "ban"];

/** Requires that the account's current state allows the action. @throws ApiError otherwise */
function requireSuited({ userId, isBeingDeleted }: AccountRow, action: string, { signedIn }: Input): void {
  if (isBeingDeleted) throw new ApiError("precondition_failed", { message: words.beingDeleted });
  const isUnsuited = personActions.includes(action) && isTeamId(userId);
  if (isUnsuited) throw new ApiError("invalid_arg", { message: words.teamOnly });
  const isOwn = othersActions.includes(action) && userId === signedIn.reader.userId;
  if (isOwn) throw new ApiError("invalid_arg", { message: words.ownAccount });
}

async function change(account: AccountRow, input: Input): Promise<CompletedAction> {
  const { fields, auditAs } = input;
  const { userId, namespace } = account;
  const action = fields.get("change") ?? "";
  requireSuited(account, action, input);
  switch (action) {
    case "suspend":
      requireTypedName(fields, namespace);
      await startLongAction({ kind: "suspend", userId }, auditAs("suspend"));
      return "suspending";
    case "unsuspend":
      if (await isBanned(account)) throw new ApiError("invalid_arg", { message: words.unsuspendBanned });
      await startLongAction({ kind: "unsuspend", userId }, auditAs("unsuspend"));
      return "unsuspending";
    case "ban":
      requireTypedName(fields, namespace);
      await startLongAction({ kind: "ban", userId }, auditAs("ban"));
      return "banning";
    case "unban":
      await unbanIdentity(namespace, auditAs("unban"));
      return "unbanned";
    case "add-hold":
      await setHold({ ownerId: userId }, true, auditAs("add-hold"));
      return "held";
    case "remove-hold":
      requireTypedName(fields, namespace);
      await setHold({ ownerId: userId }, false, auditAs("remove-hold"));
      return "released";
    case "end-sessions":
      await endSessions(account, auditAs("end-sessions"));
      return "sessions-ended";
    case "revoke-tokens":
      requireTypedName(fields, namespace);
      await tokens.revokeAll(userId, auditAs("revoke-token"));
      return "tokens-revoked";
    case "takedown":
      return takeDownFile(account, fields.get("file") ?? "", { fields, auditAs });
    case "role":
      await teams.setRole(userId, readRule(fields), readRole(fields), auditAs("set-team-role"));
      return "person-saved";
    case "remove":
      await teams.setRole(userId, readRule(fields), undefined, auditAs("remove-team-role"));
      return "person-removed";
    default:
      throw new ApiError("invalid_arg");
  }
}

async function takeDownFile(
  { userId }: AccountRow,
  file: string,
  { fields, auditAs }: Pick<Input, "auditAs" | "fields">,
): Promise<CompletedAction> {
  const found = await findFile(file);
  if (found?.ownerId !== userId) throw new ApiError("not_found");
  const { namespace, id } = found;
  if ((await findHolder(userId)) !== undefined)
    throw new ApiError("forbidden", { message: words.heldTakedown });
  requireTypedName(fields, id);
  await startLongAction({ kind: "takedown", target: { kind: "file", namespace, id } }, auditAs("takedown"));
  return "taking-down";
}

function readRule(fields: URLSearchParams) {
  return requireRule(fields.get("reader")?.trim() ?? "");
}

function readRole(fields: URLSearchParams) {
  return validate(setTeamRoleBody, { role: fields.get("role") }).role;
}
