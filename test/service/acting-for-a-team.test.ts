import { describe, expect, test, vi } from "vitest";
import { type Account, newTeam, publish } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import {
  formRequest,
  newOwner,
  openSignedIn,
  sendForm,
  sendTeamForm,
  uploadByForm,
} from "../support/own-pages.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { within } from "../support/promised-time.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

/** Submits the form that switches the pages at /account to another account. */
async function switchTo(visitor: Visitor, account: string): Promise<Visit> {
  return sendForm(visitor, await visitor.open("/account"), "/account/switch", { account });
}

/** Returns the page's text about the account that the person publishes as, or undefined. */
function actingWords(page: Visit): string | undefined {
  const form = elementsOf(page.response, "form").find(({ attribs }) => attribs.action === "/account/switch");
  return form && textOf(form).replace(/\s+/g, " ");
}

const formsOf = (page: Visit) => elementsOf(page.response, "form").map(({ attribs }) => attribs.action);

/** Creates a team with an owner, an editor, both signed in, and a drop. */
async function givenTeam() {
  const [ada, grace] = [await newOwner("ada"), await newOwner("grace")];
  const { namespace } = await newTeam(ada, { editors: [grace.username] });
  const api = await teamToken(ada.username, namespace);
  const drop = await publish(api, { title: "The team's plan" });
  return { ada, grace, namespace, api, drop, slug: drop.slug };
}

describe("the account switch at /account", () => {
  test("is not shown to people without a team", async () => {
    const { visitor } = await newOwner("alone");

    for (const path of ["/account", "/account/files", "/account/trash", "/account/tokens"]) {
      const page = await visitor.open(path);
      expect(page.response.status).toBe(200);
      expect(actingWords(page)).toBeUndefined();
      expect(page.response.text).not.toContain("/account/team");
    }
    expect((await visitor.open("/account/team")).url.pathname).toBe("/account");
  });

  test("lists the team's tokens with the person's name or as service tokens", async () => {
    const { ada, api, namespace } = await givenTeam();
    await api.succeed("create-team-token", {
      params: { namespace },
      body: { label: "nightly", scope: "publish", expires_in_days: 7 },
    });
    await switchTo(ada.visitor, namespace);

    const page = await ada.visitor.open("/account/tokens");

    const rows = elementsOf(page.response, "li").map((row) => textOf(row).replace(/\s+/g, " "));
    expect(rows).toEqual([
      expect.stringMatching(/^nightly ?Service token/),
      expect.stringContaining(ada.username),
    ]);
  });

  test("shows the team's pages, names the team, and switches back", async () => {
    const { ada, namespace } = await givenTeam();
    await publish(ada.api, { title: "Her own" });

    const before = await ada.visitor.open("/account");
    const team = await switchTo(ada.visitor, namespace);
    const after = await switchTo(ada.visitor, "");

    expect(actingWords(before)).toContain(`You publish as ${ada.username}.`);
    expect(before.response.text).toContain("Her own");
    expect(actingWords(team)).toContain(`You publish as ${namespace}, a team that you own.`);
    expect(team.response.text).toContain("The team's plan");
    expect(team.response.text).not.toContain("Her own");
    expect(after.response.text).toContain("Her own");
  });

  test("is shown to a team member who has published nothing yet", async () => {
    const { ada, namespace } = await givenTeam();
    const visitor = new Visitor();
    const username = unusedUsername("newcomer");
    const before = await openSignedIn("/account", username, visitor);
    await ada.api.succeed("set-team-role", {
      params: { namespace, reader: username },
      body: { role: "editor" },
    });

    const none = await visitor.open("/account");
    const team = await sendForm(visitor, none, "/account/switch", { account: namespace });

    expect(actingWords(before)).toBeUndefined();
    expect(none.response.text).toContain("No pages yet");
    expect(actingWords(team)).toContain(`You publish as ${namespace}, a team that you edit.`);
    expect(team.response.text).toContain("The team's plan");
  });

  test("refuses other people's teams, invalid proofs and forms from other sites", async () => {
    const { namespace } = await givenTeam();
    const { ada: eve, namespace: hers } = await givenTeam();
    const page = await eve.visitor.open("/account");
    const fields = fieldsOf(page, "/account/switch");
    const send = (more: Record<string, string>, from = page.url) =>
      eve.visitor.open(
        "/account/switch",
        formRequest(from, new URLSearchParams({ ...fields, ...more }).toString()),
      );

    const statuses = [
      (await send({ account: namespace })).response.status,
      (await send({ account: hers, proof: "x".repeat(43) })).response.status,
      (await send({ account: hers }, new URL("https://elsewhere.example.com"))).response.status,
    ];

    expect(statuses).toEqual([400, 403, 403]);
    expect(actingWords(await eve.visitor.open("/account"))).toContain(`You publish as ${eve.username}.`);
  });
});

