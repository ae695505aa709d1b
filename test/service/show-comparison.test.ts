import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { onBaseHost, ownerAddress } from "../support/owner-address.ts";
import { signInToRead } from "../support/reader.ts";
import {
  contentSecurityPolicyOf,
  expectCommonHeaders,
  expectOwnScripts,
} from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("comparison");
});

interface GivenVersion {
  readonly html: string;
  readonly context?: string;
  readonly note?: string;
}

/** Publishes a drop with these versions, and returns it with the URL of its comparison. */
async function given([first, ...others]: readonly GivenVersion[], fields: object = {}) {
  const drop = await publish(account.api, { ...first, title: "The garden", ...fields });
  const { slug } = drop;
  for (const body of others) await account.api.succeed("publish-version", { params: { slug }, body });
  return { ...drop, address: `${ownerAddress(drop.url)}/p/${slug}/compare` };
}

/** Returns the removed lines of a comparison, then the added ones. */
function changesOf(response: ReceivedResponse): string[] {
  return [...elementsOf(response, "del"), ...elementsOf(response, "ins")].map(textOf);
}

/** Returns the versions selected in a comparison's form. */
function comparedBy(response: ReceivedResponse): (string | undefined)[] {
  return elementsOf(response, "option")
    .filter(({ attribs }) => "selected" in attribs)
    .map(({ attribs }) => attribs.value);
}

