import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { readJsonFile } from "../json-file.ts";
import { key, secret, webAddress } from "./fields.ts";

/** A token, if the machine has no keychain. @default - the keychain stores the token */
const storedToken = { token: z.optional(secret) };

/** Contents of the services file: services by address, and the default service for commands. */
const servicesFile = z.object({
  current: z.optional(webAddress),
  services: z.record(
    webAddress,
    z.object({
      ...storedToken,
      /** Accounts on the service by namespace: the user's own, and teams. @default - the service does not name its accounts */
      accounts: z.optional(z.record(key, z.object(storedToken))),
      /** Default account for commands. */
      as: z.optional(key),
    }),
  ),
});
export type ServicesFile = z.output<typeof servicesFile>;

/** Returns the path of the services file. `DROPLEAF_CONFIG_DIR` selects another folder. */
export function servicesFilePath(): string {
  const folder = process.env.DROPLEAF_CONFIG_DIR ?? envPaths("dropleaf", { suffix: "" }).config;
  return join(folder, "services.json");
}

/** @throws Problem if the file has another format */
export async function readServices(): Promise<ServicesFile> {
  const file = await readJsonFile(servicesFilePath(), servicesFile, "remove it and sign in again");
  return file ?? { services: {} };
}

/** Writes the services file atomically. Only the file's owner can read it. */
export async function writeServices(file: ServicesFile): Promise<void> {
  const path = servicesFilePath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
}
