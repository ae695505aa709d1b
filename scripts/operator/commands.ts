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
import { membersCommand } from "./members/members.ts";
import { preflightCommand } from "./preflight/preflight-command.ts";
import { restoreCommand } from "./restore/restore.ts";
import { rotateCookieKeyCommand } from "./rotate-cookie-key.ts";
import { smokeCommand } from "./smoke/smoke.ts";
import { takedownCommand } from "./takedown/takedown-command.ts";
import { transferCommand } from "./transfer/transfer.ts";
import { recountCommand } from "./upkeep/recount.ts";
import { reindexCommand } from "./upkeep/reindex.ts";
import { sweepCommand } from "./upkeep/sweep.ts";
import { tagFilesCommand } from "./upkeep/tag-files.ts";
import { webhookSecretCommand } from "./webhook-secret.ts";

/** The commands by their names, in the order of the list. */
export const commands: Readonly<Record<string, Command>> = {
  preflight: preflightCommand,
  smoke: smokeCommand,
  members: membersCommand,
  accounts: accountsCommand,
  transfer: transferCommand,
  visibility: visibilityCommand,
  takedown: takedownCommand,
  feedback: feedbackCommand,
  suspend: suspendCommand,
  unsuspend: unsuspendCommand,
  ban: banCommand,
  unban: unbanCommand,
  suspensions: suspensionsCommand,
  tokens: tokensCommand,
  audit: auditCommand,
  export: exportCommand,
  "delete-account": deleteAccountCommand,
  recount: recountCommand,
  reindex: reindexCommand,
  sweep: sweepCommand,
  "tag-files": tagFilesCommand,
  restore: restoreCommand,
  "rotate-cookie-key": rotateCookieKeyCommand,
  "webhook-secret": webhookSecretCommand,
  explain: explainCommand,
};