describe("the comparison of two versions", () => {
  test("shows the changes of page and context and the versions' notes, and runs only its own script", {
    tags: "slow",
  }, async () => {
    const drop = await given([
      { html: "<p>one</p>\n<p>leaves 12</p>\n", context: "Why one.", note: "At <first>." },
      { html: "<p>one</p>\n<p>leaves 13</p>\n", context: "Why two.", note: "And then." },
    ]);
    const { view_count: views } = await account.api.succeed("get-drop", { params: { slug: drop.slug } });

    for (const address of [drop.address, `${baseUrl()}/p/${drop.slug}/compare`]) {
      const response = await fetchPage(`${address}?view=text`);

      expect(response.status).toBe(200);
      expectCommonHeaders(response);
      expect(elementsOf(response, "h1").map(textOf)).toEqual(["The garden"]);
      expect(comparedBy(response)).toEqual(["1", "2"]);
      expect(changesOf(response)).toEqual(["<p>leaves 12</p>", "Why one.", "<p>leaves 13</p>", "Why two."]);
      expect(elementsOf(response, "mark").map(textOf)).toEqual(["12", "13", "one", "two"]);
      expect(response.text).toContain("At &lt;first>.");
      expectOwnScripts(response);
      expect(response.headers["cache-control"]).toBe("no-store");
      const { "style-src": style, "script-src": script, ...policy } = contentSecurityPolicyOf(response);
      expect(style).toMatch(/^'nonce-/);
      expect(script).toBe(style);
      expect(policy).toEqual({
        "default-src": "'none'",
        "base-uri": "'none'",
        "img-src": "data:",
        "frame-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
      });
      expect(elementsOf(response, "meta").map(({ attribs }) => attribs.content)).toContain("noindex");
      const links = elementsOf(response, "a").map(({ attribs }) => attribs.href);
      expect(links).toContain(`${baseUrl()}/account/drops/${drop.slug}`);
    }
    expect((await account.api.succeed("get-drop", { params: { slug: drop.slug } })).view_count).toBe(views);
  });

  test("shows the pages side by side, sandboxed as in the viewer, with the number of changes", async () => {
    const { address } = await given([{ html: pageOf("one") }, { html: pageOf("two") }]);

    const response = await fetchPage(address);

    expect(elementsOf(response, "p").map(textOf)).toContain("1 change in the text. Removed Added");
    expectOwnScripts(response);
    const frames = elementsOf(response, "iframe").map(({ attribs }) => attribs);
    expect(frames.map(({ sandbox }) => sandbox)).toEqual(
      Array(2).fill("allow-scripts allow-forms allow-modals allow-downloads"),
    );
    const framed = await Promise.all(frames.map(({ src }) => fetchPage(new URL(src ?? "", address))));
    expect(framed.map(({ text }) => text.includes("<p>one</p>"))).toEqual([true, false]);
    expect(framed.map(({ text }) => text.includes("<p>two</p>"))).toEqual([false, true]);
    const [removed = "", added = ""] = frames.map(({ name }) => name);
    expect(removed).toMatch(/^dropleaf-marks:.*line-through.*\[\[0,"ONE",0,3\]\]\}$/);
    expect(added).toMatch(/^dropleaf-marks:.*underline.*\[\[0,"TWO",0,3\]\]\}$/);
  });

  test("has tabs for the pages and their source, and keeps the tab for other versions", async () => {
    const { address } = await given([{ html: pageOf("one") }, { html: pageOf("two") }]);
    const tabsOf = (response: ReceivedResponse) =>
      elementsOf(response, "a").filter(({ attribs }) => attribs.href?.includes("/compare?"));

    const pages = await fetchPage(address);
    const links = tabsOf(pages).map(({ attribs }) => new URL(attribs.href ?? "", address).href);
    const [again, source] = await Promise.all(links.map((link) => fetchPage(link)));

    expect(links).toEqual([`${address}?from=1&to=2`, `${address}?from=1&to=2&view=text`]);
    for (const [response, current, view] of [
      [pages, "Side by side", []],
      [again, "Side by side", []],
      [source, "Source text", ["text"]],
    ] as const) {
      if (response === undefined) throw new Error("A tab has no page.");
      const shown = tabsOf(response).filter((tab) => tab.attribs["aria-current"] === "page");
      expect(shown.map(textOf)).toEqual([current]);
      const kept = elementsOf(response, "input").filter(({ attribs }) => attribs.name === "view");
      expect(kept.map(({ attribs }) => attribs.value)).toEqual(view);
    }
  });

  test("says that the text is the same if only the source differs, and links to the source", async () => {
    const html = pageOf("one");
    const { address } = await given([{ html }, { html: html.replace("<p>", "<p class=two>") }]);

    const response = await fetchPage(address);

    expect(response.text).toContain("The text is the same.");
    const [link] = elementsOf(response, "a").filter((a) => textOf(a) === "Compare the source text");
    const source = await fetchPage(new URL(link?.attribs.href ?? "", address));
    expect(changesOf(source).join()).toContain("class=two");
    expect(elementsOf(response, "iframe").map(({ attribs }) => attribs.name)).toEqual([undefined, undefined]);
  });

  test("says that pages are too large or too different to mark their changes", { tags: "slow" }, async () => {
    const page = (word: string) =>
      Array.from({ length: 60_000 }, (_, index) => `<p>${word} ${index}`).join("\n");
    const large = (word: string) => ({ "index.html": `<p>${word}</p><!--${" ".repeat(2_200_000)}-->` });
    const different = await given([{ html: page("one") }, { html: page("two") }]);
    const { slug } = await publishFolder(account.api, large("one"));
    await publishFolder(account.api, large("two"), { slug });

    for (const address of [different.address, `${baseUrl()}/p/${slug}/compare`]) {
      const response = await fetchPage(address);

      expect(response.text).toContain("These pages are too large or too different to mark their changes.");
      expect(elementsOf(response, "iframe")).toHaveLength(2);
    }
  });

  test("compares the given versions in either order, and by default the latest with the previous one", async () => {
    const html = (text: string) => ({ html: pageOf(text) });
    const { slug, address } = await given(["one", "two", "three", "four"].map(html));
    await account.api.succeed("delete-version", { params: { slug, n: 3 } });
    const compared = async (query: string) => comparedBy(await fetchPage(address + query));

    expect(await compared("")).toEqual(["2", "4"]);
    expect(await compared("?to=2")).toEqual(["1", "2"]);
    expect(await compared("?from=1")).toEqual(["1", "4"]);
    expect(await compared("?from=4&to=1")).toEqual(["4", "1"]);
    for (const query of ["?to=1", "?to=3", "?from=9", "?from=x", "?to=1.5", "?from=1&from=2", "?to=0"])
      expectErrorPage(await fetchPage(address + query), 404);
  });

  test("is linked from the viewer of a drop with at least two versions", async () => {
    const one = await given([{ html: pageOf("one") }]);
    const two = await given([{ html: pageOf("one") }, { html: pageOf("two") }]);
    const wayFrom = async (url: string) =>
      elementsOf(await fetchPage(url), "a")
        .map(({ attribs }) => new URL(attribs.href ?? "", url).href)
        .filter((href) => href.includes("/compare"));

    expect(await wayFrom(one.url)).toEqual([]);
    expect(await wayFrom(two.url)).toEqual([two.address]);
    expect(await wayFrom(`${two.url}?v=1`)).toEqual([`${two.address}?from=1`]);
    expectErrorPage(await fetchPage(one.address), 404);
  });

  test("says that nothing differs, or only the line endings", async () => {
    const html = "<p>one</p>\n<p>two</p>\n";
    const { address } = await given([{ html }, { html }, { html: html.replaceAll("\n", "\r\n") }]);

    const same = await fetchPage(`${address}?to=2&view=text`);
    const lineEnds = await fetchPage(`${address}?view=text`);

    expect(same.text).toContain("No differences");
    expect(lineEnds.text).toContain("Only the line endings differ.");
    for (const response of [same, lineEnds]) expect(changesOf(response)).toEqual([]);
  });
});

