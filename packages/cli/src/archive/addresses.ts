import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readJsonFile } from "../json-file.ts";

/** New address of a drop. */
export interface DropAddress {
  readonly old_url: string;
  readonly url: string;
  readonly slug: string;
  /** New numbers of versions, by the old ones. */
  readonly versions: Readonly<Record<string, number>>;
}

export interface FileAddress {
  readonly old_url: string;
  readonly url: string;
  readonly id: string;
}

/**
 * Addresses of an import, by the old identifiers: `addresses-<host>-<account>.json` beside the export. The account itself says what it
 * has; the file saves a comparison of files, and is for people who look for an old address.
 */
export interface Addresses {
  readonly from: string;
  readonly to: string;
  readonly drops: Readonly<Record<string, DropAddress>>;
  readonly files: Readonly<Record<string, FileAddress>>;
}

/** Path of the addresses of an import into an account. */
export function addressesPath(folder: string, service: string, userId: string): string {
  const name = `${new URL(service).host}-${userId}`.replaceAll(/[^A-Za-z0-9.-]/g, "-");
  return join(folder, `addresses-${name}.json`);
}

export function readAddresses(path: string): Promise<Addresses | undefined> {
  return readJsonFile<Addresses>(path, "drops", "remove it");
}

export function writeAddresses(path: string, addresses: Addresses): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(addresses, undefined, 2)}\n`, { mode: 0o600 });
}
