import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { loadSettings, settingsOfEnvironment } from "../../../lib/settings/settings-file.ts";
import { quickAndSlow } from "../../support/quick-and-slow.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");
const scratch = mkdtempSync(join(tmpdir(), "dropleaf-settings-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Each test has a separate checkout, because Node caches a module by its path. */
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(scratch, "checkout-"));
  write("settings.ts", "export const settings = {};");
});

function write(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

function git(where: string, ...words: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...words], { cwd: where, encoding: "utf8" });
}

const named = (file: string) => ({ file, by: "SETTINGS" });

describe("the settings are", () => {
  test("those of settings.ts, without an operator's own file", async () => {
    expect(await loadSettings(undefined, directory)).toEqual({
      file: "settings.ts",
      settings: {},
      isDefault: true,
    });
  });

  test.each([
    [
      "settings.local.ts",
      'import type { Settings } from "./lib/settings.ts";\nexport const settings: Settings = { tracing: true };',
    ],
    ["settings.local.json", '{ "tracing": true }'],
  ])("those of %s, if the file exists", async (file, text) => {
    write(file, text);

    expect(await loadSettings(undefined, directory)).toEqual({
      file,
      settings: { tracing: true },
      isDefault: false,
    });
  });

  test.each([
    ["a module", "a.ts", 'export const settings = { ingest: "none" as const };'],
    ["a JavaScript module", "a.mjs", 'export const settings = { ingest: "none" };'],
    ["JSON", "a.json", '{ "ingest": "none" }'],
    ["JSON after a byte order mark", "b.json", '\ufeff{ "ingest": "none" }'],
  ])("those of %s that SETTINGS names, even with an operator's own file", async (_, name, text) => {
    write("settings.local.json", '{ "tracing": true }');
    const file = write(name, text);

    const { settings } = await loadSettings(settingsOfEnvironment({ SETTINGS: file }), directory);

    expect(settings).toEqual({ ingest: "none" });
  });

  test("those of settings.ts if SETTINGS names settings.ts, even with an operator's own file", async () => {
    write("settings.local.json", '{ "tracing": true }');

    const { isDefault, settings } = await loadSettings(named(join(directory, "settings.ts")), directory);

    expect([isDefault, settings]).toEqual([true, {}]);
  });

  test("refused if an operator has two files", async () => {
    write("settings.local.json", "{}");
    write("settings.local.ts", "export const settings = {};");

    await expect(loadSettings(undefined, directory)).rejects.toThrow(
      "There are settings.local.ts and settings.local.json: keep one of them, or name one with SETTINGS=<file>.",
    );
  });
});

describe("an error in a settings file names the file, the field, the value and the remedy:", () => {
  test.each([
    ["a wrong value", "b.json", '{ "ingest": "lambda" }', /b\.json: ingest is "lambda": use "webfunction"/],
    [
      "an unknown name",
      "c.json",
      '{ "baseUrll": "x" }',
      /c\.json: there is no setting "baseUrll"; did you mean "baseUrl"/,
    ],
    ["invalid JSON", "d.json", "{", /d\.json is not valid JSON: /],
    ["a list", "e.json", "[]", /e\.json: the settings are \[\]: use `export const settings/],
    [
      "another export",
      "f.mjs",
      "export const x = {};",
      /f\.mjs: the settings are missing: use `export const/,
    ],
    [
      "a module that throws",
      "g.mjs",
      'throw new Error("no");',
      /SETTINGS names .*g\.mjs, which cannot be loaded: no/,
    ],
  ])("%s", async (_, name, text, message) => {
    await expect(loadSettings(named(write(name, text)), directory)).rejects.toThrow(message);
  });

  test.each(["none.json", "none.ts"])("%s, which is missing", async (name) => {
    await expect(loadSettings(named(join(directory, name)), directory)).rejects.toThrow(
      new RegExp(`SETTINGS names .*${name}, which cannot be`),
    );
  });

  test("an operator's own file, without its folder", async () => {
    write("settings.local.json", '{ "stge": "production" }');

    await expect(loadSettings(undefined, directory)).rejects.toThrow(
      'settings.local.json: there is no setting "stge"; did you mean "stage"?',
    );
  });
});

for (const { cases, options } of quickAndSlow(
  [
    ["npx cdk deploy", ["bin/app.ts"]],
    ["npm start", ["bin/start.mjs"]],
    ["the preflight", ["scripts/operator/operator.ts", "preflight"]],
  ] as const,
  ([what]) => what !== "the preflight",
))
  test.each(cases)("%s fails with the same message before it does anything", options, (_, words) => {
    const file = write("wrong.json", '{ "baseUrll": "https://drops.example.com" }');

    const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", ...words], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", SETTINGS: file },
    });

    expect(stderr).toBe(`${file}: there is no setting "baseUrll"; did you mean "baseUrl"?\n`);
    expect(status).toBe(1);
  });

test("a pull that changes settings.ts keeps an operator's own file, without a conflict", async () => {
  const origin = join(directory, "origin");
  mkdirSync(origin);
  for (const file of [".gitignore", "settings.ts"])
    copyFileSync(join(projectDirectory, file), join(origin, file));
  git(origin, "init", "--quiet");
  git(origin, "add", ".");
  git(origin, "commit", "--quiet", "--message", "one");
  git(directory, "clone", "--quiet", origin, "mine");
  const mine = join(directory, "mine");
  const own = '{ "stackName": "Mine" }';
  writeFileSync(join(mine, "settings.local.json"), own);
  expect(git(mine, "status", "--porcelain")).toBe("");

  writeFileSync(join(origin, "settings.ts"), "export const settings = { tracing: true };");
  git(origin, "commit", "--quiet", "--all", "--message", "two");
  git(mine, "pull", "--quiet", "--ff-only");

  expect(readFileSync(join(mine, "settings.ts"), "utf8")).toContain("tracing");
  expect(readFileSync(join(mine, "settings.local.json"), "utf8")).toBe(own);
  expect((await loadSettings(undefined, mine)).settings).toEqual({ stackName: "Mine" });
});
