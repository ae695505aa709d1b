import { beforeAll, describe, expect, test } from "vitest";
import { folderHostId } from "../../functions/http/folder-host.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { folderFile, hasOwnOrigin, isFolderHost, ownerAddress, rawPageOf } from "../support/owner-address.ts";

let account: Account;
/** True if the service has no domain and therefore no hosts for folders. */
let isWithoutHosts: boolean;

beforeAll(async () => {
  account = await newAccount("folder-host");
  isWithoutHosts = !hasOwnOrigin((await publish(account.api)).raw_url);
});

/** Files with paths that belong to the service on its other hosts. */
const site = {
  "index.html": pageOf("the entry"),
  "docs/index.html": pageOf("docs"),
  "feed/index.html": pageOf("feed"),
  "p/index.html": pageOf("p"),
  "p/aB3dE5f/raw": "not raw",
  "p/aB3dE5f/state": "not a state",
  "d/aB3dE5f": "not a viewer",
  "b/aB3dE5f": "not a file",
  "b/page.html": pageOf("b"),
  "api/drops": "not the API",
  "api/data.json": "{}",
  mcp: "not MCP",
  oembed: "not oEmbed",
  "llms.txt": "not the guide",
  "robots.txt": "theirs",
  ".well-known/security.txt": "theirs",
  "_files/x/0123456789abcdeF.1.pack": "not a pack",
  "_restricted/x.txt": "not restricted",
  "favicon.ico": "icon",
  login: "not a sign-in",
};

const textAt = async (address: string) => (await fetchPage(address)).text;

test("every path of a folder's host belongs to the folder", async () => {
  const drop = await publishFolder(account.api, site);
  if (isWithoutHosts) return expect(isFolderHost(drop.raw_url)).toBe(false);
  expect(new URL(drop.raw_url).host).toMatch(/^f--[0-9a-v]{26}\./);

  for (const [path, text] of Object.entries(site))
    for (const mark of ["", "@1/"]) {
      const { status, text: got } = await fetchPage(folderFile(drop.raw_url, mark + path), {
        headers: { cookie: "__Host-dl_reader=1" },
      });
      const expected = path.endsWith(".html") ? "</html>" : text;
      expect([path, status, got]).toEqual([path, 200, expect.stringContaining(expected)]);
    }
});

