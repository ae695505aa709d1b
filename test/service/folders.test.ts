import { createHash, randomInt } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { FolderStartResponse } from "../../functions/drops/schemas.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";

let owner: Account;

beforeAll(async () => {
  owner = await newAccount("folders");
});

const site = {
  "index.html":
    '<!doctype html><title>Slides</title><link rel="stylesheet" href="css/main.css"><h1>Slides</h1>',
  "about.html": "<!doctype html><title>About</title><h1>About</h1>",
  "css/main.css": "h1 { color: teal }",
};

type Files = Readonly<Record<string, string | Uint8Array>>;

function zipOf(files: Files): Uint8Array {
  return writeArchive(
    Object.entries(files).map(([path, content]) => ({ path, bytes: Buffer.from(content) })),
  );
}

function send(method: "POST" | "PUT", path: string, files: Files): Promise<ReceivedResponse> {
  const headers = { authorization: `Bearer ${owner.api.token}`, "content-type": "application/zip" };
  return fetchPage(path, { method, headers, body: zipOf(files) });
}

async function publishFolder(files: Files = site) {
  const response = await send("POST", "/api/drops", files);
  expect(response.status, response.text).toBe(201);
  return JSON.parse(response.text);
}

test("a zip archive is published as a folder, whose entry page gives the title", async () => {
  const drop = await publishFolder();

  expect(drop).toMatchObject({ title: "Slides", latest_version: 1, files: 3 });
  const [version] = (await owner.api.succeed("list-versions", { params: { slug: drop.slug } })).versions;
  const bytes = Object.values(site).join("").length;
  expect(version).toMatchObject({ files: 3, folder_bytes: bytes, size_bytes: site["index.html"].length });
});

test("a folder can be a page's next version, and a page a folder's", { tags: "slow" }, async () => {
  const page = await owner.api.succeed("publish-drop", { body: { html: "<p>One", title: "One" } });
  const params = { slug: page.slug };

  const folder = await send("PUT", `/api/drops/${page.slug}`, site);
  await owner.api.succeed("publish-version", { params, body: { html: "<p>Three" } });

  expect(JSON.parse(folder.text)).toMatchObject({ latest_version: 2, files: 3 });
  const { versions } = await owner.api.succeed("list-versions", { params });
  expect(versions.map(({ files }) => files)).toEqual([undefined, 3, undefined]);
  await owner.api.succeed("delete-version", { params: { ...params, n: 3 } });
  const restored = await owner.api.call("restore-version", { params, body: { version: 2 } });
  expect(JSON.parse(restored.text)).toMatchObject({ latest_version: 4, files: 3 });
});

test("an upsert accepts a folder", { tags: "slow" }, async () => {
  const path = "/api/drops?metadata.deck=folders";

  const first = await send("PUT", path, site);
  const second = await send("PUT", path, { ...site, "about.html": "<title>Us</title>" });

  expect([first.status, second.status]).toEqual([201, 200]);
  expect(JSON.parse(second.text)).toMatchObject({ latest_version: 2, files: 3 });
});

test("a folder without an entry page is refused with its files, and nothing is stored", async () => {
  const before = (await owner.api.succeed("list-drops")).total;

  const refused = await send("POST", "/api/drops", { "about.html": "x", "team.html": "x" });

  expect(expectError(refused, "invalid_arg").message).toContain(
    'no index.html at its top. It has "about.html", "team.html"',
  );
  expect((await owner.api.succeed("list-drops")).total).toBe(before);
});

test("the parameter spa without a folder is refused", async () => {
  const headers = { authorization: `Bearer ${owner.api.token}`, "content-type": "text/html" };

  const refused = await fetchPage("/api/drops?spa=true", {
    method: "POST",
    headers,
    body: "<title>x</title>",
  });

  expect(expectError(refused, "invalid_arg").message).toContain("spa is only for folders");
});

test("a repeated request with an idempotency key publishes one folder", async () => {
  const headers = {
    authorization: `Bearer ${owner.api.token}`,
    "content-type": "application/zip",
    "idempotency-key": "the same deck",
  };
  const body = zipOf(site);
  const sendOnce = () => fetchPage("/api/drops", { method: "POST", headers, body });

  const [first, second] = [await sendOnce(), await sendOnce()];

  expect(JSON.parse(second.text).slug).toBe(JSON.parse(first.text).slug);
});

