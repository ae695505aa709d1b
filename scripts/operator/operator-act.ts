import type { Act, Actor } from "../../functions/table/audit.ts";
import type { Service } from "./service.ts";

/** Audited actions of operators, by command or operation. */
export const operatorActions = [
  "add-hold",
  "add-member",
  "ban",
  "create-scim-token",
  "delete-account",
  "delete-reads",
  "recount",
  "reindex",
  "release-scim-user",
  "remove-feedback",
  "remove-hold",
  "remove-member",
  "restore",
  "restrict-visibility",
  "retention",
  "revoke-scim-token",
  "revoke-token",
  "rotate-cookie-key",
  "rotate-webhook-secret",
  "scan-secrets",
  "suspend",
  "sweep",
  "tag-files",
  "takedown",
  "transfer",
  "unban",
  "unsuspend",
] as const;

export type OperatorAction = (typeof operatorActions)[number];

/** Action of an operator, with the ARN of their credentials. */
export interface OperatorAct extends Act {
  readonly actor: Extract<Actor, { readonly kind: "operator" }>;
}

/**
 * Audit line of an operator's action, for its transaction (`auditWrite`) or before an action without one
 * (`appendToAudit`).
 */
export async function operatorAct(service: Service, action: OperatorAction): Promise<OperatorAct> {
  return { action, actor: { kind: "operator", name: await service.getOperatorArn() }, atMs: Date.now() };
}
