import { randomInt } from "node:crypto";
import { scimTokens } from "../../../functions/scim/scim-tokens.ts";
import type { OperationCall, Walk } from "./operation-caller.ts";

const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A company's directory: it provisions a person and their group, and takes the person out. */
export async function walkScim(walk: Walk, username: string): Promise<void> {
  const actor = { kind: "operator", name: "bench" } as const;
  const act = { action: "create-scim-token", actor, atMs: Date.now() };
  const created = await scimTokens.create(act, randomInt);
  if (created === undefined) throw new Error("There are two SCIM tokens already.");
  const send = (variant: string, method: string, proxy: string, call: OperationCall = {}) =>
    walk("call-scim", variant, { token: created.plaintext, method, params: { proxy }, ...call });
  const patch = (variant: string, path: string, operation: object, call: OperationCall = {}) =>
    send(variant, "PATCH", path, { ...call, body: { schemas: [patchSchema], Operations: [operation] } });
  const add = (type: "User" | "Group", variant: string, body: object) =>
    send(variant, "POST", `${type}s`, {
      body: { schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type}`], ...body },
      expectedStatus: 201,
    });
  const idOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as { readonly id: string }).id;

  const user = idOf(await add("User", "a new user", { userName: username }));
  await send("a user by name", "GET", "Users", { query: { filter: `userName eq "${username}"` } });
  const group = idOf(await add("Group", "a new group", { displayName: `${username}'s`, members: [] }));
  const member = { op: "add", path: "members", value: [{ value: user }] };
  await patch("a new member", `Groups/${group}`, member, { expectedStatus: 204 });
  await patch("a deactivation", `Users/${user}`, { op: "replace", value: { active: false } });
  await send("a deletion", "DELETE", `Users/${user}`, { expectedStatus: 204 });
  await send("a group's deletion", "DELETE", `Groups/${group}`, { expectedStatus: 204 });
  await scimTokens.revoke(created.token.id, { ...act, action: "revoke-scim-token" });
}
