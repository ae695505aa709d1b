// @module-tag slow

import { afterAll, beforeAll, expect, test } from "vitest";
import { administrationText } from "../../functions/administration/administration-text.ts";
import { sessionReference } from "../../functions/identity/readers.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import {
  type Facts,
  memberAs,
  ofTheDomain,
  signInAs,
  startMembersService,
} from "../identity/given-members.ts";
import { runCommand, statusesOf } from "../operator/given-service.ts";
import { publish } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { sendOneForm } from "../support/own-pages.ts";
import type { RunningService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { type Visit, Visitor } from "../support/visitor.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startMembersService(
    { administrators: ["group:platform"], accessRequests: true },
    // A suspension waits for requests that have begun, while other acts go on.
    { environmentsPerFunction: 8 },
  );
});
afterAll(() => service.stop());

const { done } = administrationText;

/** An administrator who has just signed in. */
async function newAdministrator() {
  const username = unusedUsername("root");
  const visitor = new Visitor();
  await openAs("/admin", { username, groups: "publishers, platform" }, visitor);
  return { username, visitor };
}

/** Signs in in a browser, on the way to a page. */
async function openAs(path: string, facts: Facts, visitor = new Visitor()): Promise<Visit> {
  return visitor.submit(await visitor.open(path), { username: unusedUsername("ada"), ...facts });
}

/** A member with a token, a drop, and the path of their page for administrators. */
async function newMember() {
  const facts = ofTheDomain();
  const member = await memberAs(facts);
  const { namespace } = (await member.api.succeed("get-me")).account;
  const drop = await publish(member.api);
  return { ...member, email: facts.email, namespace, drop, path: `/admin/accounts/${namespace}` };
}

/** Does an act on the page at a path, and returns the page that follows. */
async function act(visitor: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
  return sendOneForm(visitor, await visitor.open(path), path, fields);
}

/** The lines of the audit trail about an account, as an operator reads them. */
async function linesOf(account: string): Promise<readonly Record<string, unknown>[]> {
  const dataDirectory = `${service.directory}/data`;
  const { lines } = await runCommand(auditCommand, { dataDirectory }, [], { account, json: true });
  return lines.map((line) => JSON.parse(line));
}

test("an administrator suspends an account and lifts the suspension, and the audit trail has their name", async () => {
  const ada = await newMember();
  const { username, visitor } = await newAdministrator();
  const addresses = [ada.drop.url, ada.drop.raw_url];

  const suspending = await act(visitor, ada.path, { change: "suspend", confirm: ada.namespace });

  expect(suspending.response.text).toContain(done.suspending);
  await expect.poll(() => statusesOf(addresses), { timeout: 20_000 }).toEqual([404, 404]);
  await expect.poll(async () => (await ada.api.call("get-me")).status).toBe(403);
  expect((await visitor.open(ada.path)).response.text).toContain(administrationText.states.suspended);
  expect((await linesOf(ada.userId)).at(-1)).toMatchObject({
    action: "suspend",
    by: "administrator",
    person: username,
  });

  await act(visitor, ada.path, { change: "unsuspend" });

  await expect.poll(async () => (await ada.api.call("get-me")).status, { timeout: 20_000 }).toBe(200);
  await expect.poll(() => statusesOf(addresses)).toEqual([200, 200]);
  expect((await linesOf(ada.userId)).at(-1)).toMatchObject({ action: "unsuspend", person: username });
});

test("a banned person cannot sign in until the ban is lifted", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();

  await act(visitor, ada.path, { change: "ban", confirm: ada.namespace });

  const facts = { username: ada.username, email: ada.email, email_verified: "true" };
  await expect.poll(async () => (await signInAs(facts)).response.status, { timeout: 20_000 }).toBe(403);
  const refused = await act(visitor, ada.path, { change: "unsuspend" });
  expect([refused.response.status, refused.response.text]).toEqual([
    400,
    expect.stringContaining(administrationText.unsuspendBanned),
  ]);

  await act(visitor, ada.path, { change: "unban" });
  expect((await linesOf(ada.userId)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["ban", "suspend", "unban"]),
  );
});

