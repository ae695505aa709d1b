import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { readerSessions, sessionCookie, sessionReference } from "../../functions/identity/readers.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import { keys } from "../../functions/table/keys.ts";
import { CookieJar } from "../support/cookie-jar.ts";
import { givenAct } from "../support/given-act.ts";
import { givenDrop, type World } from "./given-world.ts";

/** The browser of a world's owner, signed in as a reader. */
export interface Reader {
  readonly browser: CookieJar;
  readonly reference: string;
}

/** Signs the owner of a world in as a reader. */
export async function givenReader({ userId, namespace, partitions }: World): Promise<Reader> {
  const identity: Identity = {
    provider: "https://id.example.com",
    id: userId,
    username: namespace,
    emails: [`${namespace}@example.com`],
    groups: [],
    organizations: [],
  };
  const id = await readerSessions.start({ identity, userId }, undefined, givenAct());
  const reference = sessionReference(id);
  partitions.add(keys.readerSession(reference).pk);
  const browser = new CookieJar();
  browser.store(new URL(process.env.BASE_URL ?? ""), [sessionCookie(id)]);
  return { browser, reference };
}

/** Creates a drop restricted to one reader, and the reader's browser. */
export async function givenRestrictedDrop(world: World) {
  const drop = await givenDrop(world);
  const readers = [{ kind: "email", email: `${world.namespace}@example.com` }] as const;
  await drops.change(drop, givenAct(), (current: Drop) => ({
    drop: { ...current, visibility: { kind: "people", readers }, revision: current.revision + 1 },
  }));
  const { slug } = drop;
  return { slug, params: { slug }, ...(await givenReader(world)) };
}
