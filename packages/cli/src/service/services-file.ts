import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import writeFileAtomic from "write-file-atomic";
import { readJsonFile } from "../json-file.ts";

/** Entry of one service. */
export interface KnownService {
  /** Token, where the machine has no keychain. @default - the keychain has it */
  readonly token?: string;
}

/** Contents of the file: services by address, and the one that commands use by default. */
export interface ServicesFile {
  readonly current?: string;
  readonly services: Readonly<Record<string, KnownService>>;
}

/** Path of the file; `DROPLEAF_CONFIG_DIR` names another folder. */
export function servicesFilePath(): string {
  const folder = process.env.DROPLEAF_CONFIG_DIR ?? envPaths("dropleaf", { suffix: "" }).config;
  return join(folder, "services.json");
}

/** @throws Problem when the file is not what this program writes */
export async function readServices(): Promise<ServicesFile> {
  const file = await readJsonFile<ServicesFile>(
    servicesFilePath(),
    "services",
    "remove it and sign in again",
  );
  return file ?? { services: {} };
}

/** Writes the file whole or not at all; only its owner can read it. */
export async function writeServices(file: ServicesFile): Promise<void> {
  const path = servicesFilePath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
}
