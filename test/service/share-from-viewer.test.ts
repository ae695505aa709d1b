import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { newOwner, openSignedIn, sendForm } from "../support/own-pages.ts";
import { enterUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

let owner: Account & { readonly visitor: Visitor };
/** A public drop with two versions. */
let drop: DropResponse;
let folder: DropResponse;

const question = "Is this your page? Edit or share it";

beforeAll(async () => {
  owner = await newOwner("sharing");
  const { slug } = await publish(owner.api);
  drop = await owner.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });
  const about = "<!doctype html><title>About</title>";
  folder = await publishFolder(owner.api, {
    "index.html": "<!doctype html><title>Start</title>",
    "a b/c.html": about,
  });
});

/** Returns the URLs of a page's links with this text. */
function linksOf({ url, response }: Visit, text: string): string[] {
  const links = elementsOf(response, "a").filter((link) => textOf(link).trim() === text);
  return links.map(({ attribs }) => new URL(attribs.href ?? "", url).href);
}

function panelOf({ slug }: DropResponse, query: string): string {
  return `${baseUrl()}/account/drops/${slug}${query}`;
}

describe("the viewer on the base host", () => {
  test("has a Share button for the owner, and is then not cached", async () => {
    const viewer = await owner.visitor.open(`/p/${drop.slug}?v=1`);

    expect(linksOf(viewer, "Share")).toEqual([panelOf(drop, "?from=base&v=1")]);
    expect(viewer.response.text).not.toContain(question);
    expect(viewer.response.headers["cache-control"]).toBe("no-store");
  });

  test("has neither the button nor the link for another signed-in person", async () => {
    const other = await newOwner("sharing-other");
    const { slug } = await publish(owner.api, { visibility: "members" });

    for (const path of [`/p/${drop.slug}`, `/p/${slug}`]) {
      const viewer = await other.visitor.open(path);

      expect(viewer.response.status).toBe(200);
      expect(viewer.response.text).not.toContain("/account/drops/");
    }
  });

  test("shows a signed-out visitor a link to sign in as the owner", async () => {
    const viewer = await new Visitor().open(`/p/${drop.slug}`);

    expect(linksOf(viewer, question)).toEqual([panelOf(drop, "?from=base")]);
    expect(linksOf(viewer, "Share")).toEqual([]);
  });
});

test("the viewer on the owner's host is the same with and without the owner's cookies", async () => {
  const bytes = await Promise.all(
    [owner.visitor, new Visitor()].map(async (visitor) => {
      const viewer = await visitor.open(drop.url);
      expect(linksOf(viewer, question)).toEqual([panelOf(drop, "?from=link")]);
      expect(linksOf(viewer, "Share")).toEqual([]);
      return viewer.response.text.replaceAll(/ nonce="[^"]*"/g, "");
    }),
  );

  expect(bytes[0] === bytes[1]).toBe(true);
});

describe("the Share panel opened from a viewer", () => {
  const backTo = async (of: DropResponse, query: string) =>
    linksOf(await owner.visitor.open(panelOf(of, query)), "Back to the page");

  test("links back to the host and version of the viewer", async () => {
    expect(await backTo(drop, "?from=link&v=1")).toEqual([`${drop.url}?v=1`]);
    expect(await backTo(drop, "?from=base&v=1")).toEqual([`${baseUrl()}/p/${drop.slug}?v=1`]);
    expect(await backTo(drop, "")).toEqual([]);
  });

  test("links back to the page of a folder", async () => {
    const viewer = await owner.visitor.open(`/d/${folder.slug}/a%20b/c.html`);
    const [panel = ""] = linksOf(viewer, "Share");

    expect(panel).toBe(panelOf(folder, "?from=base&path=a+b%2Fc.html"));
    const [back = ""] = linksOf(await owner.visitor.open(panel), "Back to the page");
    expect(back).toBe(`${baseUrl()}/d/${folder.slug}/a%20b/c.html`);
    expect((await owner.visitor.open(back)).response.status).toBe(200);
  });

  test.each(["..%2F..%2Flogin", "a%2F..%2F..%2Fb", "%2F%2Fevil.example%2F", "a%0Ab"])(
    "does not link outside the drop for the path %s",
    async (path) => {
      const backs = await backTo(drop, `?from=link&path=${path}`);

      for (const back of backs) expect(back.startsWith(`${new URL(drop.url).origin}/`)).toBe(true);
      for (const back of backs) expect(new URL(back).pathname).toMatch(new RegExp(`^/[dp]/${drop.slug}`));
    },
  );

  test.each(["from=elsewhere&v=1", "v=1", "from=link&from=base"])(
    "has no link back for the unknown origin %s",
    async (query) => {
      expect(await backTo(drop, `?${query}`)).toEqual([]);
    },
  );

  test("keeps the link back through the sign-in, a refused form and a saved change", async () => {
    const visitor = new Visitor();
    const form = `/account/drops/${drop.slug}/share`;
    const back = [`${drop.url}?v=1`];

    const signIn = await visitor.open(panelOf(drop, "?from=link&v=1"));
    const panel = await enterUsername(visitor, signIn, owner.username);
    expect(linksOf(panel, "Back to the page")).toEqual(back);

    const refused = await sendForm(visitor, panel, form, { visibility: "people", readers: "" });
    expect([refused.response.status, linksOf(refused, "Back to the page")]).toEqual([400, back]);

    const saved = await sendForm(visitor, refused, form, { visibility: "unlisted" });
    expect(saved.url.search).toBe("?done=shared&from=link&v=1");
    expect(linksOf(saved, "Back to the page")).toEqual(back);
  });

  test("returns 404 to another person", async () => {
    const visitor = new Visitor();

    const page = await openSignedIn(
      panelOf(drop, "?from=link"),
      (await newAccount("sharing-eve")).username,
      visitor,
    );

    expect(page.response.status).toBe(404);
  });
});

test("the viewer on the base host has no Share button for visitors after the owner has opened it", async () => {
  await owner.visitor.open(`/p/${folder.slug}`);

  const { text } = await fetchPage(`/p/${folder.slug}`);

  expect(text).not.toContain(">Share<");
});