test("a secret in any text file causes a warning that names the file", async () => {
  const secret = createTokenPlaintext(randomInt);

  const response = await send("POST", "/api/drops", { ...site, "js/app.js": `const token = "${secret}";` });

  expect(response.text).not.toContain(secret);
  expect(JSON.parse(response.text).warnings.join(" ")).toContain("of the file js/app.js");
});

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

function manifestOf(files: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      { sha256: sha256(content), bytes: Buffer.byteLength(content) },
    ]),
  );
}

async function start(slug: string, files: Readonly<Record<string, string>>): Promise<FolderStartResponse> {
  return owner.api.succeed("start-folder", { params: { slug }, body: { files: manifestOf(files) } });
}

async function sendMissing(
  { missing }: FolderStartResponse,
  contentOf: (path: string) => string,
): Promise<readonly number[]> {
  const sent = missing.map(({ path, upload_url, headers }) =>
    fetch(upload_url, { method: "PUT", headers, body: contentOf(path) }),
  );
  return (await Promise.all(sent)).map(({ status }) => status);
}

test("a folder is found by the text of every page and by the names of its files", {
  tags: "slow",
}, async () => {
  const word = `flugelhorn${randomInt(1e9)}`;
  const { slug } = await publishFolder({ ...site, "about.html": `<p>${word}</p>`, [`${word}s.css`]: "a{}" });
  const slugsWith = async (q: string) =>
    (await owner.api.succeed("search-drops", { query: { q } })).results.map((found) => found.slug);

  await expect.poll(() => slugsWith(word)).toEqual([slug]);
  await expect.poll(() => slugsWith(`${word}s.css`)).toEqual([slug]);
});

test("a comparison names changed files, with the changed lines of text files", {
  tags: "slow",
}, async () => {
  const { slug } = await publishFolder({ ...site, "old.txt": "gone\n", "logo.bin": Buffer.from([0, 1]) });
  const changed = {
    ...site,
    "css/main.css": "h1 { color: red }",
    "new.txt": "here\n",
    "logo.bin": Buffer.from([0, 2]),
  };
  await send("PUT", `/api/drops/${slug}`, changed);

  const { text } = await owner.api.call("compare-versions", { params: { slug } });
  const page = await fetchPage(`${new URL((await publishFolder()).url).origin}/p/${slug}/compare?view=text`);

  expect(text).toContain("-h1 { color: teal }");
  expect(text).toContain("+h1 { color: red }");
  expect(text).toContain(`Files ${slug}/1/logo.bin and ${slug}/2/logo.bin differ`);
  expect(text).toMatch(/\/dev\/null\n\+\+\+ \S+2\/new.txt/);
  expect(text).not.toContain("about.html");
  expect(page.text).toMatch(/old\.txt<\/span> <span class="quiet">removed/);
});

test("a page in another charset is searched and compared by its decoded text", { tags: "slow" }, async () => {
  const word = `flügelhorn${randomInt(1e9)}`;
  const pageWith = (text: string) => Buffer.from(`<meta charset="iso-8859-1">\n<p>${text}</p>`, "latin1");
  const { slug } = await publishFolder({ ...site, "about.html": pageWith(word) });
  const slugsWith = async (q: string) =>
    (await owner.api.succeed("search-drops", { query: { q } })).results.map((found) => found.slug);
  await expect.poll(() => slugsWith(word)).toEqual([slug]);

  await send("PUT", `/api/drops/${slug}`, { ...site, "about.html": pageWith("Größe") });

  const { text } = await owner.api.call("compare-versions", { params: { slug } });
  expect(text).toContain(`-<p>${word}</p>\n`);
  expect(text).toContain("+<p>Größe</p>");
});

test("a manifest needs uploads only of changed files, and is published once", { tags: "slow" }, async () => {
  const { slug } = await publishFolder();
  const changed = { ...site, "about.html": "<title>Us</title>", "copy.css": site["css/main.css"] };

  const started = await start(slug, changed);
  const statuses = await sendMissing(started, () => changed["about.html"]);
  const params = { slug, publication: started.publication_id };
  const first = await owner.api.call("publish-folder", { params, body: { note: "About us" } });
  const second = await owner.api.call("publish-folder", { params, body: { note: "About us" } });

  expect(started.missing.map(({ path }) => path)).toEqual(["about.html"]);
  expect(statuses).toEqual([200]);
  expect(JSON.parse(first.text)).toMatchObject({ latest_version: 2, files: 4 });
  expect(JSON.parse(second.text)).toEqual(JSON.parse(first.text));
  const { versions } = await owner.api.succeed("list-versions", { params: { slug } });
  expect(versions.map(({ version, note }) => [version, note])).toEqual([
    [2, "About us"],
    [1, undefined],
  ]);
});