test("an administrator takes a page down, which is gone for everyone", async () => {
  const ada = await newMember();
  const { username, visitor } = await newAdministrator();
  const path = `/admin/drops/${ada.drop.slug}`;

  const wrong = await act(visitor, path, { change: "takedown", confirm: "something else" });
  expect([wrong.response.status, wrong.response.text]).toEqual([
    400,
    expect.stringContaining(administrationText.notConfirmed(ada.drop.slug)),
  ]);
  expect(await statusesOf([ada.drop.url])).toEqual([200]);

  const right = await act(visitor, path, { change: "takedown", confirm: ada.drop.slug });

  expect(right.response.text).toContain(done["taking-down"]);
  await expect
    .poll(() => statusesOf([ada.drop.url, ada.drop.raw_url]), { timeout: 20_000 })
    .toEqual([404, 404]);
  expect((await linesOf(ada.userId)).at(-1)).toMatchObject({
    action: "takedown",
    slug: ada.drop.slug,
    person: username,
  });
});

test("a page on legal hold is neither deleted by its owner nor taken down until the hold ends", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();
  const { slug } = ada.drop;
  const path = `/admin/drops/${slug}`;

  await act(visitor, path, { change: "add-hold" });

  expect((await ada.api.call("delete-drop", { params: { slug } })).status).toBe(403);
  const refused = await act(visitor, path, { change: "takedown", confirm: slug });
  expect([refused.response.status, refused.response.text]).toEqual([
    403,
    expect.stringContaining(administrationText.heldTakedown),
  ]);

  await act(visitor, path, { change: "remove-hold", confirm: slug });
  expect((await ada.api.call("delete-drop", { params: { slug } })).status).toBe(204);
});

test("ended sessions are signed out with the next request, and tokens keep working until they are revoked", async () => {
  const ada = await newMember();
  const browser = new Visitor();
  await openAs("/account", { username: ada.username, email: ada.email, email_verified: "true" }, browser);
  const { visitor } = await newAdministrator();
  expect((await browser.request("/account")).response.status).toBe(200);

  await act(visitor, ada.path, { change: "end-sessions" });

  expect((await browser.request("/account")).response.status).toBe(302);
  expect((await ada.api.call("get-me")).status).toBe(200);
  await act(visitor, ada.path, { change: "revoke-tokens", confirm: ada.namespace });
  expect((await ada.api.call("get-me")).status).toBe(401);
  await openAs("/account", { username: ada.username, email: ada.email, email_verified: "true" }, browser);
  expect((await browser.request("/account")).response.status).toBe(200);
});

test("a member who is no administrator, and a person who is no member, get the page of an unknown address", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();
  const member = new Visitor();
  await openAs("/account", { username: unusedUsername("bob"), groups: "publishers" }, member);
  const outsider = new Visitor();
  await openAs("/account", { username: unusedUsername("eve"), groups: "platform-readers" }, outsider);

  for (const path of ["/admin", ada.path, `/admin/drops/${ada.drop.slug}`, "/admin/audit"]) {
    expect((await visitor.open(path)).response.status).toBe(200);
    for (const other of [member, outsider]) expect((await other.open(path)).response.status).toBe(404);
  }
  const form = await visitor.open(ada.path);
  const sent = await sendOneForm(member, form, ada.path, { change: "suspend", confirm: ada.namespace });
  expect(sent.response.status).toBe(404);
  expect((await linesOf(ada.userId)).map(({ action }) => action)).not.toContain("suspend");
});

