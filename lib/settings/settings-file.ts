import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isCheckout, projectDirectory } from "../project-directory.ts";
import type { Settings } from "../settings.ts";
import { validateSettings } from "./validate-settings.ts";

/** A settings file that was requested by name, and the source of the request: the variable `SETTINGS` or an option. */
export interface NamedFile {
  readonly file: string;
  readonly by: string;
}

/** Validated settings from a file. */
export interface FileSettings {
  /** File name for messages. */
  readonly file: string;
  readonly settings: Settings;
  /** True for the checkout's default file, false for the operator's own file. */
  readonly isDefault: boolean;
}

const defaultFile = "settings.ts";

/** The operator's own files. Git ignores them, so that pulling never changes them or causes conflicts. */
const ownFiles = ["settings.local.ts", "settings.local.json"] as const;

/** Returns the file that the environment variable `SETTINGS` names. */
export function settingsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): NamedFile | undefined {
  return environment.SETTINGS ? { file: environment.SETTINGS, by: "SETTINGS" } : undefined;
}

/**
 * Loads the settings for the deployment, the local cloud and the operator's tools. Reads the named file, otherwise `settings.local.ts` or
 * `settings.local.json`, otherwise `settings.ts`.
 *
 * @param named path relative to the working directory
 * @param directory folder of the other settings files: the checkout, or the working directory if the published package is used
 * @throws Error with a line for each wrong setting: its value, and a correction
 */
export async function loadSettings(
  named: NamedFile | undefined,
  directory = isCheckout ? projectDirectory : process.cwd(),
): Promise<FileSettings> {
  const file = named?.file ?? findOwnFile(directory) ?? defaultFile;
  const path = named === undefined ? join(directory, file) : resolve(file);
  const settings =
    extname(path) === ".json" ? await readJson(path, file, named) : await readModule(path, file, named);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw new Error(
      `${file}: the settings are ${JSON.stringify(settings) ?? "missing"}: use \`export const settings = { … }\`, or in a .json file { … }, as settings.ts does.`,
    );
  }
  validateSettings(settings as Settings, file);
  return {
    file,
    settings: settings as Settings,
    isDefault: isCheckout && path === join(directory, defaultFile),
  };
}

function findOwnFile(directory: string): string | undefined {
  const [file, ...others] = ownFiles.filter((one) => existsSync(join(directory, one)));
  if (others.length === 0) return file;
  throw new Error(`There are ${ownFiles.join(" and ")}: keep one of them, or name one with SETTINGS=<file>.`);
}

async function readJson(path: string, file: string, named: NamedFile | undefined): Promise<unknown> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new Error(`${calledBy(file, named)} cannot be read: ${error.message}`);
  });
  try {
    // Some Windows editors write a byte order mark, which the decoder removes.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

async function readModule(path: string, file: string, named: NamedFile | undefined): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { settings?: unknown };
    return module.settings;
  } catch (error) {
    throw new Error(`${calledBy(file, named)} cannot be loaded: ${(error as Error).message}`);
  }
}

function calledBy(file: string, named: NamedFile | undefined): string {
  return named === undefined ? file : `${named.by} names ${file}, which`;
}