test("a folder without missing contents can be published right after the start", {
  tags: "slow",
}, async () => {
  const { slug } = await publishFolder();

  const { missing, publication_id } = await start(slug, { "index.html": site["index.html"] });
  const published = await owner.api.call("publish-folder", { params: { slug, publication: publication_id } });

  expect(missing).toEqual([]);
  expect(JSON.parse(published.text)).toMatchObject({ latest_version: 2, files: 1 });
});

test("a page becomes a folder when a manifest is published", async () => {
  const { slug } = await owner.api.succeed("publish-drop", { body: { html: "<p>One", title: "One" } });

  const started = await start(slug, site);
  await sendMissing(started, (path) => site[path as keyof typeof site]);
  const params = { slug, publication: started.publication_id };
  const published = await owner.api.call("publish-folder", { params });

  expect(JSON.parse(published.text)).toMatchObject({ latest_version: 2, files: 3 });
});

test("missing files, and bytes that differ from the declared ones, are refused with their paths", async () => {
  const { slug } = await publishFolder();
  const changed = { ...site, "about.html": "<title>Us</title>" };
  const started = await start(slug, changed);
  const { publication_id } = started;
  const publishNow = () =>
    owner.api.call("publish-folder", { params: { slug, publication: publication_id } });

  const early = await publishNow();
  await sendMissing(started, () => "<title>We</title>");
  const wrong = await publishNow();

  expect(expectError(early, "invalid_arg").details).toEqual({ missing: ["about.html"] });
  expect(expectError(wrong, "invalid_arg").message).toContain("does not have the declared SHA-256");
  expect((await owner.api.succeed("get-drop", { params: { slug } })).latest_version).toBe(1);
});

test("contents that the drop already has are checked again under a new name", async () => {
  const bytes = Buffer.from("PK\u0003\u0004");
  const { slug } = await publishFolder({ ...site, "data/a.zip": bytes });
  const digest = createHash("sha256").update(bytes).digest("hex");
  const files = { ...manifestOf(site), "a.zip": { sha256: digest, bytes: bytes.byteLength } };
  const { missing, publication_id: publication } = await owner.api.succeed("start-folder", {
    params: { slug },
    body: { files },
  });

  const refused = await owner.api.call("publish-folder", { params: { slug, publication } });

  expect(missing).toEqual([]);
  expect(expectError(refused, "invalid_arg").details).toMatchObject({ path: "a.zip" });
});

test("a declared length that differs from the stored contents is refused", async () => {
  const { slug } = await publishFolder();
  const declared = manifestOf(site);
  const files = { ...declared, "about.html": { ...declared["about.html"], bytes: 1 } };
  const { publication_id: publication } = await owner.api.succeed("start-folder", {
    params: { slug },
    body: { files },
  });

  const refused = await owner.api.call("publish-folder", { params: { slug, publication } });

  expect(expectError(refused, "invalid_arg").message).toContain("but its declared length is 1");
});

test("a publication can be finished only by its owner and for its drop", async () => {
  const { slug } = await publishFolder();
  const other = await publishFolder();
  const { publication_id: publication } = await start(slug, site);
  const stranger = await newAccount("stranger");

  expectError(await stranger.api.call("publish-folder", { params: { slug, publication } }), "not_found");
  expectError(
    await owner.api.call("publish-folder", { params: { slug: other.slug, publication } }),
    "not_found",
  );
  expectError(await owner.api.call("publish-folder", { params: { slug, publication: "no" } }), "not_found");
});

test.each([
  ["a path outside the folder", { "../index.html": "x" }],
  ["no obvious entry page", { "about.html": "x", "team.html": "x" }],
  ["two paths that differ only in case", { "index.html": "x", "a.css": "x", "A.css": "x" }],
])("a manifest with %s is refused", async (_what, files: Readonly<Record<string, string>>) => {
  const { slug } = await publishFolder();

  const refused = await owner.api.call("start-folder", {
    params: { slug },
    body: { files: manifestOf(files) },
  });

  expectError(refused, "invalid_arg");
});

test("an upload URL for one publication accepts a zip archive", { tags: "slow" }, async () => {
  const { url } = await owner.api.succeed("start-publish", { body: { title: "By an address" } });

  const sent = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: new Uint8Array(zipOf(site)),
  });

  expect([sent.status, await sent.json()]).toEqual([201, expect.objectContaining({ files: 3 })]);
});