describe("a person who publishes for a team in a browser", () => {
  test("can edit the team's pages and upload its files", async () => {
    const { grace, namespace, api, slug } = await givenTeam();
    await switchTo(grace.visitor, namespace);

    const page = await grace.visitor.open(`/account/drops/${slug}`);
    const saved = await sendForm(grace.visitor, page, `/account/drops/${slug}`, { title: "Renamed" });
    const file = { name: "plan.txt", type: "text/plain", bytes: "the plan" };
    await uploadByForm(grace.visitor, await grace.visitor.open("/account/files"), file);

    expect(saved.url.search).toBe("?done=saved");
    expect((await api.succeed("get-drop", { params: { slug } })).title).toBe("Renamed");
    expect((await api.succeed("list-blobs")).blobs).toMatchObject([{ filename: "plan.txt" }]);
    expect((await grace.api.succeed("list-blobs")).blobs).toEqual([]);
  });

  test("sees deletion forms as an owner, but not as an editor", async () => {
    const { ada, grace, namespace, api, slug } = await givenTeam();
    await api.succeed("publish-version", { params: { slug }, body: { html: "<title>two</title>" } });
    const { slug: trashed } = await publish(api);
    await api.succeed("delete-drop", { params: { slug: trashed } });
    await api.succeed("upload-blob", { query: { filename: "a.txt" }, text: "A file." });
    const formsFor = async ({ visitor }: typeof ada) => {
      await switchTo(visitor, namespace);
      const pages = [
        `/account/drops/${slug}`,
        "/account/files",
        "/account/trash",
        "/account/tokens",
        "/account/team",
      ];
      const forms = await Promise.all(pages.map(async (path) => formsOf(await visitor.open(path))));
      return forms.flat().filter((action = "") => /\/(delete|purge|revoke|versions|team)$/.test(action));
    };

    expect(new Set((await formsFor(ada)).map((action = "") => action.split("/").at(-1)))).toEqual(
      new Set(["versions", "delete", "purge", "revoke", "team"]),
    );
    expect(await formsFor(grace)).toEqual([]);
  });

  test("cannot delete a page after being demoted to editor", async () => {
    const { ada, grace, namespace, api, slug } = await givenTeam();
    const setRole = (role: string) =>
      ada.api.succeed("set-team-role", { params: { namespace, reader: grace.username }, body: { role } });
    await setRole("owner");
    await switchTo(grace.visitor, namespace);
    const page = await grace.visitor.open(`/account/drops/${slug}`);
    await setRole("editor");

    const refused = await sendForm(grace.visitor, page, `/account/drops/${slug}/delete`);

    expect(refused.response.status).toBe(403);
    expect(refused.response.text).toContain("Only an owner of this team may do this");
    expect((await api.succeed("get-drop", { params: { slug } })).slug).toBe(slug);
  });

  test("returns to their own account after being removed from the team, and is notified", async () => {
    const { ada, grace, namespace, api } = await givenTeam();
    await switchTo(grace.visitor, namespace);
    const files = await grace.visitor.open("/account/files");
    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });

    const file = { name: "plan.txt", type: "text/plain", bytes: "the plan" };
    const refused = await uploadByForm(grace.visitor, files, file);
    const page = await grace.visitor.open("/account");
    const team = await grace.visitor.open("/account/team");

    expect(refused.response.status).toBe(403);
    expect((await api.succeed("list-blobs")).blobs).toEqual([]);
    expect((await grace.api.succeed("list-blobs")).blobs).toEqual([]);
    expect(page.response.status).toBe(200);
    expect(actingWords(page)).toContain(`You are no longer in the team ${namespace}.`);
    expect(page.response.text).not.toContain("The team's plan");
    expect(team.url.pathname).toBe("/account");
    expect(actingWords(await switchTo(grace.visitor, ""))).toBeUndefined();
  });
});