describe("a folder's host", () => {
  test("has no frame script and allows only its own frames, except in the viewer", async () => {
    const drop = await publishFolder(account.api, site);
    if (isWithoutHosts) return;

    const plain = await fetchPage(drop.raw_url);
    const framed = await fetchPage(folderFile(drop.raw_url, "@1-framed/"));
    const viewer = await fetchPage(drop.url);

    expect(plain.headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    expect(plain.text).not.toContain("<script>");
    expect(framed.headers["content-security-policy"]).not.toContain("frame-ancestors");
    expect(framed.text).toContain("<script>");
    const { origin } = new URL(folderFile(drop.raw_url, "@1-framed/"));
    expect(viewer.headers["content-security-policy"]).toContain(`frame-src 'self' ${origin};`);
  });

  test("redirects a version in its root's query to that version's pages", async () => {
    const drop = await publishFolder(account.api, { ...site, "index.html": pageOf("first") });
    await publishFolder(account.api, { ...site, "index.html": pageOf("second") }, { slug: drop.slug });
    if (isWithoutHosts) return;

    const { headers } = await fetchPage(`${drop.raw_url}?v=1&a=b`);
    const pinned = new URL(headers.location ?? "", drop.raw_url);

    expect(pinned.href).toBe(`${folderFile(drop.raw_url, "@1/")}?&a=b`);
    expect(await textAt(pinned.href)).toContain("first");
    await expect.poll(() => textAt(drop.raw_url)).toContain("second");
    expect((await fetchPage(folderFile(drop.raw_url, "@3/"))).status).toBe(404);
  });

  test("redirects to its owner's files and the service's icon unless the folder has such a file", async () => {
    const drop = await publishFolder(account.api, { "index.html": pageOf("x") }, { spa: "true" });
    if (isWithoutHosts) return;

    const [file, icon] = [
      await fetchPage(`${drop.raw_url}b/aB3dE5f`),
      await fetchPage(`${drop.raw_url}favicon.ico`),
    ];

    expect([file.status, file.headers.location]).toEqual([302, `${ownerAddress(drop.url)}/b/aB3dE5f`]);
    expect([icon.status, icon.headers.location]).toEqual([302, `${baseUrl()}/favicon.ico`]);
  });

  test.each(["POST", "PUT", "DELETE"])("refuses %s", async (method) => {
    const drop = await publishFolder(account.api, site);
    if (isWithoutHosts) return;

    const { status, text } = await fetchPage(`${drop.raw_url}docs/`, {
      method,
      body: method === "DELETE" ? undefined : "{}",
    });

    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(drop.slug);
  });
});

test("a drop's raw_url is its host while its latest version is a public folder", async () => {
  const first = await publishFolder(account.api, site);
  if (isWithoutHosts) return;
  const { slug, raw_url: host } = first;
  const params = { slug };
  const now = async () => {
    const { drops } = await account.api.succeed("list-drops", { query: { pageSize: "200" } });
    const shown = await account.api.succeed("get-drop", { params });
    expect(drops.find((one) => one.slug === slug)?.raw_url).toBe(shown.raw_url);
    return shown.raw_url;
  };

  expect(await now()).toBe(host);
  await account.api.succeed("publish-version", { params, body: { html: pageOf("one page") } });
  expect(await now()).toBe(rawPageOf(first));
  await expect.poll(async () => (await fetchPage(host)).headers.location).toBe(rawPageOf(first));
  expect((await fetchPage(`${host}docs/`)).status).toBe(404);
  await account.api.succeed("delete-version", { params: { slug, n: 2 } });
  expect(await now()).toBe(host);
  await account.api.succeed("set-passcode", { params, body: { passcode: "open sesame" } });
  expect(await now()).toBe(rawPageOf(first));
  await account.api.succeed("set-passcode", { params, body: { passcode: "" } });
  await account.api.succeed("edit-drop", { params, body: { visibility: "unlisted" } });
  expect(await now()).toBe(host);
  await account.api.succeed("publish-version", { params, body: { html: pageOf("another") } });
  const restored = await account.api.succeed("restore-version", { params, body: { version: 1 } });
  expect(restored.raw_url).toBe(host);
});

test("unknown, locked, restricted and deleted folders return the same 404 page, which does not name them", {
  tags: "slow",
}, async () => {
  const drops = await Promise.all(["lock", "members", "delete"].map(() => publishFolder(account.api, site)));
  const [locked, restricted, deleted] = drops;
  if (isWithoutHosts || !locked || !restricted || !deleted) return;
  for (const { raw_url } of drops) expect((await fetchPage(`${raw_url}docs/`)).status).toBe(200);
  await account.api.succeed("set-passcode", {
    params: { slug: locked.slug },
    body: { passcode: "open sesame" },
  });
  await account.api.succeed("edit-drop", {
    params: { slug: restricted.slug },
    body: { visibility: "members" },
  });
  await account.api.call("delete-drop", { params: { slug: deleted.slug } });
  const unknown = locked.raw_url.replace(folderHostId(locked.slug), folderHostId("0000000"));
  const sameFor = (text: string) => text.replace(/nonce(-|=")[^'"]+/g, "nonce");

  const accept = { accept: "text/html", "sec-fetch-dest": "document" };
  const page = sameFor((await fetchPage(`${unknown}docs/`, { headers: accept })).text);
  for (const raw of [...drops.map(({ raw_url }) => raw_url), unknown, unknown.replace(".", "-x.")])
    for (const path of ["docs/", "@1/docs/", "@1-framed/docs/"])
      await expect
        .poll(
          async () => {
            const { status, text } = await fetchPage(folderFile(raw, path), { headers: accept });
            return [status, sameFor(text)];
          },
          { timeout: 5_000 },
        )
        .toEqual([404, page]);
  for (const { slug, title } of drops) for (const word of [slug, title]) expect(page).not.toContain(word);
});

test("a Referer header gives no access to another folder's files", async () => {
  const drop = await publishFolder(account.api, site);
  const other = await publishFolder(account.api, { "index.html": pageOf("other"), "other.js": "other" });
  if (isWithoutHosts) return;

  for (const referer of [other.raw_url, `${ownerAddress(other.url)}/p/${other.slug}/raw/`])
    expect((await fetchPage(`${drop.raw_url}other.js`, { headers: { referer } })).status).toBe(404);
});

test("calls, tools and oEmbed accept any URL of a folder's host as its drop's slug", async () => {
  const { slug, raw_url } = await publishFolder(account.api, site);
  const other = await publish(account.api);
  if (isWithoutHosts) return;
  const mcp = await connectMcp(account.api.token);

  const { structuredContent: drop } = await mcp.call("get_drop", { slug: `${raw_url}p/${other.slug}/raw` });
  const { url } = await account.api.succeed("start-publish", { body: { slug: raw_url } });
  const feedback = await account.api.call("list-feedback", { query: { slug: folderFile(raw_url, "@1/") } });
  const preview = await fetchPage(`${baseUrl()}/oembed?url=${encodeURIComponent(`${raw_url}${other.slug}`)}`);
  await mcp.client.close();

  expect(drop).toMatchObject({ slug });
  expect(url).toContain("/api/publications/");
  expect([feedback.status, feedback.text]).toEqual([200, expect.stringContaining("version")]);
  expect(JSON.parse(preview.text)).toMatchObject({ title: "A folder" });
});
