// @module-tag slow

import type { Context } from "aws-lambda";
import { DomUtils } from "htmlparser2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccountRow } from "../../functions/administration/accounts.ts";
import { administer } from "../../functions/administration/administer.ts";
import { administrationText } from "../../functions/administration/administration-text.ts";
import type { LongAction } from "../../functions/administration/long-action.ts";
import { suspendAccount, unsuspendAccount } from "../../functions/administration/suspension.ts";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import { signInAgainPath } from "../../functions/identity/destination.ts";
import { sessionReference } from "../../functions/identity/readers.ts";
import { auditWrite } from "../../functions/table/audit-trail.ts";
import { keys } from "../../functions/table/keys.ts";
import { isHeld } from "../../functions/table/legal-hold.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { deleteItems, transact, updateItem, writeItems } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import {
  type Facts,
  memberAs,
  members,
  ofTheDomain,
  signInAs,
  startMembersService,
} from "../identity/given-members.ts";
import { runCommand, statusesOf } from "../operator/given-service.ts";
import { newTeam, publish } from "../support/accounts.ts";
import { comparable } from "../support/comparable-response.ts";
import { storeAccessRequest } from "../support/given-access-request.ts";
import { givenAct } from "../support/given-act.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { formRequest, sendOneForm } from "../support/own-pages.ts";
import type { RunningService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startMembersService(
    { administrators: ["group:platform"], accessRequests: true },
    // A suspension waits for running requests, while other actions proceed.
    { environmentsPerFunction: 8 },
  );
});
afterAll(() => service.stop());

const { done } = administrationText;

/** Signs in as a new administrator. */
async function newAdministrator() {
  const username = unusedUsername("root");
  const visitor = new Visitor();
  await openAs("/admin", { username, groups: "publishers, platform" }, visitor);
  return { username, visitor };
}

/** Signs in in a browser while opening a page. */
async function openAs(path: string, facts: Facts, visitor = new Visitor()): Promise<Visit> {
  return visitor.submit(await visitor.open(path), { username: unusedUsername("ada"), ...facts });
}

/** Creates a member with a token and a drop, and returns the path of the account's page for administrators. */
async function newMember() {
  const facts = ofTheDomain();
  const member = await memberAs(facts);
  const { namespace } = (await member.api.succeed("get-me")).account;
  const drop = await publish(member.api);
  return { ...member, email: facts.email, namespace, drop, path: `/admin/accounts/${namespace}` };
}

/** Sends an administrator's action on the page at a path, and returns the next page. */
async function act(visitor: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
  return sendOneForm(visitor, await visitor.open(path), path, fields);
}

/** Returns the audit entries about an account, as an operator reads them. */
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

