import { accessCommand } from "./access/access.ts";
import { readsCommand } from "./access/reads.ts";
import { accountsCommand, suspensionsCommand, tokensCommand } from "./accounts/account-lists.ts";
import { deleteAccountCommand } from "./accounts/delete-account.ts";
import * as suspend from "./accounts/suspend.ts";
import { visibilityCommand } from "./accounts/visibility.ts";
import { auditCommand } from "./audit.ts";
import type { Command } from "./command.ts";
import { explainCommand } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { feedbackCommand } from "./feedback-command.ts";
import { addHoldCommand, listHoldsCommand, removeHoldCommand } from "./hold.ts";
import { rotateCookieKeyCommand, webhookSecretCommand } from "./keys.ts";
import { addMembersCommand, listMembersCommand, removeMemberCommand } from "./members/members.ts";
import { preflightCommand } from "./preflight/preflight-command.ts";
import { restoreCommand } from "./restore/restore.ts";
import { retentionCommand } from "./retention.ts";
import * as scim from "./scim.ts";
import { secretsCommand } from "./secrets.ts";
import { serverJsonCommand } from "./server-json.ts";
import { smokeCommand } from "./smoke/smoke.ts";
import { takedownCommand } from "./takedown.ts";
import { addTeamCommand, listTeamsCommand, removeTeamCommand } from "./teams.ts";
import { transferCommand } from "./transfer/transfer.ts";
import { recountCommand } from "./upkeep/recount.ts";
import { reindexCommand } from "./upkeep/reindex.ts";
import { sweepCommand } from "./upkeep/sweep.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  preflightCommand,
  smokeCommand,
  addMembersCommand,
  removeMemberCommand,
  listMembersCommand,
  addTeamCommand,
  removeTeamCommand,
  listTeamsCommand,
  scim.createScimTokenCommand,
  scim.listScimTokensCommand,
  scim.revokeScimTokenCommand,
  scim.releaseScimUserCommand,
  accountsCommand,
  accessCommand,
  readsCommand,
  transferCommand,
  visibilityCommand,
  secretsCommand,
  takedownCommand,
  feedbackCommand,
  suspend.suspendCommand,
  suspend.unsuspendCommand,
  suspend.banCommand,
  suspend.unbanCommand,
  suspensionsCommand,
  tokensCommand,
  suspend.signOutCommand,
  auditCommand,
  exportCommand,
  deleteAccountCommand,
  addHoldCommand,
  removeHoldCommand,
  listHoldsCommand,
  retentionCommand,
  recountCommand,
  reindexCommand,
  sweepCommand,
  restoreCommand,
  rotateCookieKeyCommand,
  webhookSecretCommand,
  serverJsonCommand,
  explainCommand,
];
