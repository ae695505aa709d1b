import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { giveValue } from "../../functions/account/access-requests-part.tsx";
import { limits } from "../../functions/core/limits.ts";
import { messageField } from "../../functions/identity/access-form.tsx";
import { ranges } from "../../functions/table/keys.ts";
import { queryAll } from "../../functions/table/table.ts";
import { type GivenReader, givenReader } from "../abuse/given-reader.ts";
import { type Account, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { sendForm as sendRaw } from "../support/feedback-forms.ts";
import { storeAccessRequest } from "../support/given-access-request.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { withoutNonces } from "../support/nonces.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { elementsOf, textOf, type Visit, type Visitor } from "../support/visitor.ts";
import { openGivenService } from "./given-service.ts";

await openGivenService();

const confirmation = "Sent. If the page exists, its owner sees your request.";

/** Creates a person with a verified address who is signed in as a reader. */
function givenPerson(name: string): Promise<GivenReader> {
  const id = randomUUID();
  return givenReader({ username: `${name}-${id}`, emails: [`${name}-${id}@example.com`] });
}

/** Publishes a drop that another person can read. */
async function givenDrop(owner: Account, fields: object = {}): Promise<string> {
  const shared = { visibility: "people", readers: ["nobody@example.com"], title: "Report" };
  return (await publish(owner.api, { ...shared, ...fields })).slug;
}

/** Opens a page without access and sends its form to request access. */
async function ask(visitor: Visitor, slug: string, message = ""): Promise<Visit> {
  return sendForm(visitor, await visitor.open(`/p/${slug}`), `/p/${slug}/access`, {
    [messageField]: message,
  });
}

const listOf = async ({ api }: Account, query = {}) => api.succeed("list-access-requests", { query });
const pageOfDrop = ({ visitor }: { readonly visitor: Visitor }, slug: string) =>
  visitor.open(`/account/drops/${slug}`);
const answer = (
  owner: { readonly visitor: Visitor },
  page: Visit,
  slug: string,
  fields: Record<string, string>,
) => sendForm(owner.visitor, page, `/account/drops/${slug}/access`, fields);

/** Returns a response's status and its text without the slug and nonces. */
const sameAs = ({ response: { status, text } }: Visit, slug: string) => ({
  status,
  text: withoutNonces(text).replaceAll(slug, "<slug>"),
});

describe("a person without access to a page", () => {
  test("gets identical responses for a restricted, a deleted and a missing page", async () => {
    const owner = await newOwner("owner");
    const { visitor } = await givenPerson("grace");
    const [shared, deleted, missing] = [await givenDrop(owner), await givenDrop(owner), "Missing"];
    await owner.api.succeed("delete-drop", { params: { slug: deleted } });
    const slugs = [shared, deleted, missing];

    const shown = [];
    for (const slug of slugs) {
      const page = await visitor.open(`/p/${slug}`);
      const sent = await ask(visitor, slug, "Please.");
      shown.push([sameAs(page, slug), sameAs(sent, slug)]);
    }
    const refused = [];
    for (const slug of slugs) refused.push(sameAs(await ask(visitor, slug), slug));

    const [[before, after] = []] = shown;
    expect(before).toMatchObject({ status: 404, text: expect.stringContaining("Ask for access") });
    expect(after).toMatchObject({ status: 200, text: expect.stringContaining(confirmation) });
    expect(shown).toEqual([
      [before, after],
      [before, after],
      [before, after],
    ]);
    expect(refused).toEqual([refused[0], refused[0], refused[0]]);
    expect(refused[0]).toMatchObject({ status: 429, text: expect.stringContaining("three times a day") });
    expect((await listOf(owner)).requests).toMatchObject([{ slug: shared, text: "Please." }]);
    expect(await queryAll(ranges.accessRequests(deleted))).toEqual([]);
    expect(await queryAll(ranges.accessRequests(missing))).toEqual([]);
  });

  test("can send three requests a day, also for missing pages, and is shown when the next is possible", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const { visitor } = await givenPerson("grace");
    for (const missing of ["Missing", "Missin2", "Missin3"]) await ask(visitor, missing);

    const { response } = await ask(visitor, slug, "Let me in");

    expectErrorPage(response, 429);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(86_000);
    expect(response.text).toContain('value="Let me in"');
    expect((await listOf(owner)).requests).toEqual([]);
  });

  test("has one open request per page, whose text the next request replaces", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const { visitor, identity } = await givenPerson("grace");

    await ask(visitor, slug, "First");
    await ask(visitor, slug, "Second\u202e line");

    expect(await listOf(owner)).toMatchObject({
      untrusted: expect.stringContaining("data"),
      requests: [{ slug, name: identity.username, reader: identity.emails[0], text: "Second line" }],
      next_cursor: null,
    });
    expect(await queryAll(ranges.accessEntries(owner.userId))).toHaveLength(1);
  });

  test("can send as many requests as before after a refused form", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const { visitor } = await givenPerson("grace");
    const page = await visitor.open(`/p/${slug}`);
    const action = `/p/${slug}/access`;
    const long = "m".repeat(limits.accessRequestCodePointsMax + 1);
    const form = { url: new URL(action, page.url), fields: { proof: "forged" } };

    const unproven = await sendRaw(visitor, form);
    const foreign = await sendRaw(visitor, form, {}, { origin: "https://elsewhere.example" });
    const tooLong = await sendForm(visitor, page, action, { [messageField]: long });

    expectErrorPage(unproven.response, 403);
    expectErrorPage(foreign.response, 403);
    expectErrorPage(tooLong.response, 400);
    expect(tooLong.response.text).toContain("more than 200 characters");
    for (let time = 0; time < limits.accessRequestsPerDayPerPerson; time += 1)
      expect((await ask(visitor, slug)).response.status).toBe(200);
  });

  test("gets a sign-in link instead of the form before signing in", async () => {
    const slug = await givenDrop(await newOwner("owner"));

    const page = await fetchPage(`${baseUrl()}/p/${slug}`);
    const sent = await fetchPage(`${baseUrl()}/p/${slug}/access`, {
      method: "POST",
      body: "proof=x",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: baseUrl() },
    });

    for (const response of [page, sent]) {
      expectErrorPage(response, 404);
      expect(response.text).toContain("/login/read");
      expect(response.text).not.toContain("Ask for access");
    }
  });
});

