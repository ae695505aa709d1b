import type { Identity } from "../../functions/accounts/identity.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { cookieKeys } from "../../functions/platform/cookie-keys.ts";
import { keys } from "../../functions/platform/keys.ts";
import { sessionCookie, sessionReference } from "../../functions/readers/session.ts";
import { readerSessions } from "../../functions/readers/session-store.ts";
import { signTicket } from "../../functions/readers/ticket.ts";
import { silently } from "../../scripts/bench/calls/operation-caller.ts";
import { CookieJar } from "../support/cookie-jar.ts";
import { givenAct } from "../support/given-act.ts";
import { givenDrop, type World } from "./given-world.ts";

/** The owner of a world, signed in to read, in a browser. */
export interface Reader {
  readonly browser: CookieJar;
  readonly reference: string;
}

/** Signs the owner of a world in to read. */
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

/** A drop that only its reader may see, and the reader on the way back to it with a ticket. */
export async function givenTicket(world: World) {
  const drop = await givenDrop(world);
  const readers = [{ kind: "email", email: `${world.namespace}@example.com` }] as const;
  await drops.change(drop, givenAct(), (current: Drop) => ({
    drop: { ...current, visibility: { kind: "people", readers }, revision: current.revision + 1 },
  }));
  const { slug } = drop;
  const { browser, reference } = await givenReader(world);
  const out = await silently("enter-drop", "", { params: { slug }, browser });
  const going = new URL(out.headers.location ?? "").searchParams;
  const facts = { host: new URL(process.env.BASE_URL ?? "").host, slug, session: reference };
  const ticket = { ...facts, bind: going.get("bind") ?? "" };
  const back = { ticket: signTicket(await cookieKeys.signing(), ticket, Date.now()) };
  return { slug, browser, reference, going: Object.fromEntries(going), back };
}

/** The same, come in with it. */
export async function givenPass(world: World) {
  const { slug, browser, back } = await givenTicket(world);
  await silently("enter-drop", "", { params: { slug }, browser, query: back });
  return { params: { slug }, browser };
}
