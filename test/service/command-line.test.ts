import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { openStores } from "../abuse/given-person.ts";
import { pageOf } from "../support/accounts.ts";
import { buildCommandLine } from "../support/command-line-program.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { baseUrl } from "../support/http.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-cli-"));
const home = join(folder, "home");
const site = join(folder, "site");
const config = join(folder, "config");

let program: string;

beforeAll(async () => {
  mkdirSync(home);
  mkdirSync(site);
  program = await buildCommandLine(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly exitCode: number | null;
  readonly out: string;
  readonly notes: string;
}

/** Starts the bundled program like a script, with its own home folder. */
function start(args: readonly string[], input = "") {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: site,
    env: { PATH: process.env.PATH, HOME: home, DROPLEAF_CONFIG_DIR: config, DROPLEAF_KEYCHAIN: "off" },
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const outcome = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(
    ([exitCode, out, notes]): Outcome => ({ exitCode, out, notes }),
  );
  return { child, outcome };
}

const run = (...args: readonly string[]) => start(args).outcome;

/** Runs a command, expects success, and returns its parsed JSON output. */
async function result(...args: readonly string[]) {
  const outcome = await run(...args, "--json");
  expect(outcome, `${args.join(" ")}: ${outcome.notes}`).toMatchObject({ exitCode: 0 });
  return JSON.parse(outcome.out);
}

test("a person signs in, publishes a file repeatedly, shares it, and deletes it", {
  tags: "nightly",
}, async () => {
  const nobody = await run("list");
  expect(nobody).toMatchObject({ exitCode: 3, out: "" });
  expect(nobody.notes).toContain("dropleaf login <address>");

  await signIn();
  const report = join(site, "report.html");
  writeFileSync(report, pageOf("first"));
  const first = await run("publish", "report.html", "--title", "Numbers", "--visibility", "members");
  expect(first).toMatchObject({ exitCode: 0 });
  const url = first.out.trim();

  writeFileSync(report, pageOf("second"));
  const drop = await result("publish", "report.html", "--note", "Mended", "--expires", "30");
  expect(drop).toMatchObject({ url, title: "Numbers", latest_version: 2, visibility: "members" });
  expect(drop.expires_at).toBeGreaterThan(Date.now());
  expect(await result("list")).toMatchObject({ total: 1, drops: [{ slug: drop.slug }] });
  expect((await run("versions", url)).out).toContain("Mended");
  const changes = await run("diff", "report.html");
  expect(changes.out).toContain('-<html lang="en"><head><title>first</title>');
  expect(changes.out).not.toContain("\u001b[");
  expect(await result("restore", drop.slug, "1")).toMatchObject({ latest_version: 3 });
  expect(await result("open", `${url}?v=2`)).toMatchObject({ url: `${url}?v=2` });

  const shared = await result("share", "report.html", "--reader", "ada@example.com", "@example.org");
  expect(shared).toMatchObject({ visibility: "people", readers: ["ada@example.com", "@example.org"] });
  expect(await result("share", "report.html", "--expires", "never")).toMatchObject({
    visibility: "people",
    expires_at: null,
  });
  expect(await result("lock", "report.html", "--passcode", "open sesame")).toMatchObject({ locked: true });
  expect(await result("lock", "report.html", "--off")).toMatchObject({ locked: false });
  expect((await run("feedback", "report.html")).out).toBe("There are no comments.\n");
  expect(
    await result("share", "report.html", "--answers", "readers", "--answers-results", "on"),
  ).toMatchObject({ answers: "readers", answers_results: true });
  expect(await result("share", "report.html", "--answers-results", "off")).toMatchObject({
    answers: "readers",
    answers_results: false,
  });
  expect((await run("answers", "report.html")).out).toBe("There are no answers.\n");
  await openStores();
  const { ownerId } = (await getItem(keys.pointer(drop.slug))) ?? {};
  await givenAnswer(String(ownerId), drop.slug, { atMs: 0 });
  expect((await run("answers", "report.html")).out).toContain("vote #1 no name");
  expect((await run("answers", "report.html", "--form", "vote", "--csv")).out).toBe(
    "number,created_at,version,name,signed_in,choice\n1,1970-01-01T00:00:00.000Z,1,,false,yes\n",
  );

  expect(await run("rm", "report.html")).toMatchObject({ exitCode: 2 });
  expect(await result("rm", "report.html", "--yes")).toEqual({ slug: drop.slug, deleted: true });
  expect((await run("open", "report.html")).notes).toContain(
    "To publish it, run: dropleaf publish report.html",
  );

  expect((await run("doctor")).exitCode).toBe(0);
  expect(await run("logout")).toMatchObject({ exitCode: 0 });
  expect(await run("list")).toMatchObject({ exitCode: 3 });
});

test("a person publishes a folder repeatedly, and links and backslashes in it are refused", {
  tags: "nightly",
}, async () => {
  await signIn();
  const built = join(site, "built");
  mkdirSync(join(built, "assets"), { recursive: true });
  writeFileSync(join(built, "index.html"), pageOf("entry"));
  writeFileSync(join(built, "assets/app.js"), "// first");

  const first = await result("publish", "built", "--visibility", "members", "--spa");
  expect(first).toMatchObject({ title: "entry", latest_version: 1, visibility: "members" });
  writeFileSync(join(built, "assets/app.js"), "// second");
  writeFileSync(join(built, ".nojekyll"), "");
  expect(await result("publish", "built/", "--note", "Mended")).toMatchObject({
    slug: first.slug,
    latest_version: 2,
  });
  writeFileSync(join(built, "assets/app.js"), "// third");
  const tagged = await result("publish", built, "--to", first.slug, "--tag", "deck=may", "--expires", "9");
  expect(tagged).toMatchObject({ latest_version: 3, metadata: { deck: "may" } });

  symlinkSync("/etc/passwd", join(built, "assets/link"));
  const refused = await run("publish", "built");
  expect(refused).toMatchObject({ exitCode: 2, out: "" });
  expect(refused.notes).toContain("assets/link is a symbolic link");
  rmSync(join(built, "assets/link"));
  writeFileSync(join(built, "assets/a\\b.js"), "");
  const named = await run("publish", "built");
  expect(named).toMatchObject({ exitCode: 2, out: "" });
  expect(named.notes).toContain("has a backslash in its name");
  rmSync(join(built, "assets/a\\b.js"));
  expect(await result("rm", "built", "--yes")).toEqual({ slug: first.slug, deleted: true });
});

test("a script updates one tagged drop with piped input, and empty input is refused", {
  tags: "nightly",
}, async () => {
  await signIn();
  const publish = (page: string) =>
    start(["publish", "-", "--tag", "report=nightly", "--json"], page).outcome;
  const first = JSON.parse((await publish(pageOf("one"))).out);
  expect(JSON.parse((await publish("# Two\n\nIn Markdown.\n")).out)).toMatchObject({
    slug: first.slug,
    latest_version: 2,
  });
  const empty = await publish("");
  expect(empty.exitCode).toBe(2);
  expect(JSON.parse(empty.out).error.message).toContain("Standard input is empty");
});

test.each([
  [["publish", "../home"], "has no index.html"],
  [["publish", "gone.html"], "There is no file gone.html"],
  [["publish", "-", "--tag", "project"], "--tag key=value"],
  [["open", "what is this"], "is not a drop"],
  [["list", "--tag", "project"], "--tag key=value"],
  [["login", "http://drops.example.com"], "is not encrypted"],
  [["login", "ftp://drops.example.com"], "use an address such as https://drops.example.com"],
  [["connect", "notepad"], "claude, claude-code, cursor, vscode, codex, gemini"],
  [["publsh"], "Did you mean publish?"],
  [["list", "--limit", "many"], "whole number"],
])("dropleaf %j is refused with the right usage", { tags: "slow" }, async (args, sentence) => {
  const outcome = await start(args, "x").outcome;
  expect(outcome).toMatchObject({ exitCode: 2, out: "" });
  expect(outcome.notes).toContain(sentence);
});

test.each([
  ["claude-code", ".claude.json", '{\n  "projects": {}\n}\n'],
  [
    "cursor",
    ".cursor/mcp.json",
    '{\n  // ours\n  "mcpServers": {"other": {"url": "https://other.example/mcp"}}\n}\n',
  ],
  ["gemini", ".gemini/settings.json", '{\n\t"theme": "dark"\n}\n'],
  [
    "codex",
    ".codex/config.toml",
    'model = "o5" # ours\n\n[mcp_servers.other]\nurl = "https://other.example/mcp"\n',
  ],
  ["vscode", ".config/Code/User/mcp.json", '{"servers": {}, "inputs": []}'],
  ["claude", ".config/Claude/claude_desktop_config.json", '{"mcpServers": {}}'],
])(
  "connect %s adds one entry and keeps the existing ones, and undo removes it",
  { tags: "slow" },
  async (client, file, before) => {
    const path = join(home, file);
    mkdirSync(resolve(path, ".."), { recursive: true });
    writeFileSync(path, before);
    const address = `${baseUrl()}/mcp`;
    const connect = (...options: string[]) => run("connect", client, "--service", baseUrl(), ...options);
    expect(await connect()).toMatchObject({ exitCode: 2 });
    expect((await connect("--dry-run")).notes).toContain(address);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(await connect("--yes")).toMatchObject({ exitCode: 0 });
    const after = readFileSync(path, "utf8");
    expect(after).toContain(address);
    for (const line of before.split("\n").filter((one) => /ours|other|theme|projects|inputs/.test(one)))
      for (const word of line.match(/"[\w:/.]+"|ours/g) ?? []) expect(after).toContain(word);
    expect((await connect("--yes")).out).toContain("this entry already");
    expect(await connect("--undo", "--yes")).toMatchObject({ exitCode: 0 });
    const undone = readFileSync(path, "utf8");
    expect(undone).not.toContain(address);
    expect(withoutEmptyFolders(undone)).toBe(withoutEmptyFolders(before));
  },
);

test("an invalid version is refused with the valid form", async () => {
  const outcome = await run("restore", "k3J9xQ2", "latest");

  expect(outcome).toMatchObject({ exitCode: 2, out: "" });
  expect(outcome.notes).toContain("'version'. It must be a whole number of at least 1.");
});

test("a configuration file with invalid JSON is not changed", async () => {
  const path = join(home, ".cursor/mcp.json");
  mkdirSync(resolve(path, ".."), { recursive: true });
  writeFileSync(path, '{"mcpServers": ');
  const outcome = await run("connect", "cursor", "--service", baseUrl(), "--yes");
  expect(outcome).toMatchObject({ exitCode: 1, out: "" });
  expect(readFileSync(path, "utf8")).toBe('{"mcpServers": ');
});

/** Removes white space and an empty object of servers from a configuration. */
function withoutEmptyFolders(configuration: string): string {
  return configuration.replaceAll(/\s/g, "").replace(/"(mcpServers|servers)":\{\},?/, "");
}

/** Signs in as a new person by opening the printed link in a browser. */
async function signIn(): Promise<void> {
  const { child, outcome } = start(["login", baseUrl()]);
  const link = await new Promise<string>((found) => {
    let notes = "";
    child.stderr.on("data", (chunk) => {
      notes += chunk;
      const [, address] = /Sign in at (\S+)\n/.exec(notes) ?? [];
      if (address !== undefined) found(address);
    });
  });
  await confirmSignIn({ verification_url: link }, unusedUsername("terminal"));
  expect(await outcome).toMatchObject({ exitCode: 0 });
  expect(statSync(join(config, "services.json")).mode & 0o077).toBe(0);
}
