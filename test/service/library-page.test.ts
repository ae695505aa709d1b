import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { openSignedIn } from "../support/own-pages.ts";
import { within } from "../support/promised-time.ts";
import {
  contentSecurityPolicyOf,
  expectCommonHeaders,
  expectOwnScripts,
} from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

let owner: Account;
let reader: Visitor;
let username: string;

beforeAll(async () => {
  username = unusedUsername("borrower");
  reader = new Visitor();
  [owner] = await Promise.all([newAccount("lender"), openSignedIn("/library", username, reader)]);
});

const share = (fields: object = {}) =>
  publish(owner.api, { visibility: "people", readers: [username], ...fields });

/** Opens the library until it shows a text, which can take seconds after its publication. */
function shown(query: string, text: string): Promise<Visit> {
  return vi.waitFor(async () => {
    const page = await reader.open(`/library${query}`);
    if (!page.response.text.includes(text)) throw new Error(`The library has no ${text}.`);
    return page;
  }, within(20));
}

const linkOf = (page: Visit, text: string) =>
  elementsOf(page.response, "a").find((link) => textOf(link).trim() === text)?.attribs.href ?? "";

describe("the library's page", () => {
  test("redirects a visitor to sign in, and returns them after it", async () => {
    const before = await new Visitor().request("/library?q=x");
    const page = await openSignedIn("/library", unusedUsername("comes-back"));

    expect([before.response.status, before.response.headers.location]).toEqual([
      302,
      `${baseUrl()}/login/read?to=%2Flibrary`,
    ]);
    expect([page.url.href, page.response.status]).toEqual([`${baseUrl()}/library`, 200]);
    expect(page.response.text).toContain("comes-back");
  });

  test("shows pages that name the reader, with owner, tags and a link", async () => {
    const metadata = { project: "library", stage: "<b>" };
    const drop = await share({ title: "Borrow <me>", description: "A & B", metadata });

    const page = await shown("", drop.slug);

    const row = elementsOf(page.response, "li")
      .map(textOf)
      .find((text) => text.includes("Borrow <me>"));
    expect(row).toMatch(
      /^Borrow <me>A & Bby lender-\w+Named peopleCreated \d+ \w+ \d{4}, \d\d:\d\d UTCproject: librarystage: <b>/,
    );
    const read = await reader.open(linkOf(page, "Borrow <me>"));
    expect(read.response.status).toBe(200);
    expect(read.url.pathname).toBe(`/d/${drop.slug}`);
    expect(read.response.text).toContain("Borrow &lt;me>");
    const tagged = await reader.open(linkOf(page, "stage: <b>"));
    expect(elementsOf(tagged.response, "li").map(textOf).join()).toContain("Borrow <me>");
    expect(elementsOf(tagged.response, "search").map(textOf).join()).toContain("Tagged stage: <b>");
  });

  test("shows a locked page without its title", async () => {
    const drop = await share({ title: "Merger", metadata: { deal: "acme" }, passcode: "open sesame" });

    const { response } = await shown("", drop.slug);

    expect(response.text).not.toContain("Merger");
    expect(response.text).not.toContain("acme");
    expect(response.text).toContain("Locked page");
  });

  test("searches by words, owner and tags, keeps the query in its form, and says if nothing was found", async () => {
    const drop = await share({ title: "Quarterly Müller", metadata: { kind: "numbers" } });
    const query = `?q=MULLER&owner=${owner.username}&metadata.kind=numbers`;

    const page = await shown(query, drop.slug);
    const nothing = await reader.open(
      `/library?q=${encodeURIComponent('"><b>nowhere"')}&owner=nobody%20here`,
    );

    expect(elementsOf(page.response, "input").map(({ attribs: { name, value } }) => [name, value])).toEqual(
      expect.arrayContaining([
        ["q", "MULLER"],
        ["owner", owner.username],
        ["metadata.kind", "numbers"],
      ]),
    );
    expect(elementsOf(nothing.response, "h2").map(textOf)).toEqual(["Nothing found"]);
    expect(nothing.response.text).not.toContain("<b>nowhere");
    expect(linkOf(nothing, "Show everything")).toBe("/library");
  });

  test("searches the text of pages, and highlights the words", { tags: "slow" }, async () => {
    const word = unusedUsername("sought");
    const drop = await share({ html: `<h1>A page</h1><p>Then <b>${word}</b> &lt;came&gt; home.` });

    const { response } = await shown(`?q=${encodeURIComponent(`"${word} came" page*`)}`, drop.slug);

    expect(elementsOf(response, "mark").map(textOf)).toEqual(["page", `${word} <came`]);
    expect(elementsOf(response, "p").map(textOf)).toContain(`A page Then ${word} <came> home.`);
  });

  test.each([
    ['"open', "Close the quotation mark"],
    ["-without", "Add a word without a hyphen"],
    ["…", "Type a word with letters or digits"],
    ["a ".repeat(40), "Use fewer words"],
    ["this OR that", "Leave out OR"],
    ["tag:finance", "Put a word with a colon"],
  ])("explains how to correct the query %s", async (query, told) => {
    const { response } = await reader.open(`/library?q=${encodeURIComponent(query)}`);

    const field = elementsOf(response, "input").find(({ attribs }) => attribs.name === "q");
    const alert = elementsOf(response, "p").find(({ attribs }) => attribs.role === "alert");
    expect(alert && textOf(alert)).toContain(told);
    expect(field?.attribs["aria-describedby"]).toContain(alert?.attribs.id);
    expect(field?.attribs.value).toBe(query.trim());
    expect(elementsOf(response, "h2")).toEqual([]);
  });

  test("continues from a cursor, and starts again for an invalid one", { tags: "slow" }, async () => {
    const title = unusedUsername("paged");
    const query = `?metadata.batch=${title}`;
    for (let count = 0; count < 21; count += 1) await share({ title, metadata: { batch: title } });
    const rows = (page: Visit) => elementsOf(page.response, "a").filter((link) => textOf(link) === title);
    const [first, second] = await vi.waitFor(async () => {
      const page = await reader.open(`/library${query}`);
      const next = await reader.open(linkOf(page, "Older"));
      if (rows(page).length + rows(next).length < 21)
        throw new Error("The library does not list all drops yet.");
      return [page, next] as const;
    }, within(20));

    expect([rows(first).length, rows(second).length]).toEqual([20, 1]);
    expect(linkOf(second, "Newest")).toBe(`/library${query}`);
    for (const cursor of ["x", "%00", linkOf(first, "Older").slice(-40)]) {
      const page = await reader.open(`/library${query}&cursor=${cursor}&metadata.NO=1&page=7`);
      expect([page.response.status, rows(page).length]).toEqual([200, 20]);
    }
    const further = await vi.waitFor(async () => {
      const found = await reader.open(`/library?q=${title}`);
      const page = await reader.open(linkOf(found, "More results"));
      expect([rows(found).length, rows(page).length]).toEqual([20, 1]);
      return page;
    }, within(20));
    expect(linkOf(further, "Previous results")).toBe(`/library?q=${title}`);
    expect(linkOf(further, "More results")).toBe("");
  });

  test("shows no drop to a stranger, nor to a reader whose access has ended", async () => {
    const drop = await share({ title: "Closed soon" });
    await shown("", drop.slug);
    const stranger = await openSignedIn("/library", unusedUsername("stranger"));

    await owner.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { visibility: "unlisted" } });

    expect(stranger.response.text).not.toContain(drop.slug);
    expect((await reader.open("/library")).response.text).not.toContain(drop.slug);
  });

  test("cannot be framed, cached, or requested by another site, and runs only its own script", async () => {
    const { response } = await reader.open("/library");

    expectCommonHeaders(response);
    expect(contentSecurityPolicyOf(response)).toMatchObject({
      "default-src": "'none'",
      "frame-ancestors": "'none'",
    });
    expect(response.headers["cache-control"]).toBe("no-store");
    expectOwnScripts(response);
    for (const headers of [
      { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site" },
      { "sec-fetch-dest": "empty", "sec-fetch-site": "cross-site" },
    ]) {
      const refused = await reader.request("/library", { headers: { accept: "text/html", ...headers } });
      expect(refused.response.status).toBe(403);
    }
  });
});