test("a sign-in older than 15 minutes reads and changes nothing, and another sign-in leads back", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();
  const form = await visitor.open(ada.path);
  await makeOlder(visitor, 15 * 60_000 + 1_000);

  const refused = await sendOneForm(visitor, form, ada.path, { change: "suspend", confirm: ada.namespace });
  const read = await visitor.request(ada.path);

  expect([refused.response.status, refused.response.text]).toEqual([
    403,
    expect.stringContaining(administrationText.signInAgain.message),
  ]);
  expect((await linesOf(ada.userId)).map(({ action }) => action)).not.toContain("suspend");
  expect(read.response.status).toBe(302);
  const again = await visitor.request(read.response.headers.location ?? "");
  expect(again.response.headers.location).toContain("prompt=");
  const back = await visitor.submit(await visitor.open(ada.path), {
    username: unusedUsername("root"),
    groups: "publishers, platform",
  });
  expect([back.url.pathname, back.response.status]).toEqual([ada.path, 200]);
});

/** Moves the sign-in of a browser's session back. */
async function makeOlder(visitor: Visitor, byMs: number): Promise<void> {
  const [, id = ""] = /__Host-dl_reader=([^;]+)/.exec(visitor.cookiesFor(baseUrl())) ?? [];
  const { updated } = await updateItem({
    key: keys.readerSession(sessionReference(id)),
    update: "ADD createdAtMs :less",
    condition: "attribute_exists(pk)",
    values: { ":less": -byMs },
  });
  expect(updated).toBe(true);
}

test("accounts are found by name and address, and pages by slug and by address", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();
  const find = async (q: string) => visitor.open(`/admin?${new URLSearchParams({ q })}`);

  for (const text of [ada.namespace, ada.email.toUpperCase(), ada.userId])
    expect((await find(text)).response.text).toContain(`href="${ada.path}"`);
  for (const text of [ada.drop.slug, ada.drop.url, `${ada.drop.raw_url}?v=1`])
    expect((await find(text)).url.pathname).toBe(`/admin/drops/${ada.drop.slug}`);
  expect((await find("no such account")).response.text).toContain(administrationText.accounts.none);
});

test("an administrator creates a team and gives it another owner", async () => {
  const ada = await newMember();
  const { username, visitor } = await newAdministrator();
  const namespace = unusedUsername("growth");

  const created = await sendOneForm(visitor, await visitor.open("/admin"), "/admin/teams", {
    namespace,
    owner: "group:growth",
  });
  expect(created.url.pathname).toBe(`/admin/accounts/${namespace}`);
  await act(visitor, created.url.pathname, { change: "role", reader: ada.email, role: "owner" });

  const { teams } = await ada.api.succeed("list-teams");
  expect(teams).toMatchObject([{ namespace, role: "owner" }]);
  const last = await act(visitor, created.url.pathname, { change: "remove", reader: "group:growth" });
  expect(last.response.text).toContain(done["person-removed"]);
  const refused = await act(visitor, created.url.pathname, { change: "remove", reader: ada.email });
  expect(refused.response.status).toBe(409);
  expect((await linesOf(namespace)).map(({ action, person }) => [action, person])).toEqual([
    ["create-team", username],
    ["set-team-role", username],
    ["remove-team-role", username],
  ]);
});

test("a restricted page's title stays hidden from administrators who may not read it", async () => {
  const ada = await newMember();
  const title = `Salaries ${ada.drop.slug}`;
  const { slug } = await publish(ada.api, { title, visibility: "people", readers: [ada.email] });
  const { visitor } = await newAdministrator();

  const pages = await Promise.all([ada.path, `/admin/drops/${slug}`].map((path) => visitor.open(path)));

  for (const { response } of pages) {
    expect(response.text).not.toContain(title);
    expect(response.text).toContain(administrationText.account.restricted);
  }
});

test("the audit trail shows who acted, by account and by page", async () => {
  const ada = await newMember();
  const { username, visitor } = await newAdministrator();
  await act(visitor, `/admin/drops/${ada.drop.slug}`, { change: "add-hold" });

  const ofAccount = await visitor.open(`/admin/audit?account=${ada.namespace}`);
  const ofDrop = await visitor.open(`/admin/audit?drop=${ada.drop.slug}`);

  expect(ofAccount.response.text).toContain("publish-drop");
  for (const { response } of [ofAccount, ofDrop])
    expect(response.text.replaceAll(/<[^>]+>/g, " ")).toMatch(new RegExp(`add-hold\\s+${username}`));
});
