// @module-tag slow

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBuildId } from "../../../lib/bundle/build-id.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { bundledCommit, bundledPaths } from "../../../lib/bundle/bundled-commit.ts";
import { functionSources, ingestSource } from "../../../lib/bundle/function-source.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-commit-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** One function of each kind: pages, MCP, events, and the ingest server. */
const ids = ["view-drop", "call-mcp", "janitor", "ingest"];
const sources = [...functionSources, ingestSource]
  .filter(({ id }) => ids.includes(id))
  .map(({ id, file, exportName }) => ({ id, file, exportName }));

function buildsIn(functionsDirectory: string): Record<string, string | undefined> {
  const codeOf = (id: string) => readFileSync(join(functionsDirectory, id, "index.mjs"), "utf8");
  return Object.fromEntries(sources.map(({ id }) => [id, readBuildId(codeOf(id))]));
}

test("another checkout with the same sources builds the same bundles, in any folder", {
  tags: "nightly",
}, async () => {
  const checkout = join(directory, "a/checkout/that lies/deeper");
  for (const path of bundledPaths)
    cpSync(join(projectDirectory, path), join(checkout, path), { recursive: true });
  symlinkSync(join(projectDirectory, "node_modules"), join(checkout, "node_modules"));
  const program = `
    const { bundleFunctions } = await import(process.argv[1]);
    await bundleFunctions(JSON.parse(process.argv[2]), process.argv[3]);`;
  const words = [join(checkout, "lib/bundle/bundle.ts"), JSON.stringify(sources), join(directory, "there")];

  execFileSync(process.execPath, ["--input-type=module", "-e", program, ...words], { cwd: directory });
  await bundleFunctions(sources, join(directory, "here"));

  const builds = buildsIn(join(directory, "there"));
  expect(Object.values(builds)).toEqual(sources.map(() => expect.stringMatching(/^[0-9a-f]{16}$/)));
  expect(new Set(Object.values(builds)).size).toBe(sources.length);
  expect(builds).toEqual(buildsIn(join(directory, "here")));
});

test("the commit is the last one that changed the sources, marked if they have uncommitted changes", async () => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
      cwd: directory,
      encoding: "utf8",
    });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  const commit = () => {
    git("add", ".");
    git("commit", "--quiet", "--message", "a change");
    return git("rev-parse", "HEAD").slice(0, 12);
  };
  git("init", "--quiet");
  write("functions/table/table.ts", "one");
  const first = commit();

  write("docs/runbook.md", "one");
  commit();
  expect(await bundledCommit(directory)).toBe(first);
  write("settings.ts", "an operator's own");
  expect(await bundledCommit(directory)).toBe(first);
  write("functions/table/keys.ts", "new");
  expect(await bundledCommit(directory)).toBe(`${first}+changes`);
  const second = commit();
  expect(await bundledCommit(directory)).toBe(second);
  write("lib/bundle/bundle.ts", "new");
  const third = commit();
  expect([await bundledCommit(directory), new Set([first, second, third]).size]).toEqual([third, 3]);
});

test("outside a repository no commit is named", async () => {
  expect(await bundledCommit(directory)).toBeUndefined();
});
