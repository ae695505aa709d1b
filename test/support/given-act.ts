import { type Act, visitor } from "../../functions/table/audit.ts";

/** What the audit trail says of what a test has stored for itself. */
export function givenAct(atMs = Date.now()): Act {
  return { action: "given", actor: visitor, atMs };
}
