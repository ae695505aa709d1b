import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { formRequest, newOwner, sendForm } from "../support/own-pages.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

let owner: Account & { readonly visitor: Visitor };
let visitor: Visitor;

beforeAll(async () => {
  owner = await newOwner("drop-page");
  visitor = owner.visitor;
});

/** Publishes a drop of the owner, and returns it with the path and the visit of its page. */
async function givenPage(fields: object = {}) {
  const drop = await publish(owner.api, { title: "Before", ...fields });
  const path = `/account/drops/${drop.slug}`;
  return { drop, path, page: await visitor.open(path) };
}

function look({ slug }: DropResponse): Promise<DropResponse> {
  return owner.api.succeed("get-drop", { params: { slug } });
}

/** Returns the page's messages about a refused or completed form. */
function said(page: Visit, role: "alert" | "status"): string[] {
  return [...elementsOf(page.response, "div"), ...elementsOf(page.response, "p")]
    .filter(({ attribs }) => attribs.role === role)
    .map(textOf);
}

describe("the form of a drop's details", () => {
  test("changes title and description", async () => {
    const { drop, path, page } = await givenPage();

    const saved = await sendForm(visitor, page, path, { title: "  After <i>  ", description: "One\r\ntwo" });

    expect([saved.response.status, saved.url.search]).toEqual([200, "?done=saved"]);
    expect(said(saved, "status")).toEqual(["Saved."]);
    expect(await look(drop)).toMatchObject({
      title: "After <i>",
      description: "One\ntwo",
      visibility: "public",
    });
    expect(fieldsOf(saved, path)).toMatchObject({ title: "After <i>", description: "One\ntwo" });
  });

  test("refuses an empty title and texts that are too long, with the reason, and keeps the input", async () => {
    const { drop, path, page } = await givenPage();

    for (const [fields, why] of [
      [{ title: " " }, "Enter a title."],
      [{ title: "x".repeat(201) }, "The title has 201 characters. The limit is 200."],
      [{ description: "x".repeat(501) }, "The description has 501 characters. The limit is 500."],
    ] as const) {
      const refused = await sendForm(visitor, page, path, { title: "Typed", ...fields });

      expectErrorPage(refused.response, 400);
      expect(said(refused, "alert")).toEqual([why]);
      expect(fieldsOf(refused, path)).toMatchObject({ title: "Typed", ...fields });
    }
    expect(await look(drop)).toMatchObject({ title: "Before", updated_at: drop.updated_at });
  });

  test("can be corrected and sent again after a refusal", async () => {
    const { drop, path, page } = await givenPage();
    const refused = await sendForm(visitor, page, path, { title: " ", description: "Kept" });

    await sendForm(visitor, refused, path, { title: "Mended" });

    expect(await look(drop)).toMatchObject({ title: "Mended", description: "Kept" });
  });

  test("sent twice, by two clicks or a reload, takes effect once, and every response confirms it", {
    tags: "slow",
  }, async () => {
    const { drop, path, page } = await givenPage();
    const send = () => sendForm(visitor, page, path, { title: "Once" });

    const both = await Promise.all([send(), send()]);
    const { updated_at: updatedAt } = await look(drop);
    const later = await send();

    expect([...both, later].map(({ url }) => url.search)).toEqual(Array(3).fill("?done=saved"));
    expect(await look(drop)).toMatchObject({ title: "Once", updated_at: updatedAt });
  });

  test("opened before another change overwrites nothing, shows what has changed, and can be sent again", {
    tags: "slow",
  }, async () => {
    const { drop, path, page } = await givenPage();
    await owner.api.succeed("edit-drop", {
      params: { slug: drop.slug },
      body: { title: "By an agent", visibility: "members" },
    });
    await owner.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html: "<p>two" } });

    const refused = await sendForm(visitor, page, path, { title: "By hand" });

    expectErrorPage(refused.response, 412);
    const facts = elementsOf(refused.response, "dt").map(textOf);
    expect(facts).toEqual(["Title", "Who can read it", "Allow comments", "Latest version", "Versions"]);
    expect(elementsOf(refused.response, "dd").map(textOf)).toEqual([
      "By an agent",
      "Members",
      "yes",
      "2",
      "2",
    ]);
    expect(await look(drop)).toMatchObject({ title: "By an agent", visibility: "members" });
    await sendForm(visitor, refused, path);
    expect(await look(drop)).toMatchObject({ title: "By hand", visibility: "members" });
  });
});

