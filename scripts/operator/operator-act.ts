import type { Act } from "../../functions/table/audit.ts";
import type { Service } from "./service.ts";

/** What operators do that the audit trail tells of: by the names of their commands, or of the operation that it is. */
export const operatorActions = [
  "add-member",
  "ban",
  "delete-account",
  "recount",
  "reindex",
  "remove-feedback",
  "remove-member",
  "restore",
  "restrict-visibility",
  "revoke-token",
  "rotate-cookie-key",
  "rotate-webhook-secret",
  "suspend",
  "sweep",
  "tag-files",
  "takedown",
  "transfer",
  "unban",
  "unsuspend",
] as const;

export type OperatorAction = (typeof operatorActions)[number];

/**
 * What an operator is about to do, for the line that goes into the transaction that does it (`auditWrite`), or before what
 * no transaction does (`appendToAudit`).
 */
export async function operatorAct(service: Service, action: OperatorAction): Promise<Act> {
  return { action, actor: { kind: "operator", name: await service.getOperatorArn() }, atMs: Date.now() };
}
