import { accessRequestId } from "../../functions/access-requests/access-request.ts";
import { accessRequests, type SentRequest } from "../../functions/access-requests/store.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { hashSecret } from "../../functions/table/identifiers.ts";
import { givenAct } from "./given-act.ts";

/** Stores a person's access request in this process's stores and returns its id. */
export async function storeAccessRequest(
  { ownerId, slug }: Pick<Drop, "ownerId" | "slug">,
  person = "grace",
  sent: Partial<SentRequest> = {},
): Promise<string> {
  const id = accessRequestId(slug, person);
  const facts = {
    id,
    name: person,
    reader: `${person}@example.com`,
    text: "Please.",
    personHash: hashSecret(person),
  };
  await accessRequests.send(slug, ownerId, { ...facts, requestedAtMs: Date.now(), ...sent }, givenAct());
  return id;
}

/** Restricts a drop to one reader. */
export async function restrictDrop(drop: Drop): Promise<void> {
  const readers = [{ kind: "email", email: "ada@example.com" }] as const;
  await drops.change(drop, givenAct(), (current) => ({
    drop: { ...current, visibility: { kind: "people", readers }, revision: current.revision + 1 },
  }));
}
