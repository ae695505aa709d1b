/** What whoever starts the local cloud may choose, by environment variables. */
export interface LocalSettings {
  /** `PORT`: the service; the identity provider takes the next one. */
  readonly port: number;
  /** `DATA_DIR`: everything that survives a restart. */
  readonly dataDirectory: string;
}

const defaultPort = 8787;
const defaultDataDirectory = ".dropleaf";

/** Ports below 1024 need rights that nothing here should have; the identity provider needs one above. */
const portMin = 1024;
const portMax = 65_534;

/** Reads the settings; throws an error that says what came and what would be right. */
export function parseLocalSettings(environment: Readonly<Record<string, string | undefined>>): LocalSettings {
  return {
    port: parsePort(environment.PORT),
    dataDirectory: environment.DATA_DIR || defaultDataDirectory,
  };
}

function parsePort(text: string | undefined): number {
  if (text === undefined || text === "") return defaultPort;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port >= portMin && port <= portMax) return port;
  throw new Error(`PORT must be a whole number from ${portMin} to ${portMax}, not ${JSON.stringify(text)}.`);
}
