import { extract } from "@extractus/oembed-extractor";
import openGraphScraper from "open-graph-scraper";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { onBaseHost, ownerAddress, ownerName } from "../support/owner-address.ts";
import { elementsOf } from "../support/visitor.ts";

const hardTitle = 'Ships & <rails> ]]> "§" 🚢';

let account: Account;
let drop: DropResponse;

beforeAll(async () => {
  account = await newAccount("oembed");
  drop = await publish(account.api, { title: hardTitle, description: "What it is about." });
  await account.api.succeed("publish-version", {
    params: { slug: drop.slug },
    body: { html: "<!doctype html><p>two" },
  });
});

const ask = (url: string, more = "") =>
  fetchPage(`${baseUrl()}/oembed?${new URLSearchParams({ url })}${more}`);

/** Returns the fields of the response about the drop. */
const told = () => ({
  version: "1.0",
  type: "link",
  title: hardTitle,
  author_name: ownerName(drop.url),
  author_url: `${ownerAddress(drop.url)}/`,
  provider_name: "Dropleaf",
  provider_url: `${baseUrl()}/`,
  cache_age: 3_600,
});

describe("oEmbed", () => {
  test("describes a drop for every form of its URL that people paste", async () => {
    const own = ownerAddress(drop.url);
    const spellings = [
      drop.url,
      drop.raw_url,
      `${own}/p/${drop.slug}`,
      `${baseUrl()}/p/${drop.slug}`,
      `${baseUrl()}/p/${drop.slug}/raw?framed=1`,
      `${drop.url}?v=1`,
      `${drop.url}?utm_source=mail&v=2#results`,
      `${drop.url}/`,
      drop.url.replace(/^https?:/, (scheme) => (scheme === "http:" ? "https:" : "http:")),
      drop.url.replace(/^https?:\/\//, ""),
    ];

    for (const spelling of spellings) {
      const { status, text } = await ask(spelling);
      expect([status, JSON.parse(text)], spelling).toEqual([200, told()]);
    }
    expect(await account.api.succeed("read-oembed", { query: { url: drop.url } })).toEqual(told());
  });

  test("works with a published client library that knows only the URL", async () => {
    expect(await extract(`${baseUrl()}/p/${drop.slug}`)).toMatchObject(told());
  });

  test("is available as XML with the same content", async () => {
    const response = await ask(drop.url, "&format=xml");

    expect(response.headers["content-type"]).toBe("text/xml; charset=utf-8");
    const texts = Object.keys(told()).map((name) => {
      const [element] = elementsOf(response, name);
      const [node] = element?.children ?? [];
      return [name, node && "data" in node ? node.data : undefined];
    });
    const words = Object.entries(told()).map(([name, value]) => [name, String(value)]);
    expect(texts).toEqual(words);
  });

  test("refuses other formats, and requires a URL", async () => {
    expectError(await ask(drop.url, "&format=yaml"), "format_not_supported");
    expect((await ask(drop.url, "&format=yaml")).status).toBe(501);
    expectError(await fetchPage(`${baseUrl()}/oembed`), "invalid_arg");
  });

  test("returns the same 404 for other URLs and for restricted drops", async () => {
    const hidden = await publish(account.api, { visibility: "members" });
    const elsewhere = [
      "https://example.com/",
      `${baseUrl()}/`,
      `${baseUrl()}/p/0000000`,
      `${baseUrl()}/p/${drop.slug}?v=99`,
      `${baseUrl()}/p/${drop.slug}/compare`,
      `https://example.com/p/${drop.slug}`,
      `${drop.url}x`,
      "x",
      hidden.url,
      `${baseUrl()}/p/${hidden.slug}?v=99`,
    ];

    const answers = await Promise.all(elsewhere.map((url) => ask(url)));

    for (const answer of answers) expectError(answer, "not_found");
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test("is refused for a locked drop without revealing its title or versions", async () => {
    const locked = await publish(account.api, { title: "The secret plan", passcode: "open sesame" });

    for (const query of ["", "?v=1", "?v=99"]) {
      const answer = await ask(locked.url + query);
      expectError(answer, "unauthorized");
      expect(answer.text).not.toContain("secret");
    }
  });
});

describe("a link preview", () => {
  const scrape = async (url: string) => {
    const { result } = await openGraphScraper({ html: (await fetchPage(url)).text });
    return result;
  };

  test("has title, description and a card with an absolute URL, as a published scraper reads them", async () => {
    const { ogImage = [], ...found } = await scrape(`${drop.url}?v=1`);

    expect(found).toMatchObject({
      ogTitle: hardTitle,
      ogDescription: "What it is about.",
      ogUrl: drop.url,
      ogSiteName: "Dropleaf",
      twitterCard: "summary_large_image",
    });
    const [card] = ogImage;
    expect(card).toMatchObject({ width: "1200", height: "630", alt: hardTitle });
    expect(card?.url).toBe(`${drop.raw_url}?drawn=card&v=1`);
    const { status, headers } = await fetchPage(card?.url ?? "");
    expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
  });

  test("of a locked page has the neutral card, and does not reveal title or description", async () => {
    const locked = await publish(account.api, {
      title: "The secret plan",
      description: "What nobody is to know.",
      passcode: "open sesame",
    });

    const led = await fetchPage(locked.url);
    const { ogImage = [], ...found } = await scrape(led.headers.location ?? "");

    expect([led.status, led.headers.location]).toEqual([303, onBaseHost(locked.url)]);
    expect(found).toMatchObject({ ogTitle: "Locked page", twitterCard: "summary_large_image" });
    expect(JSON.stringify(found)).not.toMatch(/secret|nobody/);
    const [card] = ogImage;
    expect(card).toMatchObject({ width: "1200", height: "630", alt: "Dropleaf" });
    expect((await fetchPage(card?.url ?? "")).bytes).toEqual(
      (await fetchPage(`${drop.raw_url}?drawn=card`)).bytes,
    );
    expect((await fetchPage(onBaseHost(locked.url))).text).not.toContain("json+oembed");
  });
});
