import { describe, expect, test } from "vitest";
import { ownerPageAssets } from "../../functions/owner-page/owner-page.tsx";
import { nonce } from "./nonce.ts";
import { baseUrl, everyPage, ownerUrl } from "./page-fixtures.ts";
import { findElements, parsePage } from "./parsed-page.ts";

const hostileWords = `"'></title></script></style><script data-hostile>alert(1)</script><img data-hostile src=x onerror=alert(1)>&lt;${"\u202e"}&`;
const pageBytesMax = 34_000;

const pages = Object.entries(everyPage("A quiet page"));
const hostilePages = Object.entries(everyPage(hostileWords));

describe.each(hostilePages)("%s, given hostile words", (_name, html) => {
  test("shows them as text, and gets no element or event handler from them", () => {
    const elements = parsePage(html);

    expect(
      elements.filter(({ attributes }) => "data-hostile" in attributes || "onerror" in attributes),
    ).toEqual([]);
    expect(html).not.toContain("<script data-hostile");
    expect(html).not.toContain("<img data-hostile");
  });

  test("has the same scripts and styles as with plain words", () => {
    const sources = (page: string | undefined) => {
      return parsePage(page ?? "")
        .filter(({ name }) => name === "script" || name === "style")
        .map(({ text }) => text);
    };

    expect(sources(html)).toEqual(sources(everyPage("A quiet page")[_name]));
  });
});

test.each(["viewer", "verify", "confirmation", "error", "not shared", "owner", "feedback", "answer"])(
  "hostile words are shown completely on the page: %s",
  (name) => {
    const html = everyPage(hostileWords)[name] ?? "";

    expect(parsePage(html).some(({ text }) => text === hostileWords)).toBe(true);
  },
);

describe.each(pages)("%s", (_name, html) => {
  test("is a document with a language, a title, a viewport and one heading", () => {
    expect(html.startsWith("<!doctype html><html lang=")).toBe(true);
    expect(findElements(html, "title")[0]?.text).not.toBe("");
    expect(findElements(html, "meta").some(({ attributes }) => attributes.name === "viewport")).toBe(true);
    expect(findElements(html, "h1")).toHaveLength(1);
    expect(findElements(html, "main")).toHaveLength(1);
  });

  test("has every style and script allowed by its policy, and no inline handler or style attribute", () => {
    const elements = parsePage(html);
    const inline = elements.filter(({ name }) => name === "script" || name === "style");
    const attributeNames = elements.flatMap(({ attributes }) => Object.keys(attributes));

    expect(inline.length).toBeGreaterThan(0);
    // Cached pages have no nonce. The policy allows their scripts and styles by the hash of their text.
    const kept: readonly unknown[] = Object.values(ownerPageAssets);
    const isAllowed = ({ attributes, text }: (typeof inline)[number]) =>
      _name.startsWith("owner")
        ? kept.includes(text) && attributes.nonce === undefined
        : attributes.nonce === nonce;
    expect(inline.filter((element) => !isAllowed(element) || "src" in element.attributes)).toEqual([]);
    expect(attributeNames.filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
  });

  test("loads nothing from outside the service, and links nowhere outside it", () => {
    const ours = [baseUrl, ownerUrl];
    const addresses = parsePage(html).flatMap(({ attributes }) => {
      return ["src", "href", "action", "srcset", "poster"].flatMap((name) => attributes[name] ?? []);
    });
    const foreign = addresses.filter((address) => {
      return (
        !/^[/#](?!\/)/.test(address) &&
        // Inline images: the icon, and thumbnails of restricted pages.
        !/^data:image\/(?:svg\+xml,|webp;base64,)/.test(address) &&
        !ours.some((url) => address.startsWith(url))
      );
    });
    const style = findElements(html, "style")[0]?.text ?? "";

    expect(foreign).toEqual([]);
    expect(style).not.toMatch(/url\(|@import/);
  });

  test("has fewer than 34,000 bytes uncompressed", () => {
    expect(Buffer.byteLength(html)).toBeLessThan(pageBytesMax);
  });

  test("has unique ids, and labels and descriptions that refer to an element", () => {
    const elements = parsePage(html);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    const references = elements.flatMap(({ attributes }) => {
      return [attributes.for, attributes["aria-describedby"], attributes["aria-labelledby"]].flatMap(
        (several) => several?.split(" ") ?? [],
      );
    });

    expect(new Set(ids).size).toBe(ids.length);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

test.each(["verify", "confirmation", "login", "error", "not shared", "signed out", "answer"])(
  "the page has no script: %s",
  (name) => {
    expect(findElements(everyPage("A quiet page")[name] ?? "", "script")).toEqual([]);
  },
);

test.each(["comparison", "feedback", "verify", "confirmation", "login", "error", "gate", "not shared"])(
  "search engines may not list the page: %s",
  (name) => {
    const robots = findElements(everyPage("A quiet page")[name] ?? "", "meta").filter(
      ({ attributes }) => attributes.name === "robots",
    );

    expect(robots.map(({ attributes }) => attributes.content)).toEqual(["noindex"]);
  },
);
