import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseLocalSettings } from "../../local/local-settings.ts";
import { stackSettings } from "../../local/stack-settings.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-settings-"));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

const ofThisMachine = {
  baseUrl: "http://localhost:8787",
  identityProvider: { kind: "oidc", issuer: "http://localhost:8788" },
};

describe("the settings of the local cloud's stack", () => {
  test("are this machine's, with all that there is, where there is no file", async () => {
    expect(await stackSettings(8787)).toEqual({
      settings: { ...ofThisMachine, stage: "throwaway", ingest: "webfunction" },
      replaced: [],
    });
  });

  test.each([
    ["a module", "a.ts", 'export const settings = { ingest: "none" as const, stage: "production" };'],
    ["a module of JavaScript", "a.mjs", 'export const settings = { ingest: "none", stage: "production" };'],
    ["JSON", "a.json", '{ "ingest": "none", "stage": "production" }'],
  ])("are those of %s", async (_, name, text) => {
    const { settings } = await stackSettings(8787, fileOf(name, text));

    expect(settings).toEqual({ ...ofThisMachine, ingest: "none", stage: "production" });
  });

  test("have nothing of names, certificates and providers elsewhere, and say so", async () => {
    const file = fileOf(
      "production.json",
      JSON.stringify({
        baseUrl: "https://drops.example.com",
        hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
        identityProvider: "github",
        tracing: true,
      }),
    );

    expect(await stackSettings(8787, file)).toEqual({
      settings: { ...ofThisMachine, stage: "throwaway", tracing: true },
      replaced: ["baseUrl", "hostedZone", "identityProvider"],
    });
  });
});

describe("a file of settings that is wrong names itself, the field, what came and what to write:", () => {
  test.each([
    ["a wrong value", "b.json", '{ "ingest": "lambda" }', /b\.json: ingest is "lambda": write "webfunction"/],
    [
      "an unknown name",
      "c.json",
      '{ "baseUrll": "x" }',
      /c\.json: there is no setting "baseUrll"; did you mean/,
    ],
    ["no JSON", "d.json", "{", /d\.json is no JSON: /],
    ["a list", "e.json", "[]", /e\.json: the settings are \[\]: write `export const settings/],
    [
      "another export",
      "f.mjs",
      "export const x = {};",
      /f\.mjs: the settings are missing: write `export const/,
    ],
    ["what throws", "g.mjs", 'throw new Error("no");', /SETTINGS names .*g\.mjs, which cannot be loaded: no/],
  ])("%s", async (_, name, text, message) => {
    await expect(stackSettings(8787, fileOf(name, text))).rejects.toThrow(message);
  });

  test.each(["none.json", "none.ts"])("%s, which is not there", async (name) => {
    await expect(stackSettings(8787, join(directory, name))).rejects.toThrow(
      new RegExp(`SETTINGS names .*${name}, which cannot be`),
    );
  });
});

describe("the variables of the local cloud", () => {
  test("have defaults, and are the account's limits too", () => {
    expect(parseLocalSettings({})).toEqual({
      port: 8787,
      dataDirectory: ".dropleaf",
      settingsFile: undefined,
      account: { concurrentExecutions: 1_000, apiRequestsPerSecond: 10_000 },
      isDebugged: false,
    });
    const given = { ACCOUNT_CONCURRENCY: "10", ACCOUNT_REQUESTS_PER_SECOND: "100", SETTINGS: "a.ts" };
    expect(parseLocalSettings(given)).toMatchObject({
      settingsFile: "a.ts",
      account: { concurrentExecutions: 10, apiRequestsPerSecond: 100 },
    });
  });

  test.each([
    ["PORT", "80", 'PORT must be a whole number from 1024 to 65534, not "80".'],
    ["ACCOUNT_CONCURRENCY", "0", 'ACCOUNT_CONCURRENCY must be a whole number from 1 to 1000000, not "0".'],
    ["ACCOUNT_REQUESTS_PER_SECOND", "many", "ACCOUNT_REQUESTS_PER_SECOND must be a whole number from 2 to"],
  ])("are refused with what would be right: %s=%s", (name, value, message) => {
    expect(() => parseLocalSettings({ [name]: value })).toThrow(message);
  });
});
