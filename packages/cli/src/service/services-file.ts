import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import writeFileAtomic from "write-file-atomic";
import { Problem } from "../problem.ts";

/** What this machine knows of one service. */
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
  const path = servicesFilePath();
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { services: {} };
  try {
    const file = JSON.parse(text);
    if (typeof file?.services === "object" && file.services !== null) return file;
  } catch {}
  throw new Problem(
    `${path} cannot be read as JSON with "services". Mend it, or remove it and sign in again.`,
  );
}

/** Writes the file whole or not at all; only its owner can read it. */
export async function writeServices(file: ServicesFile): Promise<void> {
  const path = servicesFilePath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
}
