import { beforeAll, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { folderFile } from "../support/owner-address.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

const person = { accept: "text/html,*/*;q=0.8", "sec-fetch-dest": "document" };
const program = { accept: "*/*" };

let account: Account;
/** A folder with two versions, of which only the second has the page `new.html`. */
let drop: DropResponse;

const files = {
  "index.html": "<!doctype html><title>Start</title><h1>Start</h1>",
  "guide/index.html": "<!doctype html><title>The  guide &amp; more</title>",
  "guide/about.html": "<!doctype html><title>About</title>",
  "guide/ü b.html": "<!doctype html><p>No title</p>",
  "compare.html": "<!doctype html><title>Comparison</title>",
  "2.html": Buffer.from('<!doctype html><meta charset="iso-8859-1"><title>Größe</title>', "latin1"),
  "data.csv": "a,b",
  "404.html": "<!doctype html><title>Lost</title>",
};

beforeAll(async () => {
  account = await newAccount("folder-pages");
  const { slug } = await publishFolder(account.api, files);
  drop = await publishFolder(account.api, { ...files, "new.html": "<title>New</title>" }, { slug });
});

function attributeOf(response: ReceivedResponse, tag: string, name: string, value: string, wanted: string) {
  const found = elementsOf(response, tag).find(({ attribs }) => attribs[name] === value);
  return found?.attribs[wanted];
}

function frameOf(response: ReceivedResponse): string | undefined {
  return attributeOf(response, "iframe", "id", "page", "src");
}

/** Returns the drop's URLs on both hosts. */
function homes(): readonly string[] {
  return [
    drop.url,
    drop.url.replace("/d/", "/p/"),
    `${baseUrl()}/d/${drop.slug}`,
    `${baseUrl()}/p/${drop.slug}`,
  ];
}

test("each page of a folder has a URL in the viewer, with its own frame, title and link preview", async () => {
  for (const home of homes()) {
    for (const [path, title] of [
      ["guide/about.html", "About"],
      ["guide/about", "About"],
      ["guide/", "The guide & more"],
      ["guide/%C3%BC%20b.html", "A folder"],
      ["2", "Größe"],
    ] as const) {
      const response = await fetchPage(`${home}/${path}`, { headers: person });
      const canonical = `${drop.url}/${path}`;

      expect([response.status, elementsOf(response, "title").map(textOf)], path).toEqual([200, [title]]);
      expect(frameOf(response), path).toBe(folderFile(drop.raw_url, `@2-framed/${path}`));
      expect(attributeOf(response, "link", "rel", "canonical", "href")).toBe(canonical);
      expect(attributeOf(response, "meta", "property", "og:title", "content")).toBe(title);
      expect(attributeOf(response, "meta", "property", "og:url", "content")).toBe(canonical);
      expect(attributeOf(response, "a", "id", "copy-link", "href")).toBe(canonical);
      expect(attributeOf(response, "a", "id", "raw", "href")).toBe(folderFile(drop.raw_url, path));
    }
  }
});

test("the viewer keeps the URL's version and query, and its links refer to the folder's page", async () => {
  await account.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { feedback: "readers" } });

  const response = await fetchPage(`${drop.url}/guide/about.html?v=1&q=a;b`, { headers: person });

  expect(frameOf(response)).toBe(folderFile(drop.raw_url, "@1-framed/guide/about.html?q=a;b"));
  expect(attributeOf(response, "a", "id", "raw", "href")).toBe(
    folderFile(drop.raw_url, "@1/guide/about.html?q=a;b"),
  );
  expect(attributeOf(response, "a", "id", "copy-link", "href")).toBe("?v=1");
  const feedback = elementsOf(response, "a").find(({ attribs }) => attribs.href?.includes("/feedback"));
  expect(feedback?.attribs.href).toMatch(/\/feedback\?v=1&path=guide%2Fabout\.html$/);
  const shown = await fetchPage(feedback?.attribs.href ?? "", { headers: person });
  expect(frameOf(shown)).toBe(folderFile(drop.raw_url, "@1-framed/guide/about.html"));
  for (const path of ["missing", "../../../p/x", "%2e%2e/x"]) {
    const other = await fetchPage(`${baseUrl()}/p/${drop.slug}/feedback?path=${encodeURIComponent(path)}`);
    expect(frameOf(other)).toBe(folderFile(drop.raw_url, "@2-framed/index.html"));
  }
});

test("an API call accepts the URL of a folder's page in place of the slug", async () => {
  const query = { slug: `${drop.url}/guide/about.html` };

  expect(await account.api.succeed("list-feedback", { query })).toMatchObject({ comments: [] });
});

