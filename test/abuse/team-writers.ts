import { vi } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { sendByTool } from "../model/tool-call.ts";
import { type Account, newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import type { ReceivedResponse } from "../support/http.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { longMs } from "../support/patience.ts";
import { race } from "../support/race.ts";
import type { Visit, Visitor } from "../support/visitor.ts";
import { givenToken } from "./given-person.ts";

/** A recorded write. Requests and responses are numbered by one counter, which gives their order. */
export interface HistoricWrite {
  readonly way: Way;
  /** The person who wrote, undefined for a service token. */
  readonly personId: string | undefined;
  readonly slug: string;
  /** The text of the page, or the title for the form. */
  readonly text: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
  /** The version in the response. @default - no version was created */
  readonly version?: number;
}

/** A time in which a person is certainly not in the team: from a removal's response to the request that adds them again. */
export interface Absence {
  readonly personId: string;
  /** When the removal was requested. */
  readonly endingAt: number;
  readonly from: number;
  readonly until: number;
  /** When the response to the request that adds them again was received. */
  readonly backAt: number;
}

/** All writes to a team's drops, and the last acknowledged roles. */
export interface TeamHistory {
  readonly teamId: string;
  readonly api: ApiClient;
  readonly slugs: readonly string[];
  readonly writes: readonly HistoricWrite[];
  readonly absences: readonly Absence[];
  readonly people: { readonly owners: readonly string[]; readonly editors: readonly string[] };
}

/** The ways in which five people write. */
type Way = "API" | "tool" | "form" | "raw HTML" | "service token";

/** The team has several drops, so that a form is not always outdated when it is sent. */
const dropCount = 5;
/** Role changes by each owner, within a token's writes per minute. */
const roleChangesMax = 20;

/**
 * Lets five people write to a team's drops concurrently, each in a different way, while two owners change roles: one person
 * leaves and returns, one leaves for good, and one alternates between owner and editor.
 *
 * @param writesEach minimum number of writes per person
 */
export async function writeAsTeam(writesEach: number): Promise<TeamHistory> {
  const [root, ada, grace, dora] = await race(4, (index) => newAccount(`writer${index}`));
  const bob = await newOwner("former");
  if (!root || !ada || !grace || !dora) throw new Error("The accounts are missing.");
  const owners = [root.username, ada.username];
  const editors = [grace, bob, dora].map(({ username }) => username);
  const { namespace } = await newTeam(root, { owners, editors });
  const service = await root.api.succeed("create-team-token", {
    params: { namespace },
    body: { label: "Nightly report" },
  });
  const serviceApi = new ApiClient(service.api_token);
  const { user_id: teamId } = await serviceApi.succeed("get-me");
  const tokenOf = ({ userId: personId }: Account) => givenToken(teamId, { personId });
  const api = new ApiClient(await tokenOf(root));
  const drops = await race(dropCount, () => publish(api));
  const slugs = drops.map(({ slug }) => slug);

  const history = new History(slugs);
  const roles = new Roles(history, root, namespace);
  const tokens = await Promise.all([ada, grace, dora].map(tokenOf));
  const [adas = "", graces = "", doras = ""] = tokens;
  const writers = [
    history.keepWriting(writesEach, "API", ada.userId, versionsBy(new ApiClient(adas))),
    history.keepWriting(writesEach, "tool", grace.userId, versionsByTool(graces), () => roles.areDone),
    history.keepWriting(writesEach, "raw HTML", dora.userId, versionsInHtml(new ApiClient(doras))),
    history.keepWriting(writesEach, "service token", undefined, versionsBy(serviceApi)),
    history.keepWriting(1, "form", bob.userId, titlesByForm(bob.visitor), () => roles.areDone),
  ];
  const changes = [
    roles.removeAndAdd(bob, grace, writesEach * 4),
    changeRoles(ada, namespace, dora, Math.min(writesEach, roleChangesMax)),
  ];
  await Promise.all([...writers, ...changes]);
  // The other writers are done, so the form is not outdated.
  await history.write("form", bob.userId, titlesByForm(bob.visitor), 0);

  const strangers = strangersOf(Math.min(writesEach, roleChangesMax));
  return {
    ...{ teamId, api, slugs, writes: history.writes, absences: history.absences },
    people: { owners: owners.toSorted(), editors: [bob.username, dora.username, ...strangers].toSorted() },
  };
}

/** Makes one write, and returns its status and the created version. */
type Send = (slug: string, text: string) => Promise<{ readonly status: number; readonly version?: number }>;

/** Records writes in the order of their requests and responses. */
class History {
  readonly #slugs: readonly string[];
  readonly writes: HistoricWrite[] = [];
  readonly absences: Absence[] = [];
  #moment = 0;

  constructor(slugs: readonly string[]) {
    this.#slugs = slugs;
  }

  next(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Waits until a person, or anyone, has made `count` writes. */
  async untilWritten(count: number, personId?: string): Promise<void> {
    const written = () => this.writes.filter((one) => personId === undefined || one.personId === personId);
    await vi.waitUntil(() => written().length >= count, { timeout: longMs, interval: 5 });
  }

  /** Writes to the drops in turn, at least `writesMin` times and until `isOver`. */
  async keepWriting(
    writesMin: number,
    way: Way,
    personId: string | undefined,
    send: Send,
    isOver: () => boolean = () => true,
  ): Promise<void> {
    for (let index = 0; index < writesMin || !isOver(); index += 1)
      await this.write(way, personId, send, index);
  }

  async write(way: Way, personId: string | undefined, send: Send, index: number): Promise<void> {
    const slug = this.#slugs[index % this.#slugs.length] ?? "";
    const sentAt = this.next();
    const text = `${way} ${sentAt}`;
    const outcome = await send(slug, text);
    this.writes.push({ way, personId, slug, text, sentAt, answeredAt: this.next(), ...outcome });
  }
}

/** Changes roles as the first owner while others write. */
class Roles {
  readonly #history: History;
  readonly #root: Account;
  readonly #namespace: string;
  /** True once all removed people have tried to write. */
  areDone = false;

  constructor(history: History, root: Account, namespace: string) {
    this.#history = history;
    this.#root = root;
    this.#namespace = namespace;
  }

  /**
   * Removes the first person for a while and the second for good. Both try to write while they are out.
   *
   * @param writesAll number of writes that are certainly made, a quarter of them before the first removal
   */
  async removeAndAdd(first: Account, second: Account, writesAll: number): Promise<void> {
    await this.#history.untilWritten(writesAll / 4);
    const out = await this.#remove(first);
    await this.#history.untilWritten(writesAll / 2);
    const until = this.#history.next();
    const params = { namespace: this.#namespace, reader: first.username };
    await this.#root.api.succeed("set-team-role", { params, body: { role: "editor" } });
    this.#history.absences.push({ ...out, until, backAt: this.#history.next() });
    const outForGood = await this.#remove(second);
    const never = Number.POSITIVE_INFINITY;
    this.#history.absences.push({ ...outForGood, until: never, backAt: never });
    this.areDone = true;
  }

  /** Removes a person and waits for two more of their writes, because the first may have been sent before. */
  async #remove({ username, userId: personId }: Account) {
    const endingAt = this.#history.next();
    const params = { namespace: this.#namespace, reader: username };
    await this.#root.api.succeed("remove-team-role", { params });
    const from = this.#history.next();
    const before = this.#history.writes.filter((one) => one.personId === personId).length;
    await this.#history.untilWritten(before + 2, personId);
    return { personId, endingAt, from };
  }
}

/** Makes a person owner and editor alternately, finally editor, and adds a stranger each time. */
async function changeRoles(
  { api }: Account,
  namespace: string,
  person: Account,
  count: number,
): Promise<void> {
  const set = (reader: string, role: string) =>
    api.succeed("set-team-role", { params: { namespace, reader }, body: { role } });
  for (const [index, stranger] of strangersOf(count).entries())
    await Promise.all([
      set(person.username, index % 2 === count % 2 ? "owner" : "editor"),
      set(stranger, "editor"),
    ]);
  await set(person.username, "editor");
}

function strangersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `stranger${index}@example.com`);
}

function versionsBy(api: ApiClient): Send {
  return async (slug, text) =>
    outcomeOf(await api.call("publish-version", { params: { slug }, body: { html: pageOf(text) } }));
}

function versionsInHtml(api: ApiClient): Send {
  const headers = { "content-type": "text/html" };
  return async (slug, text) =>
    outcomeOf(await api.call("publish-version", { params: { slug }, text: pageOf(text), headers }));
}

function versionsByTool(token: string): Send {
  const operation = "publish-version";
  return async (slug, text) =>
    outcomeOf(
      await sendByTool({ operation, token, params: { slug }, body: { html: pageOf(text) } }, operation),
    );
}

function outcomeOf({ status, text }: ReceivedResponse) {
  if (status !== 200) return { status };
  return { status, version: (JSON.parse(text) as DropResponse).latest_version };
}

/** Changes titles with the form on a drop's page. If the person has lost access, sends the form that they opened before. */
function titlesByForm(visitor: Visitor): Send {
  const opened = new Map<string, Visit>();
  return async (slug, text) => {
    const path = `/account/drops/${slug}`;
    const page = await visitor.open(path);
    if (page.response.status === 200) opened.set(slug, page);
    const form = opened.get(slug);
    if (form === undefined) return { status: page.response.status };
    const sent = await sendForm(visitor, form, path, { title: text });
    return { status: sent.url.search === "?done=saved" ? 200 : sent.response.status };
  };
}
