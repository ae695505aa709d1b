import { describe, expect, test } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import { parseLocalSettings } from "../../local/local-settings.ts";
import { stackSettings } from "../../local/stack-settings.ts";

const ofThisMachine = {
  baseUrl: "http://localhost:8787",
  identityProvider: { kind: "oidc", issuer: "http://localhost:8788", fields: { groups: "groups" } },
};

/** Defaults of the local cloud, where anyone can be a member. */
const always = { stage: "throwaway", members: "anyone", teams: "members" };

describe("the settings of the local cloud's stack", () => {
  test("have this machine's URLs by default", () => {
    expect(stackSettings(8787, { settings: {} })).toEqual({
      settings: { ...ofThisMachine, ...always },
      replaced: [],
    });
  });

  test("include those of the operator's file", () => {
    const given: Settings = { ingest: "none", stage: "production" };

    expect(stackSettings(8787, { settings: given }).settings).toEqual({
      ...ofThisMachine,
      ...always,
      ingest: "none",
      stage: "production",
    });
  });

  test("replace domain names and external identity providers, and list the replaced ones", () => {
    const given: Settings = {
      baseUrl: "https://drops.example.com",
      hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
      identityProvider: "github",
      tracing: true,
    };

    expect(stackSettings(8787, { settings: given })).toEqual({
      settings: { ...ofThisMachine, ...always, tracing: true },
      replaced: ["baseUrl", "hostedZone", "identityProvider"],
    });
  });

  test("have the members of the operator's file", () => {
    const given: Settings = {
      members: { emailDomains: ["example.com"], groups: ["publishers"] },
    };

    expect(stackSettings(8787, { settings: given }).settings.members).toEqual({
      emailDomains: ["example.com"],
      groups: ["publishers"],
    });
  });
});

describe("the environment variables of the local cloud", () => {
  test("have defaults, and set the account's limits", () => {
    expect(parseLocalSettings({})).toEqual({
      port: 8787,
      clockOffsetSeconds: 0,
      dataDirectory: ".dropleaf",
      settingsFile: undefined,
      account: { concurrentExecutions: 1_000, apiRequestsPerSecond: 10_000 },
      environmentsPerFunction: 2,
      isDebugged: false,
    });
    const given = {
      ACCOUNT_CONCURRENCY: "10",
      ACCOUNT_REQUESTS_PER_SECOND: "100",
      FUNCTION_ENVIRONMENTS: "8",
      SETTINGS: "a.ts",
    };
    expect(parseLocalSettings(given)).toMatchObject({
      settingsFile: { file: "a.ts", by: "SETTINGS" },
      account: { concurrentExecutions: 10, apiRequestsPerSecond: 100 },
      environmentsPerFunction: 8,
    });
  });

  test.each([
    ["PORT", "80", 'PORT must be a whole number from 1024 to 65534, not "80".'],
    ["ACCOUNT_CONCURRENCY", "0", 'ACCOUNT_CONCURRENCY must be a whole number from 1 to 1000000, not "0".'],
    [
      "FUNCTION_ENVIRONMENTS",
      "0",
      'FUNCTION_ENVIRONMENTS must be a whole number from 1 to 1000000, not "0".',
    ],
    ["ACCOUNT_REQUESTS_PER_SECOND", "many", "ACCOUNT_REQUESTS_PER_SECOND must be a whole number from 2 to"],
  ])("are refused with the right usage: %s=%s", (name, value, message) => {
    expect(() => parseLocalSettings({ [name]: value })).toThrow(message);
  });
});