test("a path that is missing in the folder or version returns 404 with the folder's own 404 page", async () => {
  for (const address of [`${drop.url}/missing.html`, `${drop.url}/new.html?v=1`]) {
    const response = await fetchPage(address, { headers: person });

    expect([response.status, elementsOf(response, "title").map(textOf)]).toEqual([404, ["Lost"]]);
    expect(response.headers["cache-control"]).toContain("no-store");
    expect((await fetchPage(new URL(frameOf(response) ?? "", address))).status).toBe(404);
  }
  expect((await fetchPage(`${drop.url}/new.html`)).status).toBe(200);
});

test("paths without a page redirect to the subfolder, file, version or drop that they refer to", async () => {
  const locationOf = async (path: string) => {
    const { status, headers } = await fetchPage(`${drop.url}/${path}`, { headers: person });
    return [status, headers.location?.replace(/^.*(?=\/[dp]\/)/, "")];
  };
  const { slug } = drop;

  expect(await locationOf("guide?x=1")).toEqual([308, `/d/${slug}/guide/?x=1`]);
  expect(await locationOf("data.csv")).toEqual([303, `/p/${slug}/raw/data.csv`]);
  expect(await locationOf("v1")).toEqual([303, `/d/${slug}?v=1`]);
  expect(await locationOf("")).toEqual([308, `/d/${slug}`]);
  expect(await locationOf("raw")).toEqual([308, `/p/${slug}/raw`]);
  expect((await fetchPage(`${drop.url}/compare`)).text).toContain("<title>Comparison</title>");
  expect((await fetchPage(`${drop.url.replace("/d/", "/p/")}/compare`)).text).not.toContain(
    "Comparison</title>",
  );
});

test("a single-page app is shown at every path", async () => {
  const { url } = await publishFolder(account.api, { "index.html": "<title>App</title>" }, { spa: "true" });

  const response = await fetchPage(`${url}/orders/7`, { headers: person });

  expect([response.status, elementsOf(response, "title").map(textOf)]).toEqual([200, ["App"]]);
  expect(frameOf(response)).toMatch(/-framed[./].*\/orders\/7$/);
});

test("a path below a single page returns 404, as HTML or as JSON", async () => {
  const { url } = await publish(account.api);

  expectErrorPage(await fetchPage(`${url}/x`, { headers: person }), 404);
  expectError(await fetchPage(`${url}/x`, { headers: program }), "not_found");
});

test("the passcode form redirects back to the folder's page, and restricted folders look missing", async () => {
  const guarded = await publishFolder(account.api, files);
  const missing = await publishFolder(account.api, files);
  await account.api.succeed("delete-drop", { params: { slug: missing.slug } });
  await account.api.succeed("set-passcode", {
    params: { slug: guarded.slug },
    body: { passcode: "open sesame" },
  });
  const address = `${baseUrl()}/d/${guarded.slug}/guide/about.html?x=1`;

  const gate = await fetchPage(address, { headers: person });
  const action = elementsOf(gate, "form")[0]?.attribs.action ?? "";
  const unlocked = await fetchPage(new URL(action, address), {
    method: "POST",
    headers: { ...person, origin: baseUrl(), "content-type": "application/x-www-form-urlencoded" },
    body: "passcode=open+sesame",
  });

  expect(gate.text).not.toContain("About");
  expect([unlocked.status, unlocked.headers.location]).toEqual([303, address]);
  const cookie = unlocked.setCookies.map((one) => one.split(";")[0]).join("; ");
  const opened = await fetchPage(address, { headers: { ...person, cookie } });
  expect(elementsOf(opened, "title").map(textOf)).toEqual(["About"]);

  await account.api.succeed("edit-drop", { params: { slug: guarded.slug }, body: { visibility: "members" } });
  for (const path of ["guide/about.html", "guide", "2", "data.csv", "nothing"]) {
    const [some, none] = await Promise.all(
      [guarded, missing].map(({ slug }) => fetchPage(`${baseUrl()}/d/${slug}/${path}`, { headers: person })),
    );
    const plain = (response: ReceivedResponse | undefined, slug: string) =>
      response?.text.replaceAll(slug, "").replace(/nonce="[^"]*"/g, "");
    expect(some?.status).toBe(404);
    expect(plain(some, guarded.slug)).toBe(plain(none, missing.slug));
    expect(some?.text).toContain(encodeURIComponent(`/d/${guarded.slug}/${path}`));
  }
});
