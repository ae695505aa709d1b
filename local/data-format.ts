import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSavedJson, saveJson } from "@dropleaf/local-cloud/saved-json";
import { dataFormat, serviceVersion } from "../lib/service-version.ts";

/** Format of the data in a folder, and the last service version that was started with the folder. */
interface StoredFormat {
  readonly dataFormat: number;
  readonly version: string;
}

const formatFile = "data-format.json";

/**
 * Parameters file of release 0.1.0, which does not read `formatFile`. That release starts if this file is missing or contains a list, and
 * stops if it contains the text below. Later releases use another file for parameters.
 */
const formerParametersFile = "parameters.json";

const tooNew = `Too new for Dropleaf 0.1.0: this folder has data format ${dataFormat}. Start the version that wrote it or a later one, or choose another folder with DATA_DIR.\n`;

/**
 * Refuses a folder if this version cannot fully read its data, or would damage it; see docs/adr/0034-data-format-version.md.
 * @throws Error that names the version to start
 */
export function requireKnownDataFormat(dataDirectory: string): void {
  const stored = readSavedJson<StoredFormat | undefined>(join(dataDirectory, formatFile), undefined);
  if (stored === undefined || stored.dataFormat <= dataFormat) return;
  throw new Error(
    `The data folder ${resolve(dataDirectory)} has data format ${stored.dataFormat}, written by version ${stored.version}. Version ${serviceVersion} reads up to format ${dataFormat}. Start version ${stored.version} or later, or choose another folder with DATA_DIR.`,
  );
}

/** Stores this version's data format in the folder, so that earlier versions refuse the folder. */
export function storeDataFormat(dataDirectory: string): void {
  const stored: StoredFormat = { dataFormat, version: serviceVersion };
  saveJson(join(dataDirectory, formatFile), stored);
  writeFileSync(join(dataDirectory, formerParametersFile), tooNew);
}