describe("a viewer's link to edit a team's page", () => {
  test("is shown to the team's members, and works without switching accounts", async () => {
    const { grace, namespace, api, slug } = await givenTeam();

    const viewer = await grace.visitor.open(`/p/${slug}`);
    const panel = await grace.visitor.open(`/account/drops/${slug}?from=base`);
    const shared = await sendForm(grace.visitor, panel, `/account/drops/${slug}/share`, {
      visibility: "unlisted",
    });

    expect(viewer.response.text).toContain(`/account/drops/${slug}?from=base`);
    expect(actingWords(panel)).toContain(
      `You publish as ${grace.username}. This page belongs to ${namespace}.`,
    );
    expect(shared.url.search).toContain("done=shared");
    expect((await api.succeed("get-drop", { params: { slug } })).visibility).toBe("unlisted");
  });

  test("leads to the team's list of pages after a deletion", async () => {
    const { ada, namespace, slug } = await givenTeam();

    const page = await ada.visitor.open(`/account/drops/${slug}`);
    const list = await sendForm(ada.visitor, page, `/account/drops/${slug}/delete`);
    const trash = await ada.visitor.open("/account/trash");

    expect(list.url.search).toBe("?done=trashed");
    expect(actingWords(list)).toContain(`You publish as ${namespace}`);
    expect(trash.response.text).toContain("The team's plan");
  });

  test("returns 404 to people outside the team", async () => {
    const { slug } = await givenTeam();
    const { ada: eve } = await givenTeam();

    expect((await eve.visitor.open(`/account/drops/${slug}`)).response.status).toBe(404);
  });
});

describe("the page of a team's members", () => {
  const path = "/account/team";

  test("adds people, changes their roles and removes them", async () => {
    const { ada, namespace } = await givenTeam();
    const look = () => ada.api.succeed("get-team", { params: { namespace } });
    await switchTo(ada.visitor, namespace);
    const page = await ada.visitor.open(path);
    const send = (fields: Record<string, string>) => sendTeamForm(ada.visitor, page, fields);
    const reader = "group:Growth & Co";

    const added = await send({ change: "role", of: "new", reader, role: "editor" });
    expect((await look()).editors).toContain(reader);
    expect(added.response.text).toContain("Saved.");
    await send({ change: "role", reader, role: "owner" });
    expect((await look()).owners).toContain(reader);
    // The removal is sent twice, and succeeds both times.
    for (let time = 0; time < 2; time += 1) {
      const removed = await send({ change: "remove", reader });
      expect(removed.url.search).toBe("?done=person-removed");
    }
    expect((await look()).owners).toEqual([ada.username]);
  });

  test("shows a refused form again, with the error", async () => {
    const { ada, namespace } = await givenTeam();
    await switchTo(ada.visitor, namespace);
    const page = await ada.visitor.open(path);
    const send = (fields: Record<string, string>) => sendTeamForm(ada.visitor, page, fields);

    const nobody = await send({ change: "role", of: "new", reader: "not a name", role: "owner" });
    const last = await send({ change: "remove", reader: ada.username });
    const tag = await send({ change: "group", group_by: "No Tag" });

    expect([nobody, last, tag].map(({ response }) => response.status)).toEqual([400, 409, 400]);
    expect(nobody.response.text).toContain("“not a name” is not an e-mail address");
    expect(fieldsValue(nobody, "reader")).toBe("not a name");
    expect(last.response.text).toContain("A team needs an owner.");
    expect(tag.response.text).toContain("“No Tag” is not a tag.");
  });

  test("sets the tag that groups drops on the team's public page", async () => {
    const { ada, namespace } = await givenTeam();
    await switchTo(ada.visitor, namespace);

    const saved = await sendTeamForm(ada.visitor, await ada.visitor.open(path), {
      change: "group",
      group_by: "area",
    });

    expect(saved.url.search).toBe("?done=grouped");
    expect((await ada.api.succeed("get-team", { params: { namespace } })).group_by).toBe("area");
  });

  test("shows an editor the members, but no form", async () => {
    const { ada, grace, namespace } = await givenTeam();
    await switchTo(grace.visitor, namespace);

    const page = await grace.visitor.open(path);

    expect(page.response.text).toContain(ada.username);
    expect(formsOf(page)).not.toContain(path);
  });
});

