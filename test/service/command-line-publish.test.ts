import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setEnvironment } from "../command-line/programs.ts";
import { runInProcess } from "../command-line/run-in-process.ts";
import { type Account, newAccount, newTeam, pageOf } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { teamToken } from "../support/team-sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-cli-publish-"));
let account: Account;
let restore = () => {};

beforeAll(async () => {
  account = await newAccount("terminal-publish");
  restore = setEnvironment({
    DROPLEAF_URL: baseUrl(),
    DROPLEAF_TOKEN: account.api.token ?? "",
    DROPLEAF_CONFIG_DIR: folder,
  });
});
afterAll(() => {
  restore();
  rmSync(folder, { recursive: true });
});

/** Writes files into the test's folder and returns the path of the first one's top-level entry. */
function write(files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return join(folder, Object.keys(files)[0]?.split("/")[0] ?? "");
}

async function publish(path: string, ...options: readonly string[]) {
  const { exitCode, out, notes } = await runInProcess(["publish", path, ...options, "--json"]);
  expect(exitCode, `${out}${notes}`).toBe(0);
  return { drop: JSON.parse(out), notes };
}

test("an unchanged page creates no version, while other options of the command still apply", {
  tags: "slow",
}, async () => {
  const page = write({ "page.html": pageOf("one") });
  const first = await publish(page);

  const again = await publish(page, "--title", "Renamed", "--note", "Nothing new");
  const plain = await runInProcess(["publish", page]);
  write({ "page.html": pageOf("two") });
  const changed = await publish(page);

  const { slug, url } = first.drop;
  expect(first.drop).not.toHaveProperty("unchanged");
  expect(again.drop).toMatchObject({ slug, latest_version: 1, unchanged: true, title: "Renamed" });
  expect(again.notes).toContain("version 1 is unchanged");
  expect(again.notes).toContain("--note was not used");
  expect(plain).toMatchObject({ exitCode: 0, out: `${url}\n` });
  expect(plain.notes).toContain("unchanged");
  expect(changed.drop).toMatchObject({ slug, latest_version: 2 });
  expect(changed.drop).not.toHaveProperty("unchanged");
});

test("options accept answers and show counts, and a restored form without them is reported", async () => {
  const page = write({ "poll.html": `${pageOf("poll")}<form data-answers="vote"><input name="day"></form>` });
  const { drop, notes } = await publish(page, "--answers", "readers", "--answers-results", "on");

  const off = await runInProcess(["share", page, "--answers", "off", "--answers-results", "off", "--json"]);
  const restored = await runInProcess(["restore", page, "1", "--json"]);

  expect(drop).toMatchObject({ answers: "readers", answers_results: true });
  expect(notes).not.toContain("Readers can't answer");
  expect(JSON.parse(off.out)).toMatchObject({ answers: "off", answers_results: false });
  expect(restored.exitCode).toBe(0);
  expect(restored.notes).toContain('Note: Readers can\'t answer the form "vote" in line 3');
});

test("a drop moves to a team and keeps its URL, and a missing or unknown receiver is reported", async () => {
  const page = write({ "moved.html": pageOf("moved") });
  const { drop } = await publish(page);
  const { namespace } = await newTeam(account);

  const unknown = await runInProcess(["move", page, "--to", "no-such-team"]);
  const missing = await runInProcess(["move", page]);
  const moved = await runInProcess(["move", page, "--to", namespace]);

  expect([unknown.exitCode, unknown.notes]).toEqual([1, expect.stringContaining("no-such-team")]);
  expect([missing.exitCode, missing.notes]).toEqual([2, expect.stringContaining("--to")]);
  expect(moved).toMatchObject({
    exitCode: 0,
    out: `${drop.url} now belongs to ${namespace}. Its address and readers stay the same.\n`,
  });
  const team = await teamToken(account.username, namespace);
  expect((await team.succeed("list-drops")).drops).toMatchObject([{ slug: drop.slug }]);
});

test("a page in another charset is published, and recognized as unchanged", {
  tags: "slow",
}, async () => {
  const page = write({ "old.html": Buffer.from("<title>Old</title><p>Größe", "latin1") });

  const first = await publish(page);
  const again = await publish(page);

  expect(first.drop).toMatchObject({ latest_version: 1, files: 1 });
  expect(again.drop).toMatchObject({ latest_version: 1, unchanged: true });
});

test("unchanged Markdown, tagged pages and folders create no version", { tags: "slow" }, async () => {
  const markdown = write({ "plan.md": "# Plan\n\nText.\n" });
  await publish(markdown);
  expect((await publish(markdown)).drop).toMatchObject({ latest_version: 1, unchanged: true });

  const tagged = write({ "tagged.html": pageOf("tagged") });
  await publish(tagged, "--tag", "kind=tagged");
  const again = await publish(tagged, "--tag", "kind=tagged");
  expect(again.drop).toMatchObject({ latest_version: 1, unchanged: true, metadata: { kind: "tagged" } });

  const site = write({ "site/index.html": pageOf("site"), "site/a.js": "1", "site/._a.js": "mac" });
  await publish(site);
  expect((await publish(site)).drop).toMatchObject({ latest_version: 1, unchanged: true });
  expect((await publish(site, "--spa")).drop).toMatchObject({ latest_version: 2 });
  expect((await publish(site, "--spa")).drop).toMatchObject({ latest_version: 2, unchanged: true });
  write({ "site/a.js": "2" });
  expect((await publish(site, "--spa")).drop).toMatchObject({ latest_version: 3 });
});

test("a folder too large for one request is published in steps, the first time and again", {
  tags: "nightly",
}, async () => {
  const noise = randomBytes(3_300_000).toString("base64");
  const site = write({ "plot/index.html": pageOf("Plot"), "plot/data.js": noise });

  const first = await publish(site, "--visibility", "unlisted", "--note", "The first");
  const again = await publish(site);
  write({ "plot/data.js": `${noise}!` });
  const second = await publish(site);
  const byTags = await publish(site, "--tag", "kind=plot");
  const byTagsAgain = await publish(site, "--tag", "kind=plot", "--description", "Same");

  const longPage = await publish(write({ "long.html": pageOf("words ".repeat(400_000)) }));

  expect(longPage.drop).toMatchObject({ files: 1, latest_version: 1 });
  const { slug } = first.drop;
  expect(first.drop).toMatchObject({ latest_version: 1, title: "Plot", visibility: "unlisted", files: 2 });
  expect(again.drop).toMatchObject({ slug, unchanged: true });
  expect(second.drop).toMatchObject({ slug, latest_version: first.drop.latest_version + 1 });
  const { versions } = await account.api.succeed("list-versions", { params: { slug } });
  expect(versions).toHaveLength(2);
  expect(versions.at(-1)).toMatchObject({ files: 2, note: "The first" });
  expect(byTags.drop).toMatchObject({ metadata: { kind: "plot" }, files: 2 });
  expect(byTagsAgain.drop).toMatchObject({ slug: byTags.drop.slug, unchanged: true, description: "Same" });
});

test("a refused first publication in steps creates no drop", { tags: "slow" }, async () => {
  const before = (await account.api.succeed("list-drops")).total;
  const noise = randomBytes(3_300_000).toString("base64");
  const site = write({ "bad/index.html": `${pageOf("Bad")}<!--${noise}-->`, "bad/@1/a.js": "1" });

  const { exitCode, out } = await runInProcess(["publish", site, "--json"]);

  expect(exitCode).toBe(1);
  expect(JSON.parse(out).error.code).toBe("invalid_arg");
  expect((await account.api.succeed("list-drops")).total).toBe(before);
});