describe("the Share panel", () => {
  /** Publishes a drop, and returns it with its page and a function that submits the panel. */
  async function givenPanel(fields: object = {}) {
    const { drop, path, page } = await givenPage(fields);
    const form = `${path}/share`;
    const share = (filledIn: Record<string, string>, shown = page) =>
      sendForm(visitor, shown, form, filledIn);
    return { drop, path, page, form, share };
  }

  /** Returns the panel's sentences about the drop's readers. */
  function readersNow(page: Visit): string {
    const [now] = elementsOf(page.response, "div").filter(({ attribs }) => attribs.class === "readers-now");
    return now === undefined
      ? ""
      : textOf(now)
          .replace("Who can read it now", "")
          .replace(/ Shared this way since \d+ \w+ \d{4}, \d\d:\d\d UTC\./, "");
  }

  test("restricts a drop to people, one per line, and then states who can read it", async () => {
    const { drop, form, page, share } = await givenPanel();
    expect(readersNow(page)).toBe("Anyone.");

    const saved = await share({
      visibility: "people",
      readers: "Ada@Example.com\r\n\r\n @example.org \r\ngrace",
    });

    expect([saved.response.status, saved.url.search]).toEqual([200, "?done=shared"]);
    expect(said(saved, "status")).toEqual(["Saved."]);
    const readers = ["ada@example.com", "@example.org", "grace"];
    expect(await look(drop)).toMatchObject({ title: "Before", visibility: "people", readers });
    expect(fieldsOf(saved, form)).toMatchObject({ visibility: "people", readers: readers.join("\n") });
    expect(readersNow(saved)).toBe(
      "ada@example.com, anyone at example.org, and the user grace. Readers have to sign in.",
    );
  });

  test("changes readers and passcode in one write, and then allows comments", { tags: "slow" }, async () => {
    const { drop, share } = await givenPanel();

    const saved = await share({ visibility: "members", lock: "set", passcode: "open sesame" });

    expect(said(saved, "status")[0]).toMatch(/^The page is locked\./);
    expect(readersNow(saved)).toBe(
      "Members of this service. Readers have to sign in. Readers need the passcode.",
    );
    expect(await look(drop)).toMatchObject({ visibility: "members", locked: true, feedback: "readers" });
  });

  test("keeps a passcode unless it is changed or removed", { tags: "slow" }, async () => {
    const { drop, share } = await givenPanel({ passcode: "open sesame" });

    // A browser may fill in the hidden field.
    const kept = await share({ visibility: "unlisted", passcode: "by a browser" });
    expect(await opens(drop, "open sesame")).toBe(true);
    const changed = await share({ lock: "set", passcode: "another one" }, kept);
    expect([await opens(drop, "open sesame"), await opens(drop, "another one")]).toEqual([false, true]);
    const removed = await share({ lock: "remove" }, changed);

    expect(said(removed, "status")[0]).toBe("The page no longer needs a passcode.");
    expect(await look(drop)).toMatchObject({ visibility: "unlisted", locked: false });
  });

  async function opens({ url }: DropResponse, passcode: string): Promise<boolean> {
    const reader = new Visitor();
    const { response } = await reader.submit(await reader.open(url), { passcode });
    return response.status === 200;
  }

  test("accepts lists of readers in the formats that people paste", async () => {
    const { drop, share } = await givenPanel();
    const pasted = [
      "ada@example.com, bob@example.com;carol@example.com",
      "dan@example.com eve@example.com",
      '"Hopper, Grace" <grace@example.com>, Linus <linus@example.com>',
      "Knuth, Donald <don@example.com>; Liskov, Barbara <barbara@example.com>;",
      "username:ken@corp, dennis",
      "group:CN=Eng, Platform; OU=Teams",
      "Group: Sales",
    ].join("\r\n");

    const saved = await share({ visibility: "people", readers: pasted });

    const ofAddresses = ["ada", "bob", "carol", "dan", "eve", "grace", "linus", "don", "barbara"].map(
      (name) => `${name}@example.com`,
    );
    const others = ["username:ken@corp", "dennis", "group:CN=Eng, Platform; OU=Teams", "group:Sales"];
    expect((await look(drop)).readers).toEqual([...ofAddresses, ...others]);
    // The box shows what is stored, and sending it again changes nothing.
    await share({}, saved);
    expect((await look(drop)).readers).toEqual([...ofAddresses, ...others]);
  });

  test("warns of a group of which no known person is a member", async () => {
    const { share } = await givenPanel();

    const saved = await share({ visibility: "people", readers: "group:enginering" });

    expect(readersNow(saved)).toContain("No one in the group “enginering” has signed in here yet.");
  });

  test("shows the drop's link, and allows only its own script", async () => {
    const { drop, page } = await givenPanel();

    const [link] = elementsOf(page.response, "a").filter(({ attribs }) => attribs.id === "link");
    expect([link?.attribs.href, link && textOf(link)]).toEqual([
      drop.url,
      drop.url.replace(/^https?:\/\//, ""),
    ]);
    const policy = page.response.headers["content-security-policy"] ?? "";
    const [script] = elementsOf(page.response, "script");
    expect(policy).toContain(`script-src 'nonce-${script?.attribs.nonce}';`);
    expect(policy).not.toContain("connect-src");
  });

  test("allows search engines to list a drop only while it is public and has no passcode", {
    tags: "slow",
  }, async () => {
    const { drop, form, share } = await givenPanel();

    const listed = await share({ indexed: "yes" });
    expect(await look(drop)).toMatchObject({ indexed: true });
    expect(fieldsOf(listed, form)).toMatchObject({ indexed: "yes" });

    const locked = await share({ lock: "set", passcode: "open sesame" }, listed);
    expect(await look(drop)).toMatchObject({ indexed: false, locked: true });
    // A tick in a hidden box has no effect.
    const open = await share({ lock: "remove", indexed: "yes" }, locked);
    const closed = await share({ visibility: "members" }, open);
    expect([closed.response.status, await look(drop)]).toMatchObject([200, { indexed: false }]);
    expect(fieldsOf(closed, form)).not.toHaveProperty("indexed");
  });

  test("sets, keeps and removes an expiry in days, and refuses an invalid number at its field", {
    tags: "slow",
  }, async () => {
    const { drop, form, share } = await givenPanel();
    const inDays = async () => (Number((await look(drop)).expires_at) - Date.now()) / 86_400_000;

    const saved = await share({ expiry: "days", days: "7" });
    expect(await inDays()).toBeCloseTo(7, 1);
    expect(fieldsOf(saved, form)).toMatchObject({ expiry: "keep" });
    expect(saved.response.text).toContain("Expires <time");
    const refused = await share({ expiry: "days", days: "4000" }, saved);
    expect(said(refused, "alert")).toEqual(["Enter a number of days from 1 to 3650."]);
    const kept = await share({ expiry: "keep", days: "9" }, saved);
    expect(await inDays()).toBeCloseTo(7, 1);
    await share({ expiry: "never" }, kept);

    expect((await look(drop)).expires_at).toBeNull();
  });

  test("allows comments by default only for restricted drops", {
    tags: "slow",
  }, async () => {
    const { drop, form, share } = await givenPanel();

    const closed = await share({ visibility: "members" });
    expect(await look(drop)).toMatchObject({ feedback: "readers" });
    expect(closed.response.text).toContain(`/p/${drop.slug}/feedback`);
    const open = await share({ visibility: "public" }, closed);
    expect(await look(drop)).toMatchObject({ visibility: "public", feedback: "off" });
    expect(open.response.text).not.toContain(`/p/${drop.slug}/feedback`);
    const ticked = await share({ feedback: "yes" }, open);
    expect(await look(drop)).toMatchObject({ feedback: "readers" });
    expect(fieldsOf(ticked, form)).toMatchObject({ feedback: "yes" });
  });

  const noReader =
    "is not an e-mail address (ada@example.com), a domain (@example.com), a user name or a group (group:engineering).";
  const refusals: readonly [Record<string, string>, string][] = [
    [{ visibility: "people", readers: "ada@example.com\nnot <one>" }, `“not <one>” ${noReader}`],
    [{ visibility: "people", readers: "example.com" }, "“example.com” matches no one. Enter @example.com."],
    [
      { visibility: "people", readers: "ida, *@example.com" },
      "“*@example.com” matches no one. Enter @example.com.",
    ],
    [{ visibility: "people", readers: "#design" }, "“#design” matches no one. Enter group:design."],
    [{ visibility: "people", readers: " ,;\n" }, "Enter 1 to 50 people, domains or groups."],
    // The parts of such a line are ambiguous.
    [
      { visibility: "people", readers: "Lovelace, Ada <ada@example.com>" },
      `“Lovelace, Ada <ada@example.com>” ${noReader}`,
    ],
    [
      { visibility: "people", readers: "ada@example.com, group:a, bob@example.com" },
      "Put each group on its own line. This line has more than one entry: “ada@example.com, group:a, bob@example.com”",
    ],
    [{ visibility: "everybody" }, "This service does not allow this option. Choose a more restrictive one."],
    [{ lock: "set", passcode: "" }, "A passcode needs at least 4 characters."],
    [{ lock: "set", passcode: "abc" }, "A passcode needs at least 4 characters."],
  ];

  test("refuses invalid readers, visibility and passcodes, with the reason, and keeps the input", {
    tags: "slow",
  }, async () => {
    const { drop, form, share } = await givenPanel({ passcode: "open sesame" });

    for (const [fields, why] of refusals) {
      const typed = { readers: "kept@example.com", passcode: "kept", lock: "remove", ...fields };

      const refused = await share(typed);

      expectErrorPage(refused.response, 400);
      expect(said(refused, "alert")).toEqual([why]);
      const { visibility: _unknown, ...shown } = typed as Record<string, string>;
      expect(fieldsOf(refused, form)).toMatchObject(shown);
    }
    expect(await look(drop)).toMatchObject({ locked: true, updated_at: drop.updated_at });
  });

  test("refuses a form without a choice of readers", async () => {
    const { drop, form, page } = await givenPanel();
    const { visibility: _, ...fields } = fieldsOf(page, form);
    const body = new URLSearchParams(fields).toString();

    const refused = await visitor.open(form, formRequest(page.url, body));

    expectErrorPage(refused.response, 400);
    expect(said(refused, "alert")).toEqual(["Choose the readers."]);
    expect((await look(drop)).updated_at).toBe(drop.updated_at);
  });

  test("sent twice takes effect once, and every response confirms it", { tags: "slow" }, async () => {
    const { drop, share } = await givenPanel();
    const send = () => share({ visibility: "unlisted", lock: "set", passcode: "open sesame" });

    const both = await Promise.all([send(), send()]);
    const { updated_at: updatedAt } = await look(drop);
    const later = await send();

    expect([...both, later].map(({ url }) => url.search)).toEqual(Array(3).fill("?done=locked"));
    expect(await look(drop)).toMatchObject({ visibility: "unlisted", updated_at: updatedAt });
  });

  test("opened before a passcode was set keeps the passcode unless its removal is chosen", {
    tags: "slow",
  }, async () => {
    const { drop, share, form } = await givenPanel();
    await share({ lock: "set", passcode: "open sesame" });

    const stale = await share({ visibility: "unlisted", indexed: "yes" });

    expectErrorPage(stale.response, 412);
    expect(elementsOf(stale.response, "dt").map(textOf)).toEqual(["Passcode"]);
    expect(elementsOf(stale.response, "dd").map(textOf)).toEqual(["A passcode is set"]);
    expect(await look(drop)).toMatchObject({ visibility: "public", locked: true });
    expect(fieldsOf(stale, form)).toMatchObject({ visibility: "unlisted", lock: "keep" });
    await share({}, stale);
    expect(await look(drop)).toMatchObject({ visibility: "unlisted", locked: true });
    expect(await opens(drop, "open sesame")).toBe(true);
  });

  test("opened before the passcode was changed does not replace it", { tags: "nightly" }, async () => {
    const { drop, share } = await givenPanel({ passcode: "open sesame" });
    await share({ lock: "set", passcode: "another one" });

    const stale = await share({ lock: "set", passcode: "a third one" });

    expectErrorPage(stale.response, 412);
    expect(elementsOf(stale.response, "dt").map(textOf)).toEqual(["Passcode"]);
    expect(await opens(drop, "another one")).toBe(true);
  });
});

describe("the deletion forms", () => {
  test("move a drop to the trash without confirmation, and succeed when they are repeated", async () => {
    const { drop, path, page } = await givenPage();
    const send = () => sendForm(visitor, page, `${path}/delete`);

    const [first, second] = [await send(), await send()];

    expect([first.url.pathname, second.url.pathname]).toEqual(["/account", "/account"]);
    expect(said(first, "status")).toEqual(["The page and all its versions are in the trash."]);
    expectErrorPage((await visitor.open(path)).response, 404);
    const { drops } = await owner.api.succeed("list-trash");
    expect(drops.map(({ slug }) => slug)).toContain(drop.slug);
  });

  test("keep a drop that has changed since the page was opened, and show the changes", {
    tags: "slow",
  }, async () => {
    const { drop, path, page } = await givenPage();
    await owner.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html: "<p>two" } });

    const refused = await sendForm(visitor, page, `${path}/delete`);

    expectErrorPage(refused.response, 412);
    expect(elementsOf(refused.response, "dt").map(textOf)).toEqual(["Latest version", "Versions"]);
    expect((await look(drop)).latest_version).toBe(2);
  });

  test("delete one of several versions, but not the last", { tags: "slow" }, async () => {
    const { drop, path } = await givenPage();
    await owner.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html: "<p>two" } });
    const page = await visitor.open(path);

    const deleted = await sendForm(visitor, page, `${path}/versions`, { version: "2" });
    const again = await sendForm(visitor, page, `${path}/versions`, { version: "2" });
    const last = await sendForm(visitor, page, `${path}/versions`, { version: "1" });
    const none = await sendForm(visitor, page, `${path}/versions`, { version: "" });

    expect(said(deleted, "status")).toEqual(["The version was deleted."]);
    expect(again.url.search).toBe("?done=version-deleted");
    expect([last, none].map(({ response }) => response.status)).toEqual([409, 400]);
    expect(await look(drop)).toMatchObject({ latest_version: 1 });
  });
});