/** Returns the value of the page's first visible field with this name. */
function fieldsValue(page: Visit, name: string): string | undefined {
  const inputs = elementsOf(page.response, "input").filter(({ attribs }) => attribs.type !== "hidden");
  return inputs.find(({ attribs }) => attribs.name === name)?.attribs.value;
}

test("a team's public page groups drops by one tag, and does not reveal other tags or locked drops", async () => {
  const { ada, namespace, api, drop } = await givenTeam();
  const tagged = (title: string, metadata: Record<string, string>, more = {}) =>
    publish(api, { title, metadata, ...more });
  await tagged("Alpha", { area: "Retention", secret: "hidden words" });
  await tagged("Beta", { area: "Acquisition" });
  await tagged("Gamma", { area: "Locked away" }, { passcode: "open sesame" });
  await tagged("Delta", { area: "Restricted" }, { visibility: "unlisted" });
  await ada.api.succeed("edit-team", { params: { namespace }, body: { group_by: "area" } });

  const page = await fetchPage(`${ownerAddress(drop.url)}/`);

  const headings = elementsOf(page, "h2").map(textOf);
  expect(headings).toEqual(["Acquisition", "Retention"]);
  for (const hidden of ["hidden words", "Locked away", "Restricted", "Gamma"])
    expect(page.text).not.toContain(hidden);
  const sections = elementsOf(page, "section").map(textOf);
  expect(sections[0]).toContain("Beta");
  expect(sections[1]).toContain("Alpha");
  expect(sections[2]).toContain("The team's plan");
  expect(sections[2]).toContain("Locked page");
});

describe("a team's unlisted or restricted drop", () => {
  const isListed = async (api: Account["api"], slug: string) => {
    const { drops } = await api.succeed("list-library");
    return drops.find((one) => one.slug === slug);
  };

  test("is in its members' libraries, and is marked as the team's own", async () => {
    const { ada, grace, api } = await givenTeam();
    const eve = await newOwner("eve");
    const { slug } = await publish(api, {
      visibility: "people",
      readers: ["somebody@example.com"],
      title: "Kept inside",
    });

    const found = await vi.waitFor(async () => {
      const one = await isListed(grace.api, slug);
      expect(one).toBeDefined();
      return one;
    }, within(5));

    expect(found).toMatchObject({ title: "Kept inside", own: false });
    expect(await isListed(api, slug)).toMatchObject({ own: true });
    expect(await isListed(eve.api, slug)).toBeUndefined();
    expect((await ada.visitor.open("/library")).response.text).toContain("Kept inside");
    expect((await eve.visitor.open("/library")).response.text).not.toContain("Kept inside");
  });

  test("is found by its members in searches until they leave the team", async () => {
    const { ada, grace, namespace, api } = await givenTeam();
    const eve = await newOwner("eve");
    const { slug } = await publish(api, { visibility: "unlisted", title: "Quokka economics" });
    const findFor = async (one: Account["api"]) => {
      const { results } = await one.succeed("search-drops", { query: { q: "quokka" } });
      return results.filter((result) => result.slug === slug).map(({ own }) => own);
    };

    await vi.waitFor(async () => expect(await findFor(grace.api)).toEqual([false]), within(5));
    expect(await findFor(api)).toEqual([true]);
    expect(await findFor(eve.api)).toEqual([]);
    await switchTo(ada.visitor, namespace);
    const own = await ada.visitor.open("/account?q=quokka");
    expect(own.response.text).toContain(`href="/account/drops/${slug}"`);
    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    expect(await findFor(grace.api)).toEqual([]);
  });
});