test("an administrator takes a page down, which is then missing for everyone", async () => {
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

test("a page on legal hold cannot be deleted by its owner or taken down until the hold ends", async () => {
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

test("ended sessions are signed out at the next request, and tokens work until they are revoked", async () => {
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

test("a member who is not an administrator, and a person who is not a member, get the 404 page", async () => {
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

test("a sign-in older than 15 minutes cannot read or change anything, and a new sign-in returns to the page", async () => {
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

/** Backdates the sign-in of a browser's session. */
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

test("accounts are found by name and address, and pages by slug and by URL", async () => {
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

test("a restricted page's title is hidden from administrators without access", async () => {
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

test("the page of an account links to its pages with access requests", async () => {
  const ada = await newMember();
  const { slug } = await publish(ada.api, { visibility: "people", readers: [ada.email] });
  await storeAccessRequest({ ownerId: ada.userId, slug });
  const { visitor } = await newAdministrator();

  const account = await visitor.open(ada.path);

  expect(account.response.text).toContain(`href="/admin/drops/${slug}#access"`);
});

test("the audit trail of a deleted account is found by its user id", async () => {
  const { visitor } = await newAdministrator();
  const deletedId = "DeletedAccount00";
  await transact([auditWrite({ ...givenAct(), action: "delete-account" }, { ownerId: deletedId })]);

  const byId = await visitor.open(`/admin/audit?account=${deletedId}`);
  const unknown = await visitor.open("/admin/audit?account=no-such-account");

  expect(byId.response.text).toContain("delete-account");
  expect(unknown.response.status).toBe(404);
});

test("the audit trail shows each actor, by account and by page", async () => {
  const ada = await newMember();
  const { username, visitor } = await newAdministrator();
  await act(visitor, `/admin/drops/${ada.drop.slug}`, { change: "add-hold" });

  const ofAccount = await visitor.open(`/admin/audit?account=${ada.namespace}`);
  const ofDrop = await visitor.open(`/admin/audit?drop=${ada.drop.slug}`);

  expect(ofAccount.response.text).toContain("publish-drop");
  for (const { response } of [ofAccount, ofDrop])
    expect(response.text.replaceAll(/<[^>]+>/g, " ")).toMatch(new RegExp(`add-hold\\s+${username}`));
});

/** Paths of the pages, and fields of an action for each form. */
function rowsOf(ada: Awaited<ReturnType<typeof newMember>>) {
  const { path, namespace, drop } = ada;
  const reads = ["/admin", path, `/admin/drops/${drop.slug}`, "/admin/audit"];
  const acts: readonly { readonly path: string; readonly fields: Record<string, string> }[] = [
    { path, fields: { change: "suspend", confirm: namespace } },
    { path: `/admin/drops/${drop.slug}`, fields: { change: "add-hold" } },
    { path: "/admin/teams", fields: { namespace: unusedUsername("crew"), owner: "group:crew" } },
  ];
  return { reads, acts };
}

/** People who are not administrators, or have lost the role. */
const outsiders: Readonly<Record<string, () => Promise<Visitor>>> = {
  "a reader without membership": async () => {
    const visitor = new Visitor();
    await openAs("/account", { groups: "readers" }, visitor);
    return visitor;
  },
  "the owner of a team": async () => {
    const facts = ofTheDomain();
    const owner = await memberAs(facts);
    await newTeam(owner);
    const visitor = new Visitor();
    await openAs("/account", { ...facts, username: owner.username }, visitor);
    return visitor;
  },
  "an administrator whose last sign-in lacks the group": async () => {
    const { username, visitor } = await newAdministrator();
    await openAs(signInAgainPath("/account"), { username, groups: "publishers" }, visitor);
    return visitor;
  },
};

test.each(Object.keys(outsiders))("%s gets the 404 page, and changes nothing", async (role) => {
  const ada = await newMember();
  const visitor = await outsiders[role]?.();
  if (visitor === undefined) throw new Error(`There is no ${role}.`);
  const { reads, acts } = rowsOf(ada);
  const unknown = await visitor.request("/admin/no-such-page");

  const read = await Promise.all(reads.map((path) => visitor.request(path)));
  const sent = await Promise.all(
    acts.map(({ path, fields }) =>
      visitor.request(path, formRequest(new URL(baseUrl()), new URLSearchParams(fields).toString())),
    ),
  );

  expect([...read, ...sent].map(({ response }) => response.status)).toEqual(
    Array(7).fill(unknown.response.status),
  );
  const [first, ...others] = [...read, ...sent].map(({ response }) => comparable(response, "slug").text);
  for (const other of others) expect(other).toBe(first);
  expect((await linesOf(ada.userId)).filter(({ by }) => by === "administrator")).toEqual([]);
});

test.each(["removed", "suspended", "banned"])(
  "an administrator who is %s is refused, and changes nothing",
  async (bar) => {
    const ada = await newMember();
    const { visitor, username } = await newAdministrator();
    const { userId } = await memberAs({ username, groups: "publishers, platform" });
    const { reads, acts } = rowsOf(ada);
    if (bar === "removed") await members("remove", username);
    else await work({ kind: bar === "banned" ? "ban" : "suspend", userId });

    const read = await Promise.all(reads.map((path) => visitor.request(path)));
    const sent = await Promise.all(
      acts.map(({ path, fields }) =>
        visitor.request(path, formRequest(new URL(baseUrl()), new URLSearchParams(fields).toString())),
      ),
    );

    expect([...read, ...sent].map(({ response }) => response.status)).toEqual(Array(7).fill(403));
    const [first, ...others] = read.map(({ response }) => comparable(response, "slug").text);
    for (const other of others) expect(other).toBe(first);
    expect((await linesOf(ada.userId)).filter(({ by }) => by === "administrator")).toEqual([]);
  },
);

test("the pages for administrators do not open with a token, without a sign-in, or on another host", async () => {
  const { visitor, username } = await newAdministrator();
  const ada = await newMember();
  const { api } = await memberAs({ username, groups: "publishers, platform" });
  const { reads, acts } = rowsOf(ada);
  const ownHost = new URL(ada.drop.url);
  ownHost.hostname = `${ada.namespace}.${new URL(baseUrl()).hostname}`;

  for (const path of reads) {
    const byToken = await fetchPage(new URL(path, baseUrl()), {
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect([byToken.status, byToken.headers.location]).toEqual([302, expect.stringContaining("/login/read")]);
    expect((await visitor.request(new URL(path, ownHost))).response.status).toBe(404);
  }
  for (const { path, fields } of acts) {
    const body = new URLSearchParams(fields).toString();
    const sent = await new Visitor().request(path, formRequest(new URL(baseUrl()), body));
    expect(sent.response.status).toBe(403);
  }
  expect((await linesOf(ada.userId)).filter(({ by }) => by === "administrator")).toEqual([]);
});

test("a form without its own proof, or from another site, changes nothing", async () => {
  const ada = await newMember();
  const bob = await newMember();
  const { visitor } = await newAdministrator();
  const form = await visitor.open(ada.path);
  const ofBob = elementsOf((await visitor.open(bob.path)).response, "input").find(
    ({ attribs }) => attribs.name === "proof",
  )?.attribs.value;
  const fields = { change: "add-hold" };

  const refused = [
    await sendOneForm(visitor, form, ada.path, { ...fields, proof: "" }),
    await sendOneForm(visitor, form, ada.path, { ...fields, proof: ofBob ?? "" }),
    await visitor.request(
      ada.path,
      formRequest(new URL("https://evil.example"), new URLSearchParams(fields).toString()),
    ),
  ];

  expect(refused.map(({ response }) => response.status)).toEqual([403, 403, 403]);
  expect((await linesOf(ada.userId)).filter(({ by }) => by === "administrator")).toEqual([]);
});

test("an action that is unknown, unconfirmed, or not for this kind of account is refused with the reason", async () => {
  const ada = await newMember();
  const { visitor, username } = await newAdministrator();
  const team = await newTeam(ada);
  const itself = await memberAs({ username, groups: "publishers, platform" });
  const { namespace } = (await itself.api.succeed("get-me")).account;
  const teamPath = `/admin/accounts/${team.namespace}`;
  const ownPath = `/admin/accounts/${namespace}`;
  const statusOfAct = async (path: string, fields: Readonly<Record<string, string>>) =>
    (await act(visitor, path, fields)).response.status;

  expect(await statusOfAct(ada.path, { change: "explode" })).toBe(400);
  expect(await statusOfAct(ada.path, { change: "suspend" })).toBe(400);
  expect(await statusOfAct(teamPath, { change: "ban", confirm: team.namespace })).toBe(400);
  expect(await statusOfAct(teamPath, { change: "unban" })).toBe(400);
  expect(await statusOfAct(teamPath, { change: "end-sessions" })).toBe(400);
  for (const change of ["suspend", "ban"]) {
    const own = await act(visitor, ownPath, { change, confirm: namespace });
    expect([own.response.status, own.response.text]).toEqual([
      400,
      expect.stringContaining(administrationText.ownAccount),
    ]);
  }
  const page = await visitor.open(ada.path);
  await updateItem({
    key: keys.account(ada.userId),
    update: "SET deletingAtMs = :now",
    condition: "attribute_exists(pk)",
    values: { ":now": Date.now() },
  });
  const late = await sendOneForm(visitor, page, ada.path, { change: "suspend", confirm: ada.namespace });
  expect([late.response.status, late.response.text]).toEqual([
    412,
    expect.stringContaining(administrationText.beingDeleted),
  ]);
});

test("actions that are sent twice succeed twice, and a ban prevents lifting the suspension", async () => {
  const ada = await newMember();
  const { visitor } = await newAdministrator();
  const page = await visitor.open(ada.path);
  const twice = async (path: string, from: Visit, fields: Readonly<Record<string, string>>) => {
    const visits = [
      await sendOneForm(visitor, from, path, fields),
      await sendOneForm(visitor, from, path, fields),
    ];
    expect(visits.map(({ response }) => response.status)).toEqual([200, 200]);
  };

  for (const change of ["add-hold", "remove-hold", "end-sessions", "revoke-tokens", "unban"])
    await twice(ada.path, page, { change, confirm: ada.namespace });
  const { userId } = ada;
  for (const kind of ["suspend", "suspend", "unsuspend", "unsuspend", "ban", "ban"] as const)
    await work({ kind, userId });
  expect((await findAccountRow(userId))?.isSuspended).toBe(true);
  // The ban happened after the page for lifting the suspension was displayed.
  await work({ kind: "unsuspend", userId });
  expect((await findAccountRow(userId))?.isSuspended).toBe(true);
  const target = { kind: "page", slug: ada.drop.slug } as const;
  await work({ kind: "takedown", target });
  await work({ kind: "takedown", target });
});

/** Runs the worker in this process. It throws if its event would become a dead letter. */
async function work(asked: LongAction): Promise<void> {
  process.env[environmentNames.invalidationDelaySeconds] = "0";
  await administer({ asked, act: { ...givenAct(), action: asked.kind } }, {
    awsRequestId: "given",
  } as Context);
}

test("a page and a file put on hold after their takedown was chosen are kept", async () => {
  const ada = await newMember();
  const { slug } = ada.drop;
  const file = await ada.api.succeed("upload-blob", {
    query: { filename: "note.txt" },
    text: "a note",
  });
  const { visitor } = await newAdministrator();
  await act(visitor, ada.path, { change: "add-hold" });

  await work({ kind: "takedown", target: { kind: "page", slug } });
  await work({ kind: "takedown", target: { kind: "file", namespace: ada.namespace, id: file.id } });

  expect(await statusesOf([ada.drop.url, file.url])).toEqual([200, 200]);
});

test("an account is completely suspended if it is suspended again while the suspension is being lifted", {
  tags: "nightly",
}, async () => {
  const ada = await newMember();
  const around = { blobsBucket: readEnvironment(environmentNames.blobsBucket), requestMsMax: 0 };
  const row = async () => {
    const found = await findAccountRow(ada.userId);
    if (found === undefined) throw new Error("The account is gone.");
    return found;
  };
  await suspendAccount(await row(), givenAct(1), around);
  const seen = await row();
  await unsuspendAccount(seen, givenAct(), around);
  await suspendAccount(await row(), givenAct(2), around);

  await expect(unsuspendAccount(seen, givenAct(), around)).rejects.toThrow("was changed in the meantime");

  expect((await row()).isSuspended).toBe(true);
  expect((await ada.api.call("get-me")).status).toBe(403);
  await expect.poll(() => statusesOf([ada.drop.url, ada.drop.raw_url])).toEqual([404, 404]);
});

test("an account is completely active if its suspension is lifted while it is being suspended", {
  tags: "nightly",
}, async () => {
  const ada = await newMember();
  const around = { blobsBucket: readEnvironment(environmentNames.blobsBucket), requestMsMax: 0 };
  const account = await findAccountRow(ada.userId);
  if (account === undefined) throw new Error("The account is gone.");
  let lifted: Promise<unknown> | undefined;
  const report = (line: string) => {
    // Removes the mark, as at the end of another administrator's unsuspension that has already restored drops and
    // tokens.
    if (line.startsWith("Tokens"))
      lifted = updateItem({
        key: keys.account(ada.userId),
        update: "REMOVE suspendedAtMs",
        condition: "attribute_exists(pk)",
      });
  };

  await expect(suspendAccount(account, givenAct(), { ...around, requestMsMax: 500, report })).rejects.toThrow(
    "was changed in the meantime",
  );

  await lifted;
  expect((await ada.api.call("get-me")).status).toBe(200);
  await expect.poll(() => statusesOf([ada.drop.url, ada.drop.raw_url])).toEqual([200, 200]);
});

test("titles of locked pages and names of restricted files are hidden from administrators without access", async () => {
  const ada = await newMember();
  const title = `Payroll ${ada.drop.slug}`;
  const { slug } = await publish(ada.api, { title, passcode: "open sesame" });
  const file = await ada.api.succeed("upload-blob", {
    query: { filename: "redundancies.txt", visibility: "people", readers: ada.email },
    text: "a note",
  });
  const { visitor } = await newAdministrator();

  const pages = [
    await visitor.open(ada.path),
    await visitor.open(`/admin/drops/${slug}`),
    await visitor.open(`/admin/audit?drop=${slug}`),
    await visitor.open(`/admin?${new URLSearchParams({ q: file.url })}`),
  ];

  for (const { response } of pages) {
    expect(response.status).toBe(200);
    expect(response.text).not.toContain(title);
    expect(response.text).not.toContain("redundancies");
  }
  expect(pages[3]?.response.text).toContain(file.id);
});

test("queries of any length and form get a response", async () => {
  const { visitor } = await newAdministrator();
  const long = "a".repeat(3000);
  const paths = [
    `/admin?after=${long}`,
    `/admin?q=${long}`,
    "/admin?q=%00&after=%00",
    `/admin/audit?account=${long}`,
    `/admin/audit?drop=${long}`,
    "/admin/audit?until=99999999999999999999",
    "/admin/audit?until=1",
    "/admin?page=0&done=nothing",
  ];

  const statuses = [];
  for (const path of paths) statuses.push((await visitor.request(path)).response.status);

  expect(statuses).toEqual([200, 200, 200, 404, 404, 200, 200, 200]);
});

test("the list of accounts has each account once over several pages, and in a search", async () => {
  const { visitor } = await newAdministrator();
  const prefix = `zz${unusedUsername("row").replaceAll("-", "")}`;
  const given = Array.from({ length: 130 }, (_, index) => `${prefix}-${String(index).padStart(3, "0")}`);
  await writeItems({
    puts: given.flatMap((namespace) => [
      { ...keys.accountEntry(namespace), userId: `id-${namespace}` },
      {
        ...keys.account(`id-${namespace}`),
        namespace,
        username: namespace,
        provider: "p",
        providerId: namespace,
      },
    ]),
  });
  const listed = async (start: string) => {
    const found: string[] = [];
    for (let path: string | undefined = start; path !== undefined; ) {
      const { response } = await visitor.open(path);
      const hrefs = elementsOf(response, "a").map(({ attribs }) => attribs.href ?? "");
      found.push(...hrefs.filter((href) => href.startsWith("/admin/accounts/")));
      path = hrefs.find((href) => href.includes("after="));
    }
    return found.map((href) => href.slice("/admin/accounts/".length));
  };

  const all = await listed("/admin");

  expect(all.filter((namespace) => namespace.startsWith(prefix))).toEqual(given);
  expect(new Set(all).size).toBe(all.length);
  expect(await listed(`/admin?q=${prefix.toUpperCase()}`)).toEqual(given);
});

test("the pages of the audit trail omit and repeat no entry, even at equal times and after days without entries", {
  tags: "nightly",
}, async () => {
  const { visitor } = await newAdministrator();
  const slug = "zZ9aUd1";
  const now = Date.now();
  const moments = [
    ...Array.from({ length: 90 }, (_, index) => now - 60_000 - index),
    ...Array.from({ length: 30 }, () => now - 120_000),
    ...Array.from({ length: 40 }, (_, index) => now - 70 * 86_400_000 - index * 3_600_000),
  ];
  for (let start = 0; start < moments.length; start += 40)
    await transact(
      moments
        .slice(start, start + 40)
        .map((atMs, index) =>
          auditWrite({ ...givenAct(atMs), action: `act-${start + index}` }, { ownerId: "someone", slug }),
        ),
    );

  const seen: string[] = [];
  let parts = 0;
  for (let path: string | undefined = `/admin/audit?drop=${slug}`; path !== undefined; parts += 1) {
    const { response } = await visitor.open(path);
    seen.push(...[...response.text.matchAll(/>(act-\d+)</g)].map(([, action = ""]) => action));
    path = elementsOf(response, "a")
      .map(({ attribs }) => attribs.href ?? "")
      .find((href) => href.includes("until="));
  }

  expect(seen.toSorted()).toEqual(moments.map((_, index) => `act-${index}`).toSorted());
  expect(parts).toBeGreaterThan(2);
});

test("a person's audit trail includes their actions for a team and on others' pages", async () => {
  const ada = await newMember();
  const bob = await newMember();
  const { namespace } = await newTeam(ada);
  const { slug } = await publish(bob.api);
  await transact([
    auditWrite(
      {
        ...givenAct(),
        action: "reply-to-feedback",
        actor: { kind: "token", tokenId: "t", personId: ada.userId },
      },
      { ownerId: bob.userId, slug },
    ),
  ]);
  const { visitor } = await newAdministrator();

  const { response } = await visitor.open(`/admin/audit?account=${ada.namespace}`);

  const text = response.text.replaceAll(/<[^>]+>/g, " ");
  expect(text).toMatch(new RegExp(`reply-to-feedback\\s+${ada.namespace}\\s+${bob.namespace}`));
  expect(text).toMatch(new RegExp(`create-team\\s+${ada.namespace}\\s+${namespace}`));
});

test("administrators respond to access requests in their own name, also for a page that they cannot read", async () => {
  const ada = await newMember();
  const fields = { title: `Payroll ${ada.drop.slug}`, visibility: "people", readers: [ada.email] };
  const { slug } = await publish(ada.api, fields);
  const drop = { ownerId: ada.userId, slug };
  await storeAccessRequest(drop, "grace");
  await storeAccessRequest(drop, "joan");
  const { username, visitor } = await newAdministrator();
  const path = `/admin/drops/${slug}`;
  const buttonOf = async (name: string, person: string) => {
    const row = elementsOf((await visitor.open(path)).response, "li").find((one) =>
      textOf(one).includes(person),
    );
    const button =
      row && DomUtils.getElementsByTagName("button", row, true).find(({ attribs }) => attribs.name === name);
    return { [name]: button?.attribs.value ?? "" };
  };

  const give = await buttonOf("give", "grace");
  const given = await act(visitor, path, give);
  const again = await act(visitor, path, give);
  const dismissed = await act(visitor, path, await buttonOf("dismiss", "joan"));

  expect(given.response.text).toContain(done["access-given"]);
  expect(again.response.text).toContain(done["access-given"]);
  expect(dismissed.response.text).toContain(done["access-dismissed"]);
  expect(dismissed.response.text).toContain(administrationText.drop.noRequests);
  expect(dismissed.response.text).not.toContain(fields.title);
  const { readers } = await ada.api.succeed("get-drop", { params: { slug } });
  expect(readers).toEqual([ada.email, "grace@example.com"]);
  const answers = (await linesOf(ada.userId)).filter(({ action }) => action === "decide-access-request");
  expect(answers).toMatchObject([
    { by: "administrator", person: username },
    { by: "administrator", person: username },
  ]);
});

test("trashed pages, expired pages and pages of a suspended account show their state and can be taken down", {
  tags: "nightly",
}, async () => {
  const ada = await newMember();
  const [expired, hidden] = [await publish(ada.api), await publish(ada.api)];
  await ada.api.succeed("delete-drop", { params: { slug: ada.drop.slug } });
  await updateItem({
    key: keys.drop(ada.userId, expired.slug),
    update: "SET expiresAtMs = :now",
    condition: "attribute_exists(pk)",
    values: { ":now": Date.now() - 1 },
  });
  await work({ kind: "suspend", userId: ada.userId });
  const { visitor } = await newAdministrator();
  const { states } = administrationText;

  for (const [slug, state] of [
    [ada.drop.slug, states.trashed],
    [expired.slug, states.expired],
    [hidden.slug, states.suspended],
  ] as const) {
    const path = `/admin/drops/${slug}`;
    expect((await visitor.open(path)).response.text).toContain(state);
    await work({ kind: "takedown", target: { kind: "page", slug } });
    expect((await visitor.request(path)).response.status).toBe(404);
  }
});

test("an action on a page moved since it was displayed applies to the new owner, with a complete audit trail", {
  tags: "nightly",
}, async () => {
  const ada = await newMember();
  const { namespace } = await newTeam(ada);
  const { slug } = ada.drop;
  const path = `/admin/drops/${slug}`;
  const { visitor } = await newAdministrator();
  const shown = await visitor.open(path);
  await ada.api.succeed("move-drop", { params: { slug }, body: { to: namespace } });

  const held = await sendOneForm(visitor, shown, path, { change: "add-hold" });

  expect(held.response.text).toContain(done.held);
  expect(held.response.text).toContain(`/admin/accounts/${namespace}`);
  const team = (await findAccountRow(namespace))?.userId ?? "";
  const kept = await getItem(keys.account(team));
  expect(isHeld(kept, slug)).toBe(true);
  const trail = (await visitor.open(`/admin/audit?drop=${slug}`)).response.text;
  expect([...trail.matchAll(/(add-hold|move-drop|publish-drop)</g)].map(([, action]) => action)).toEqual([
    "add-hold",
    "move-drop",
    "publish-drop",
  ]);
});

test("a file is found by its URL and taken down", { tags: "nightly" }, async () => {
  const ada = await newMember();
  const file = await ada.api.succeed("upload-blob", { query: { filename: "note.txt" }, text: "a note" });
  const { username, visitor } = await newAdministrator();
  const page = await visitor.open(`/admin?${new URLSearchParams({ q: file.url })}`);
  const fields = { change: "takedown", file: `${ada.namespace}.${file.id}`, confirm: file.id };

  const taken = await sendOneForm(visitor, page, ada.path, fields);

  expect(page.response.text).toContain("note.txt");
  expect(taken.response.text).toContain(done["taking-down"]);
  await expect.poll(() => statusesOf([file.url]), { timeout: 20_000 }).toEqual([404]);
  expect((await linesOf(ada.userId)).at(-1)).toMatchObject({ action: "takedown", person: username });
});

test("the list has teams and accounts added by a recount, and no deleted account", {
  tags: "nightly",
}, async () => {
  const ada = await newMember();
  const { namespace } = await newTeam(ada);
  const { visitor } = await newAdministrator();
  const dataDirectory = `${service.directory}/data`;
  const isListed = async (name: string) =>
    (await visitor.open(`/admin?q=${name}`)).response.text.includes(`href="/admin/accounts/${name}"`);
  await deleteItems([keys.accountEntry(ada.namespace)]);
  expect([await isListed(namespace), await isListed(ada.namespace)]).toEqual([true, false]);

  await runCommand(recountCommand, { dataDirectory }, [], { all: true, fix: true });
  expect(await isListed(ada.namespace)).toBe(true);

  const bob = await newMember();
  expect(await isListed(bob.namespace)).toBe(true);
  await runCommand(deleteAccountCommand, { dataDirectory }, [bob.namespace], { yes: true });
  expect(await isListed(bob.namespace)).toBe(false);
  expect((await visitor.request(bob.path)).response.status).toBe(404);
});

test("a takedown also removes a trashed page with its versions and access requests", async () => {
  const ada = await newMember();
  const { slug } = await publish(ada.api, { visibility: "people", readers: [ada.email] });
  await storeAccessRequest({ ownerId: ada.userId, slug }, "grace");
  await ada.api.succeed("delete-drop", { params: { slug } });
  const { visitor } = await newAdministrator();

  await act(visitor, `/admin/drops/${slug}`, { change: "takedown", confirm: slug });

  const left = async () => {
    const items = await queryAll({ pk: keys.pointer(slug).pk, prefix: "" });
    return items.map(({ sk }) => sk).filter((sk) => sk !== keys.pointer(slug).sk);
  };
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  expect((await linesOf(ada.userId)).at(-1)).toMatchObject({ action: "takedown", slug });
});
