import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Settings } from "../lib/settings.ts";
import { validateSettings } from "../lib/validate-settings.ts";

/** About names that this machine has not: the local cloud is at localhost, without certificates and DNS. */
const ofAnotherPlace = [
  "baseUrl",
  "baseDomain",
  "hostedZone",
  "baseDomainHostedZone",
  "certificateArn",
  "identityProvider",
] as const satisfies readonly (keyof Settings)[];

/** The whole contract is to be seen here; in AWS the newest service of the stack is a choice. */
const withoutFile: Settings = { ingest: "webfunction" };

/** The settings that the local cloud gives a stack. */
export interface StackSettings {
  readonly settings: Settings;
  /** What the file sets, and the local cloud has set otherwise. */
  readonly replaced: readonly (keyof Settings)[];
}

/**
 * The settings of a stack on this machine: those of a file, if there is one, but for the address and for where people
 * sign in, which are this machine's.
 *
 * @throws Error with a line for each setting of the file that is wrong: what came, and what to write instead
 */
export async function stackSettings(port: number, file?: string): Promise<StackSettings> {
  const given = file === undefined ? withoutFile : await readSettingsFile(file);
  const others = Object.entries(given).filter(([name]) => !ofAnotherPlace.some((one) => one === name));
  return {
    settings: {
      stage: "throwaway",
      ...Object.fromEntries(others),
      baseUrl: `http://localhost:${port}`,
      identityProvider: { kind: "oidc", issuer: `http://localhost:${port + 1}` },
    },
    replaced: ofAnotherPlace.filter((name) => given[name] !== undefined),
  };
}

/** A module that exports `settings`, as the one at the root does, or JSON that holds them. */
async function readSettingsFile(file: string): Promise<Settings> {
  const settings = await (extname(file) === ".json" ? readJson(file) : readModule(file));
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw new Error(
      `${file}: the settings are ${JSON.stringify(settings) ?? "missing"}: write \`export const settings = { … }\`, or in a .json file { … }, as settings.ts does.`,
    );
  }
  validateSettings(settings as Settings, file);
  return settings as Settings;
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`SETTINGS names ${file}, which cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${(error as Error).message}`);
  }
}

async function readModule(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(file)).href)) as { settings?: unknown };
    return module.settings;
  } catch (error) {
    throw new Error(`SETTINGS names ${file}, which cannot be loaded: ${(error as Error).message}`);
  }
}
