import { exportCommand } from "./account-export.ts";
import { accountsCommand } from "./accounts.ts";
import { auditCommand } from "./audit-command.ts";
import type { Command } from "./command.ts";
import { deleteAccountCommand } from "./delete-account.ts";
import { explainCommand } from "./explain.ts";
import { feedbackCommand } from "./feedback-command.ts";
import { membersCommand } from "./members.ts";
import { preflightCommand } from "./preflight-command.ts";
import { recountCommand } from "./recount.ts";
import { reindexCommand } from "./reindex.ts";
import { restoreCommand } from "./restore.ts";
import { rotateCookieKeyCommand } from "./rotate-cookie-key.ts";
import { smokeCommand } from "./smoke.ts";
import { banCommand, suspendCommand, unbanCommand, unsuspendCommand } from "./suspend.ts";
import { suspensionsCommand } from "./suspensions.ts";
import { sweepCommand } from "./sweep.ts";
import { takedownCommand } from "./takedown-command.ts";
import { tokensCommand } from "./tokens.ts";
import { transferCommand } from "./transfer.ts";
import { visibilityCommand } from "./visibility.ts";
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
  restore: restoreCommand,
  "rotate-cookie-key": rotateCookieKeyCommand,
  "webhook-secret": webhookSecretCommand,
  explain: explainCommand,
};
