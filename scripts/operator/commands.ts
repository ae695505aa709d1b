import { accessCommand } from "./access/access.ts";
import { accountsCommand } from "./accounts/accounts.ts";
import { deleteAccountCommand } from "./accounts/delete-account.ts";
import { banCommand, suspendCommand, unbanCommand, unsuspendCommand } from "./accounts/suspend.ts";
import { suspensionsCommand } from "./accounts/suspensions.ts";
import { tokensCommand } from "./accounts/tokens.ts";
import { visibilityCommand } from "./accounts/visibility.ts";
import { auditCommand } from "./audit/audit-command.ts";
import type { Command } from "./command.ts";
import { explainCommand } from "./explain.ts";
import { exportCommand } from "./export/account-export.ts";
import { feedbackCommand } from "./feedback-command.ts";
import { addHoldCommand, listHoldsCommand, removeHoldCommand } from "./hold/hold.ts";
import { addMembersCommand, listMembersCommand, removeMemberCommand } from "./members/members.ts";
import { preflightCommand } from "./preflight/preflight-command.ts";
import { readsCommand } from "./reads/reads.ts";
import { restoreCommand } from "./restore/restore.ts";
import { retentionCommand } from "./retention/retention.ts";
import { rotateCookieKeyCommand } from "./rotate-cookie-key.ts";
import { createScimTokenCommand, listScimTokensCommand, revokeScimTokenCommand } from "./scim/scim-token.ts";
import { releaseScimUserCommand } from "./scim/scim-user.ts";
import { secretsCommand } from "./secrets/secrets.ts";
import { smokeCommand } from "./smoke/smoke.ts";
import { takedownCommand } from "./takedown/takedown-command.ts";
import { transferCommand } from "./transfer/transfer.ts";
import { recountCommand } from "./upkeep/recount.ts";
import { reindexCommand } from "./upkeep/reindex.ts";
import { sweepCommand } from "./upkeep/sweep.ts";
import { tagFilesCommand } from "./upkeep/tag-files.ts";
import { webhookSecretCommand } from "./webhook-secret.ts";

/** The commands in the order of the help. */
export const commands: readonly Command[] = [
  preflightCommand,
  smokeCommand,
  addMembersCommand,
  removeMemberCommand,
  listMembersCommand,
  createScimTokenCommand,
  listScimTokensCommand,
  revokeScimTokenCommand,
  releaseScimUserCommand,
  accountsCommand,
  accessCommand,
  readsCommand,
  transferCommand,
  visibilityCommand,
  secretsCommand,
  takedownCommand,
  feedbackCommand,
  suspendCommand,
  unsuspendCommand,
  banCommand,
  unbanCommand,
  suspensionsCommand,
  tokensCommand,
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
  tagFilesCommand,
  restoreCommand,
  rotateCookieKeyCommand,
  webhookSecretCommand,
  explainCommand,
];
