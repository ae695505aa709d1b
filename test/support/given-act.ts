import { type Act, visitor } from "../../functions/table/audit.ts";

/** Audit fields of items that a test stores. */
export function givenAct(atMs = Date.now()): Act {
  return { action: "given", actor: visitor, atMs };
}
