import { DomUtils, parseDocument, parseFeed } from "htmlparser2";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { expectCommonHeaders } from "../support/security-headers.ts";
import { elementsOf } from "../support/visitor.ts";

let account: Account;
let first: DropResponse;
let second: DropResponse;
let address: string;

const hardTitle = 'Ships & <rails> ]]> "§" 🚢 ';
/** Characters that are removed from stored titles. */
const disguises = "\u202E\u0001";
const notInXml = "\uFFFE";

beforeAll(async () => {
  account = await newAccount("feed");
  first = await publish(account.api, { title: "The first", description: "What it is about." });
  second = await publish(account.api, { title: hardTitle + disguises + notInXml });
  address = `${ownerAddress(first.url)}/feed`;
});

/** Reads the feed and parses it with a published library. */
async function read() {
  const response = await fetchPage(address);
  return { response, feed: parseFeed(response.text, { xmlMode: true }) };
}

const titles = async () => (await read()).feed?.items.map(({ title }) => title);

describe("an owner's feed", () => {
  test("lists the owner's drops with permanent URLs, last changed first", async () => {
    await expect.poll(titles, within(5)).toHaveLength(2);

    const { response, feed } = await read();

    expectCommonHeaders(response);
    expect(response.headers).toMatchObject({
      "content-type": "application/atom+xml; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=2, must-revalidate",
      "x-robots-tag": "noindex",
    });
    expect(feed).toMatchObject({
      type: "atom",
      id: `${ownerAddress(first.url)}/`,
      updated: new Date(second.updated_at),
      items: [
        { id: second.url, link: second.url, title: `${hardTitle}\uFFFD` },
        { id: first.url, link: first.url, title: "The first", description: "What it is about." },
      ],
    });
  });

  test("has every element that RFC 4287 requires", async () => {
    const { response } = await read();
    const document = parseDocument(response.text, { xmlMode: true });
    const [root] = document.children.filter(({ type }) => type === "tag");
    const namesIn = (parent: NonNullable<typeof root>) =>
      DomUtils.getChildren(parent).flatMap((child) => ("name" in child ? [child.name] : []));
    const [entry] = DomUtils.getElementsByTagName("entry", document, true);
    const links = DomUtils.getElementsByTagName("link", document, true).map(({ attribs }) => attribs);

    expect(response.text).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>/);
    expect(root && DomUtils.getAttributeValue(root as never, "xmlns")).toBe("http://www.w3.org/2005/Atom");
    expect(root && namesIn(root)).toEqual([
      ...["id", "title", "updated", "link", "link", "author", "entry", "entry"],
    ]);
    expect(entry && namesIn(entry)).toEqual(["id", "title", "published", "updated", "link"]);
    expect(links.find(({ rel }) => rel === "self")?.href).toBe(address);
  });

  test("is linked from the owner's page, for feed readers and for people", async () => {
    const page = await fetchPage(`${ownerAddress(first.url)}/`);
    const links = elementsOf(page, "link").filter(({ attribs }) => attribs.type === "application/atom+xml");

    expect(links.map(({ attribs }) => new URL(attribs.href ?? "", address).href)).toEqual([address]);
    expect(elementsOf(page, "a").map(({ attribs }) => new URL(attribs.href ?? "", address).href)).toContain(
      address,
    );
  });

  test("responds with 304 to a cached copy, and is cached by the edge whatever the query and cookies", async () => {
    const { response } = await read();
    const etag = response.headers.etag ?? "";

    expect((await fetchPage(address, { headers: { "if-none-match": etag } })).status).toBe(304);
    await expect
      .poll(async () => {
        await fetchPage(address);
        const others = [
          await fetchPage(`${address}?page=2`),
          await fetchPage(`${address}?x`, { headers: { cookie: "__Host-dl_reader=1" } }),
        ];
        return others.map(({ headers }) => headers["x-cache"]?.split(" ")[0]);
      })
      .toEqual(["Hit", "Hit"]);
  });

  test("omits restricted drops, and omits a locked drop within five seconds", {
    tags: "slow",
  }, async () => {
    const { slug } = await publish(account.api, { title: "The secret", visibility: "unlisted" });
    const locked = await publish(account.api, { title: "The locked" });
    await expect.poll(titles, within(5)).toContain("The locked");

    await account.api.succeed("set-passcode", {
      params: { slug: locked.slug },
      body: { passcode: "open up" },
    });

    await expect.poll(titles, within(5)).not.toContain("The locked");
    expect((await read()).response.text).not.toContain(slug);
  });

  test("returns 404 on the service's own host and on a host without an owner", async () => {
    const nobodys = address.replace(/feed-[0-9a-f]+/, "nobody-here");

    expectErrorPage(await fetchPage("/feed"), 404);
    expect(nobodys).not.toBe(address);
    expectErrorPage(await fetchPage(nobodys), 404);
  });
});