describe("the versions of a drop", () => {
  const publishTwo = async ({ slug }: DropResponse) => {
    const params = { slug };
    await owner.api.succeed("publish-version", { params, body: { html: "<p>two", note: "With <two>." } });
  };
  const given = async (fields: object = {}) => {
    const { drop, path } = await givenPage({ html: "<p>one", ...fields });
    await publishTwo(drop);
    return { drop, path, page: await visitor.open(path) };
  };

  test("are listed with their notes, and with a link to a comparison", { tags: "slow" }, async () => {
    const { drop, page } = await given();

    const rows = elementsOf(page.response, "li").map(textOf);
    expect(rows.map((row) => row.replace(/(?<=^Version \d)\d+ \w+ \d{4}, \d\d:\d\d UTC/, "@"))).toEqual([
      "Version 2@ · 6 bytes · latestWith <two>.What changed",
      "Version 1@ · 6 bytesRestore",
    ]);
    const links = elementsOf(page.response, "a").map(({ attribs }) => attribs.href ?? "");
    const [comparison = ""] = links.filter((href) => href.includes("/compare"));
    expect(comparison).toBe(`${drop.url.replace("/d/", "/p/")}/compare?to=2`);
    expect((await visitor.open(comparison)).response.status).toBe(200);
  });

  test("can be restored with a button, which publishes the earlier HTML and context as a new version", {
    tags: "slow",
  }, async () => {
    const { drop, path, page } = await given({ context: "Why one." });

    const restored = await sendForm(visitor, page, `${path}/restore`, { version: "1" });
    const again = await sendForm(visitor, page, `${path}/restore`, { version: "1" });

    expect(said(restored, "status")).toEqual(["The version was restored as the latest version."]);
    expect(again.url.search).toBe("?done=version-restored");
    expect(await look(drop)).toMatchObject({ latest_version: 3 });
    const params = { slug: drop.slug };
    const { versions } = await owner.api.succeed("list-versions", { params });
    expect(versions.map(({ version, has_context: has }) => [version, has])).toEqual([
      [3, true],
      [2, false],
      [1, true],
    ]);
    expect((await owner.api.call("read-html", { params })).text).toBe("<p>one");
  });

  test("are not restored after newer changes, without a proof, or if they do not exist", {
    tags: "nightly",
  }, async () => {
    const { drop, path, page } = await given();
    await publishTwo(drop);

    const late = await sendForm(visitor, page, `${path}/restore`, { version: "1" });
    const forged = await sendForm(visitor, page, `${path}/restore`, {
      version: "1",
      proof: "x".repeat(43),
    });
    const none = await sendForm(visitor, page, `${path}/restore`, { version: "" });
    const missing = await sendForm(visitor, page, `${path}/restore`, { version: "9" });

    expectErrorPage(late.response, 412);
    expect(elementsOf(late.response, "dt").map(textOf)).toEqual(["Latest version", "Versions"]);
    expect([forged, none, missing].map(({ response }) => response.status)).toEqual([403, 400, 404]);
    expect(said(none, "alert")).toEqual(["Choose a version."]);
    expect(await look(drop)).toMatchObject({ latest_version: 3 });
    await sendForm(visitor, late, `${path}/restore`, { version: "1" });
    expect(await look(drop)).toMatchObject({ latest_version: 4 });
  });
});