test("a person who already has access sees the page, and no request is created", async () => {
  const owner = await newOwner("owner");
  const { visitor, identity } = await givenPerson("grace");
  const slug = await givenDrop(owner);
  const page = await visitor.open(`/p/${slug}`);
  await owner.api.succeed("edit-drop", { params: { slug }, body: { readers: identity.emails } });

  const shown = await sendForm(visitor, page, `/p/${slug}/access`);

  expect(shown.url.pathname).toBe(`/p/${slug}`);
  expect(shown.response.status).toBe(200);
  expect((await listOf(owner)).requests).toEqual([]);
});

describe("an owner", () => {
  test("sees requests at /account and on the drop's page, and gives access with one click", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const { visitor, identity } = await givenPerson("grace");
    await ask(visitor, slug, "I review it.");

    const pages = await owner.visitor.open("/account");
    const page = await pageOfDrop(owner, slug);
    const [request] = (await listOf(owner)).requests;
    const give = giveValue(request?.id ?? "", request?.reader ?? "");
    const given = await answer(owner, page, slug, { give });
    const again = await answer(owner, page, slug, { give });

    expect(pages.response.text).toContain("1 person is asking for access");
    expect(pages.response.text).toContain(`/account/drops/${slug}#access`);
    expect(page.response.text).toContain("I review it.");
    expect(page.response.text).toContain(`value="${give}"`);
    expect(page.response.text).toContain(identity.emails[0]);
    expect(given.response.text).toContain("The person now has access, but wasn’t notified.");
    expect(given.response.text).not.toContain("I review it.");
    expect(again.response.text).toContain("The person now has access, but wasn’t notified.");
    expect(await owner.api.succeed("get-drop", { params: { slug } })).toMatchObject({
      visibility: "people",
      readers: ["nobody@example.com", identity.emails[0]],
    });
    expect((await visitor.open(`/p/${slug}`)).response.status).toBe(200);
    expect((await listOf(owner)).requests).toEqual([]);
    expect(await queryAll(ranges.accessEntries(owner.userId))).toEqual([]);
    expect((await owner.visitor.open("/account")).response.text).not.toContain("for access");
  });

  test("dismisses a request on the page or over the API, and the person can ask again", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const { visitor } = await givenPerson("grace");
    await ask(visitor, slug);
    const [first] = (await listOf(owner)).requests;
    const id = first?.id ?? "";

    const dismissed = await answer(owner, await pageOfDrop(owner, slug), slug, { dismiss: id });
    await ask(visitor, slug, "Again");
    const [second] = (await listOf(owner)).requests;
    await owner.api.succeed("dismiss-access-request", { params: { slug, id } });

    expect(dismissed.response.text).toContain("The request was dismissed.");
    expect(second).toMatchObject({ id, text: "Again" });
    expect((await listOf(owner)).requests).toEqual([]);
    expectError(await owner.api.call("dismiss-access-request", { params: { slug, id } }), "not_found");
    expect((await visitor.open(`/p/${slug}`)).response.status).toBe(404);
  });

  test("gets an error for a request that was dismissed after the page was loaded", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner);
    const id = await storeAccessRequest({ ownerId: owner.userId, slug });
    const page = await pageOfDrop(owner, slug);
    await owner.api.succeed("dismiss-access-request", { params: { slug, id } });

    const { response } = await answer(owner, page, slug, { give: id });

    expectErrorPage(response, 400);
    expect(response.text).toContain("This request is no longer open.");
  });

  test("of a page for members cannot give access to one person", async () => {
    const owner = await newOwner("owner");
    const slug = await givenDrop(owner, { visibility: "members", readers: undefined });
    const id = await storeAccessRequest({ ownerId: owner.userId, slug });

    const page = await pageOfDrop(owner, slug);
    const { response } = await answer(owner, page, slug, { give: id });

    const buttons = elementsOf(page.response, "button").map(textOf);
    expect(page.response.text).toContain("This page is for members of this service.");
    expect(buttons.some((label) => label.startsWith("Give access"))).toBe(false);
    expectErrorPage(response, 400);
    expect(response.text).toContain("This page isn’t shared with named people.");
  });

  test("cannot see or change requests for other owners' pages", async () => {
    const [owner, other] = [await newOwner("owner"), await newOwner("other")];
    const [slug, own] = [await givenDrop(owner), await givenDrop(other)];
    const id = await storeAccessRequest({ ownerId: owner.userId, slug });
    const params = { slug, id };

    expect((await listOf(other)).requests).toEqual([]);
    expectError(await other.api.call("dismiss-access-request", { params }), "not_found");
    expectError(await other.api.call("dismiss-access-request", { params: { slug: own, id } }), "not_found");
    expect((await listOf(owner)).requests).toMatchObject([{ id }]);
  });

  test("lists requests page by page, newest first, without current readers and trashed drops", async () => {
    const owner = await newOwner("owner");
    const [one, two] = [await givenDrop(owner), await givenDrop(owner)];
    const nowMs = Date.now();
    const store = (slug: string, person: string, order: number) =>
      storeAccessRequest({ ownerId: owner.userId, slug }, person, { requestedAtMs: nowMs + order });
    for (const [order, person] of ["ada", "grace", "joan"].entries()) await store(one, person, order);
    await store(two, "edith", 3);

    const first = await listOf(owner, { pageSize: 2 });
    const rest = await listOf(owner, { pageSize: 2, cursor: first.next_cursor });
    await owner.api.succeed("delete-drop", { params: { slug: two } });
    await owner.api.succeed("edit-drop", { params: { slug: one }, body: { readers: ["joan@example.com"] } });
    const left = await listOf(owner);
    await owner.api.succeed("undelete-drop", { params: { slug: two } });

    expect([first, rest].map(({ requests }) => requests.map(({ name }) => name))).toEqual([
      ["edith", "joan"],
      ["grace", "ada"],
    ]);
    expect([rest.next_cursor, left.next_cursor]).toEqual([null, null]);
    expect(left.requests.map(({ name }) => name)).toEqual(["grace", "ada"]);
    expect((await listOf(owner)).requests.map(({ name }) => name)).toEqual(["edith", "grace", "ada"]);
  });
});