describe("untrusted content in a comparison", () => {
  test("is escaped, and invisible or direction-changing characters are shown as code points", async () => {
    const hostile = `</td></table></script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"'`;
    const { address } = await given([
      { html: "<p>" },
      { html: `${hostile}\n\u202eturned\u2066\u0000\u0007\n<p>`, context: hostile },
    ]);

    const response = await fetchPage(`${address}?view=text`);
    const framing = await fetchPage(address);

    expect(changesOf(response)).toEqual([hostile, "U+202EturnedU+2066U+0000U+0007", hostile]);
    for (const page of [response, framing]) {
      expectOwnScripts(page);
      expect(elementsOf(page, "script")).toHaveLength(1);
      expect(elementsOf(page, "img")).toEqual([]);
      for (const one of "\u202e\u2066\u0000\u0007") expect(page.text).not.toContain(one);
    }
  });

  test("is truncated if it is long, with links to the whole pages", {
    tags: "slow",
  }, async () => {
    const line = (one: string) => `<!doctype html>${one.repeat(2_000_000)}`;
    const lines = (one: string) =>
      Array.from({ length: 400 }, (_, index) => `${one}&<"'\u202e${index}`).join("\n");
    const { address } = await given([
      { html: line("&"), context: "one" },
      { html: line("<") },
      { html: lines("one") },
      { html: lines("two") },
    ]);

    const oneLine = await fetchPage(`${address}?to=2&view=text`);
    const many = await fetchPage(`${address}?view=text`);
    const framing = await fetchPage(address);

    for (const response of [oneLine, many, framing]) {
      expect(response.status).toBe(200);
      expect(response.bytes.byteLength).toBeLessThan(200_000);
    }
    expect(oneLine.text).toMatch(/… 1,99\d,\d{3} more characters …/);
    expect(many.text).toMatch(/[\d,]+ more lines differ and are not shown here/);
    const links = elementsOf(many, "a").map(({ attribs }) => attribs.href);
    const raw = new URL(address.replace(/compare$/, "raw")).pathname;
    expect(links).toEqual(expect.arrayContaining([`${raw}?v=3`, `${raw}?v=4`]));
  });
});

describe("a visitor without access", () => {
  test("of a locked page enters the passcode and then sees the comparison", {
    tags: "slow",
  }, async () => {
    const words = "words behind the gate";
    const versions = [{ html: pageOf(`${words} 1`) }, { html: pageOf(`${words} 2`) }];
    const drop = await given(versions, { passcode: "open sesame", title: words });
    const asked = `${drop.address}?from=2&to=1&view=text`;
    const visitor = new Visitor();

    const gate = await visitor.open(asked);
    expect(gate.response.status).toBe(200);
    expect(gate.response.text).not.toContain(words);
    const shown = await visitor.submit(gate, { passcode: "open sesame" });

    expect(shown.url.href).toBe(onBaseHost(asked));
    expect(changesOf(shown.response).join()).toContain(words);
    for (const site of ["same-site", "cross-site"]) {
      const headers = { "sec-fetch-dest": "empty", "sec-fetch-site": site };
      const part = await visitor.request(onBaseHost(asked), { headers });
      expect(part.response.text).not.toContain(words);
    }
    const part = await visitor.request(asked, { headers: { "sec-fetch-dest": "empty" } });
    expect(part.response.text).not.toContain(words);
    const old = await fetchPage(asked, { headers: { "user-agent": "Mozilla/5.0" } });
    expect([old.status, old.headers.location]).toEqual([303, onBaseHost(asked)]);
  });

  test("of a restricted page gets 404, and sees the comparison after a sign-in as a reader", async () => {
    const name = unusedUsername("compares");
    const versions = [{ html: pageOf("one") }, { html: pageOf("two") }];
    const drop = await given(versions, { visibility: "people", readers: [name] });
    const asked = `${drop.address}?from=2&to=1`;

    const shown = await signInToRead(asked, name);
    const stranger = await signInToRead(asked, unusedUsername("stranger"));

    expect([shown.url.href, shown.response.status]).toEqual([onBaseHost(asked), 200]);
    expectErrorPage(stranger.response, 404);
    expect(stranger.response.text).not.toContain("The garden");
  });

  test("gets 404 on another owner's host", async () => {
    const other = await newAccount("comparison-other");
    const theirs = await publish(other.api);
    const { slug } = await given([{ html: pageOf("one") }, { html: pageOf("two") }]);

    expectErrorPage(await fetchPage(`${ownerAddress(theirs.url)}/p/${slug}/compare`), 404);
  });
});