describe("another owner's drop", () => {
  test("gets the same 404 page as a missing drop", async () => {
    const other = await newAccount("other-owner");
    const drop = await publish(other.api, { title: "Not yours" });

    for (const slug of [drop.slug, "0000000", "none"]) {
      const { response } = await visitor.open(`/account/drops/${slug}`);
      expectErrorPage(response, 404);
      expect(response.text).not.toContain("Not yours");
    }
  });

  test("cannot be changed with forms, whatever proof they contain", { tags: "slow" }, async () => {
    const other = await newAccount("other-owner");
    const theirs = await publish(other.api, { title: "Not yours" });
    const { drop, path } = await givenPage();
    await owner.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html: "<p>two" } });
    const page = await visitor.open(path);

    for (const [form, fields] of [
      ["", { title: "Taken over" }],
      ["/share", { visibility: "members" }],
      ["/restore", { version: "1" }],
      ["/delete", { confirm: theirs.slug }],
    ] as const) {
      const body = new URLSearchParams({ ...fieldsOf(page, path + form), ...fields }).toString();
      const { response } = await visitor.open(`/account/drops/${theirs.slug}${form}`, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: page.url.origin,
        },
      });
      expectErrorPage(response, 404);
    }

    expect(await other.api.succeed("get-drop", { params: { slug: theirs.slug } })).toEqual(theirs);
  });
});

describe("a form without a session", () => {
  test("changes nothing, says so, and shows the input", async () => {
    const { drop, path, page } = await givenPage();

    const refused = await sendForm(new Visitor(), page, path, { title: "Long thought about" });

    expectErrorPage(refused.response, 403);
    expect(refused.response.text).toContain("Nothing was changed");
    expect(elementsOf(refused.response, "textarea").map(textOf)).toContain("Long thought about");
    expect(await look(drop)).toEqual(drop);
  });

  test("is shown again after a new sign-in, and is then accepted", { tags: "slow" }, async () => {
    const { drop, path, page } = await givenPage();
    // The same person signs in again, in another tab of the same browser.
    const again = await visitor.open("/login/read?to=/account&account=other");
    await visitor.submit(again, { username: owner.username });

    const stale = await sendForm(visitor, page, path, { title: "Still here" });

    expectErrorPage(stale.response, 403);
    expect(fieldsOf(stale, path).title).toBe("Still here");
    expect((await look(drop)).title).toBe("Before");
    await sendForm(visitor, stale, path);
    expect((await look(drop)).title).toBe("Still here");
  });
});
