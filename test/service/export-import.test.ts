import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { buildCommandLine } from "../support/command-line-program.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-export-"));

let owner: Account;
let program: string;

beforeAll(async () => {
  program = await buildCommandLine(folder);
  owner = await newAccount("exporter");
  await fillAccount(owner);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the bundled program for an account. */
function start({ api }: Account, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args, "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, DROPLEAF_URL: baseUrl(), DROPLEAF_TOKEN: String(api.token), ...env },
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const outcome = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(
    ([exitCode, out, notes]) => ({ exitCode, out, notes }),
  );
  return { child, outcome };
}

/** Runs a command, expects success, and returns its parsed JSON output. */
async function run(account: Account, ...args: readonly string[]) {
  const outcome = await start(account, args).outcome;
  expect(outcome, outcome.notes).toMatchObject({ exitCode: 0 });
  return JSON.parse(outcome.out);
}

/** Fills an account with everything that an export can have: circular links, contexts, files, tags, readers, a lock and Markdown. */
async function fillAccount({ api }: Account): Promise<void> {
  const file = await upload(owner, "chart.png", "image/png", "public");
  await upload(owner, "secret figures.csv", "text/csv", "members", { expires_in_days: "30" });
  const first = await publish(api, {
    html: pageOf("first"),
    title: "First",
    metadata: { project: "move" },
  });
  const slashes = (url: string) => url.replaceAll("/", "\\/");
  const second = await publish(api, {
    html: `<script>const to = "${slashes(first.url)}?v=2";</script><a href="/d/${first.slug}">it</a>`,
    title: "Second, for some",
    visibility: "people",
    readers: ["ada@example.com", "@example.org"],
    context: "Guarded",
    feedback: "readers",
    answers: "readers",
    answers_results: true,
  });
  await api.succeed("publish-version", {
    params: { slug: first.slug },
    body: {
      html: `<p>To <a href="${second.url}">the second</a> and ${first.raw_url}<img src="${file.url}"></p>`,
      note: "With a link",
      context: "Why it is there. ".repeat(20),
      original_date: Date.UTC(2023, 1, 2, 3, 4, 5, 678),
    },
  });
  // Now the first remaining version of each drop links to the other drop.
  await api.succeed("delete-version", { params: { slug: first.slug, n: 1 } });
  const locked = await publish(api, {
    title: "Locked",
    passcode: "open sesame",
    description: "Behind a passcode",
    expires_in_days: 60,
  });
  await api.succeed("publish-version", { params: { slug: locked.slug }, body: { html: pageOf("two") } });
  await api.succeed("delete-version", { params: { slug: locked.slug, n: 1 } });
  await api.succeed("publish-drop", {
    headers: { "content-type": "text/markdown" },
    query: { title: "Written" },
    text: `# Written\n\nSee [the first](${first.url}).\n`,
  });
  await publishFolder(
    api,
    {
      "index.html": `<title>Deck</title><a href="${first.url}">the first</a>`,
      "more/about.html": `<a href="${second.url}">the second</a>`,
      "logo.bin": Buffer.from([0, 255, 1]),
    },
    { title: "Deck", note: "A folder" },
  );
}

/** Uploads a file with its name as its content. */
function upload({ api }: Account, filename: string, type: string, visibility: string, query: object = {}) {
  return api.succeed("upload-blob", {
    query: { filename, visibility, ...query },
    headers: { "content-type": type },
    text: filename,
  });
}

/** Reads the files of an export, by path. */
function readTree(name: string): Map<string, string> {
  const root = join(folder, name);
  const paths = readdirSync(root, { recursive: true }) as string[];
  return new Map(
    paths
      .filter((path) => statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** Returns an export's drops and files without account-specific fields, sorted, with the URLs and ids of the first export. */
function contentOf(name: string, addresses?: string) {
  const tree = readTree(name);
  const { drops, files } = JSON.parse(tree.get("export.json") ?? "");
  const map =
    addresses === undefined ? { drops: {}, files: {} } : JSON.parse(readFileSync(addresses, "utf8"));
  const back = (content: string) => {
    let changed = content;
    const moved = [...Object.entries(map.drops), ...Object.entries(map.files)] as [string, Moved][];
    for (const [old, { old_url, url, slug, id }] of moved)
      changed = changed
        .replaceAll(url.replace(/[dpb]\/[^/]*$/, ""), old_url.replace(/[dpb]\/[^/]*$/, ""))
        .replaceAll(
          url.replace(/[dpb]\/[^/]*$/, "").replaceAll("/", "\\/"),
          old_url.replace(/[dpb]\/[^/]*$/, "").replaceAll("/", "\\/"),
        )
        .replaceAll(slug ?? id ?? "", old);
    return changed;
  };
  const shown = drops.map((slug: string) => {
    const drop = JSON.parse(tree.get(`drops/${slug}/drop.json`) ?? "");
    const { imported_from, ...metadata } = drop.metadata;
    return {
      ...{
        title: drop.title,
        description: drop.description,
        visibility: drop.visibility,
        readers: drop.readers,
        expires_at: drop.expires_at,
      },
      ...{
        locked: drop.locked,
        feedback: drop.feedback,
        answers: drop.answers,
        results: drop.answers_results,
        indexed: drop.indexed,
        metadata,
      },
      versions: drop.versions.map((version: Version) => ({
        note: version.note,
        date: version.original_date ?? version.created_at,
        page: back(tree.get(`drops/${slug}/${version.page}`) ?? ""),
        source: version.source && back(tree.get(`drops/${slug}/${version.source}`) ?? ""),
        folder: version.folder && unzip(join(folder, name, "drops", slug, version.folder), back),
        context: version.context && tree.get(`drops/${slug}/${version.context}`),
      })),
    };
  });
  const stored = files.map(({ filename, content_type, visibility, expires_at, path }: StoredFile) => ({
    ...{ filename, content_type, visibility, expires_at, bytes: tree.get(path) },
  }));
  const byName = (one: { title?: string; filename?: string }) => String(one.title ?? one.filename);
  const sorted = (all: object[]) => all.sort((one, other) => (byName(one) < byName(other) ? -1 : 1));
  return { drops: sorted(shown), files: sorted(stored) };
}

/** Returns the files of an archive by path, with the URLs of the first export. */
function unzip(path: string, back: (content: string) => string): Record<string, string> {
  const files = Object.entries(unzipSync(readFileSync(path)));
  return Object.fromEntries(
    files.map(([name, bytes]) => [name, back(Buffer.from(bytes).toString("latin1"))]),
  );
}

interface Moved {
  readonly old_url: string;
  readonly url: string;
  readonly slug?: string;
  readonly id?: string;
}

interface Version {
  readonly version: number;
  readonly created_at: number;
  readonly original_date?: number;
  readonly note?: string;
  readonly page: string;
  readonly source?: string;
  readonly folder?: string;
  readonly context?: string;
}

interface StoredFile {
  readonly filename: string;
  readonly content_type: string;
  readonly visibility: string;
  readonly expires_at?: number;
  readonly path: string;
}

test("an export that is imported and exported again has the same content, with links to the new URLs", {
  tags: "nightly",
}, async () => {
  const exported = await run(owner, "export", "first");
  expect(exported).toMatchObject({ drops: 5, files: 2, left_out: [] });
  const before = readTree("first");
  expect(await run(owner, "export", "first")).toMatchObject({ written: 0 });
  expect(readTree("first")).toEqual(before);

  const other = await newAccount("importer");
  const imported = await run(other, "import", "first");
  expect(imported).toMatchObject({ drops: 5, new_drops: 5, new_versions: 5, new_files: 2, refused: [] });
  expect(imported.not_carried.join("\n")).toMatch(/dropleaf lock .*different version numbers/s);
  const path = join(folder, imported.addresses);
  const moved = Object.values(JSON.parse(readFileSync(path, "utf8")).drops) as Moved[];
  rmSync(path);
  const again = await run(other, "import", "first");
  expect(again).toMatchObject({ drops: 5, new_drops: 0, new_versions: 0, new_files: 0 });

  await run(other, "export", "second");
  expect(contentOf("second", path)).toEqual(contentOf("first"));
  const pages = [...readTree("second")].filter(([name]) => /versions/.test(name)).map(([, page]) => page);
  const links = moved.filter(({ url, slug }) =>
    pages.some((page) => page.includes(url) || page.includes(`/d/${slug}`)),
  );
  expect(links).toHaveLength(2);
  for (const { old_url } of moved) expect(pages.join("\n")).not.toContain(new URL(old_url).host);
});

test("an import leaves out and reports drops that have expired since the export", {
  tags: "nightly",
}, async () => {
  await run(owner, "export", "late");
  const past = Date.UTC(2026, 0, 2);
  for (const [path, content] of readTree("late"))
    if (/drop\.json$|^export\.json$/.test(path))
      writeFileSync(
        join(folder, "late", path),
        content.replace(/"expires_at": \d+/g, `"expires_at": ${past}`),
      );
  const other = await newAccount("late");

  const imported = await run(other, "import", "late");

  expect(imported).toMatchObject({ drops: 4, new_files: 1, refused: [] });
  expect(imported.not_carried.filter((note: string) => note.includes("expired on 2026-01-02"))).toHaveLength(
    2,
  );
});

test("two concurrent imports after a killed one publish each version once", {
  tags: "nightly",
}, async () => {
  await run(owner, "export", "raced");
  const killed = await newAccount("killed");
  const { child, outcome } = start(killed, ["import", "raced"]);
  await expect
    .poll(async () => (await killed.api.succeed("list-drops", {})).total, { timeout: 20_000, interval: 20 })
    .toBeGreaterThan(0);
  child.kill("SIGKILL");
  await outcome;

  const both = await Promise.all(
    [start(killed, ["import", "raced"]), start(killed, ["import", "raced"])].map(
      ({ outcome: ended }) => ended,
    ),
  );

  expect(
    both.map(({ exitCode }) => exitCode),
    both.map(({ notes }) => notes).join(),
  ).toEqual([0, 0]);
  const { addresses } = JSON.parse(both[0]?.out ?? "");
  await run(killed, "export", "after");
  expect(contentOf("after", join(folder, addresses))).toEqual(contentOf("raced"));
});

test("a killed export leaves no partial file, and can be continued", { tags: "nightly" }, async () => {
  await run(owner, "export", "whole");
  const { child, outcome } = start(owner, ["export", "killed"]);
  await expect.poll(() => existsSync(join(folder, "killed")), { timeout: 20_000, interval: 5 }).toBe(true);
  child.kill("SIGKILL");
  await outcome;
  const whole = readTree("whole");
  for (const [path, content] of existsSync(join(folder, "killed")) ? readTree("killed") : [])
    if (!/\.\d+$/.test(path)) expect(content, path).toBe(whole.get(path));

  await run(owner, "export", "killed");

  expect(readTree("killed")).toEqual(whole);
});

test("an import of a manipulated export cannot publish other files of the machine", {
  tags: "slow",
}, async () => {
  await run(owner, "export", "hostile");
  const [path, content] = [...readTree("hostile")].find(([name]) => name.endsWith("drop.json")) ?? ["", ""];
  const drop = JSON.parse(content);
  drop.versions[0].page = `../../../secret.txt`;
  writeFileSync(join(folder, "hostile", path), JSON.stringify(drop));
  writeFileSync(join(folder, "secret.txt"), "secret");
  const victim = await newAccount("victim");

  const { exitCode, out } = await start(victim, ["import", "hostile"]).outcome;

  expect(exitCode).toBe(1);
  expect(JSON.parse(out).error.message).toContain("is not a path in an export");
  expect((await victim.api.succeed("list-drops", {})).total).toBe(0);
});

test("import --from needs only the specification's calls, and reports what the service lacks", {
  tags: "nightly",
}, async () => {
  const old = await newAccount("old");
  const picture = await old.api.succeed("upload-blob", {
    query: { filename: "report.pdf" },
    headers: { "content-type": "application/pdf" },
    text: "bytes",
  });
  const html = `<head><title>Old</title></head><p>With <a href="${picture.url}">a file</a>.</p>`;
  const drop = await publish(old.api, { html, title: "Old", context: "From a prompt" });
  await publish(old.api, { title: "Locked", passcode: "open sesame" });
  const service = await startSpecifiedService();
  const fresh = await newAccount("fresh");

  const { outcome } = start(fresh, ["import", "--from", service.address], {
    DROPLEAF_FROM_TOKEN: String(old.api.token),
  });
  const { exitCode, out, notes } = await outcome;

  service.server.close();
  expect(exitCode, notes).toBe(0);
  const { not_carried, addresses } = JSON.parse(out);
  expect(not_carried.join("\n")).toMatch(/Context of version 1.*requires its passcode/s);
  const map = JSON.parse(readFileSync(join(folder, addresses), "utf8"));
  const { slug } = map.drops[drop.slug];
  const page = await fresh.api.call("read-html", { params: { slug } });
  expect(page.text).toBe(html.replace(picture.url, map.files[picture.id].url));
});

/** Starts a proxy for the service under test that passes on only the specification's calls. */
async function startSpecifiedService() {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", baseUrl());
    const isSpecified =
      /^\/(api\/(me|drops)|p\/\w{7}\/raw)/.test(url.pathname) && !/\/(html|source)$/.test(url.pathname);
    const { authorization } = request.headers;
    const answer = await fetchPage(isSpecified ? url : "/api/nothing", {
      headers: authorization === undefined ? {} : { authorization },
    });
    const { "content-type": type = "" } = answer.headers;
    response.writeHead(answer.status, { "content-type": type }).end(answer.bytes);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
