import { randomUUID } from "node:crypto";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { readerSessions, sessionCookie, sessionReference } from "../../functions/identity/readers.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { givenAct } from "../support/given-act.ts";
import { baseUrl } from "../support/http.ts";
import { Visitor } from "../support/visitor.ts";

/** A reader who is signed in. */
export interface GivenReader {
  readonly identity: Identity;
  readonly visitor: Visitor;
  /** Session id in the browser's cookie. */
  readonly sessionId: string;
  readonly reference: string;
}

/** Signs a reader with the given identity in, with a new browser. */
export async function givenReader(facts: Partial<Identity> = {}, userId?: string): Promise<GivenReader> {
  const id = randomUUID();
  const identity: Identity = {
    provider: "https://id.example.com",
    id,
    username: `reader-${id}`,
    emails: [],
    groups: [],
    organizations: [],
    ...facts,
  };
  const sessionId = await readerSessions.start({ identity, userId }, undefined, givenAct());
  const visitor = new Visitor();
  visitor.keep(baseUrl(), sessionCookie(sessionId));
  return { identity, visitor, sessionId, reference: sessionReference(sessionId) };
}

/** Sets a drop's visibility like an edit. */
export function setVisibility(drop: Drop, visibility: Visibility): Promise<void> {
  return change(drop, { visibility });
}

/** Makes a drop expire now. An edit cannot do this, because the API accepts future times only. */
export function expire(drop: Drop): Promise<void> {
  return change(drop, { expiresAtMs: Date.now() });
}

async function change(drop: Drop, changes: Partial<Drop>): Promise<void> {
  const current = await drops.find(drop.ownerId, drop.slug);
  if (current === undefined) throw new Error(`The drop ${drop.slug} is not there.`);
  await drops.change(current, givenAct(), (one) => ({
    drop: { ...one, ...changes, revision: one.revision + 1 },
  }));
}
