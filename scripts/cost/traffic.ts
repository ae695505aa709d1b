import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";

/** The traffic of a month, and the settings of the stack that cost something. */
export interface Traffic {
  /** Pages published, and new versions of them. */
  readonly drops: number;
  readonly versions: number;
  /** Folders of 100 files published, new versions of them with one changed file, and reads of their files. */
  readonly folders: number;
  readonly folderVersions: number;
  readonly folderReads: number;
  /** Viewer pages opened. Each reads the raw page once. */
  readonly views: number;
  /** Hours in which visible tabs poll for changes, each as if no other tab showed the same page. */
  readonly readingHours: number;
  /** Hours in which agents wait for comments, one call after another, each until it times out. */
  readonly waitingHours: number;
  /** The share of reads of pages and of folders' files that the edge's cache serves. */
  readonly cacheHits: number;
  /** API calls that read: half get a drop, half list drops. */
  readonly reads: number;
  readonly searches: number;
  readonly uploads: number;
  readonly signIns: number;
  /** Drops that get a passcode; drops, versions and files that are deleted. */
  readonly locks: number;
  readonly deletions: number;
  readonly versionDeletions: number;
  readonly fileDeletions: number;
  readonly pageKilobytes: number;
  readonly uploadMegabytes: number;
  /** Downloads of each uploaded file. */
  readonly downloadsPerUpload: number;
  /** Pages with their old versions, and files, in Amazon S3. */
  readonly storedGigabytes: number;
  /** Addresses that receive every event. */
  readonly webhooks: number;
  readonly ingest: "webfunction" | "none";
  readonly waf: boolean;
  readonly tracing: boolean;
  readonly dashboard: boolean;
  /** Turns rendering off. */
  readonly withoutRenders: boolean;
  /** Calls six functions every 5 minutes, as the setting `true` does. */
  readonly keepWarm: boolean;
}

/** A team of about thirty whose agents publish every day. */
export const defaultTraffic: Traffic = {
  drops: 1_000,
  versions: 2_000,
  folders: 0,
  folderVersions: 0,
  folderReads: 0,
  views: 50_000,
  readingHours: 800,
  waitingHours: 0,
  cacheHits: 0.5,
  reads: 20_000,
  searches: 1_000,
  uploads: 200,
  signIns: 50,
  locks: 50,
  deletions: 200,
  versionDeletions: 50,
  fileDeletions: 20,
  pageKilobytes: 60,
  uploadMegabytes: 2,
  downloadsPerUpload: 20,
  storedGigabytes: 10,
  webhooks: 0,
  ingest: "webfunction",
  waf: false,
  tracing: false,
  dashboard: false,
  withoutRenders: false,
  keepWarm: false,
};

/** No traffic, nothing stored. */
export const idleTraffic: Traffic = {
  ...defaultTraffic,
  drops: 0,
  versions: 0,
  views: 0,
  readingHours: 0,
  reads: 0,
  searches: 0,
  uploads: 0,
  signIns: 0,
  locks: 0,
  deletions: 0,
  versionDeletions: 0,
  fileDeletions: 0,
  storedGigabytes: 0,
};

/** Options that take a word. */
const choices = { ingest: ["webfunction", "none"] } as const satisfies {
  ingest: readonly Traffic["ingest"][];
};

/** Converts a field to its option: `cacheHits` to `--cache-hits`. */
const optionOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The options of the command line, with their defaults. */
export const trafficHelp = `npm run cost -- [options]

Estimates dollars a month. Each option has its default; --write updates docs/cost.md and docs/measured/function-memory.json instead.

${Object.entries(defaultTraffic)
  .map(([name, value]) => `  --${optionOf(name)}`.padEnd(33) + (value === false ? "" : value))
  .join("\n")}
  --idle                         no traffic, unless other options say so
  --price-list <file>            compares our prices with an offer file of AWS's price list instead; may be repeated`;

/** A parsed command line. */
export interface CostRequest {
  readonly traffic: Traffic;
  readonly wants: "help" | "estimate" | "page" | "comparison";
  /** Paths of offer files, for a comparison. */
  readonly priceLists: readonly string[];
}

/**
 * Reads the command line.
 *
 * @throws Error naming the wrong option and what to write
 */
export function parseCostRequest(args: string[]): CostRequest {
  const options = Object.entries({ ...defaultTraffic, idle: false, write: false, help: false }).map(
    ([name, value]): [string, ParseArgsOptionDescriptor] => [
      optionOf(name),
      { type: typeof value === "boolean" ? "boolean" : "string" },
    ],
  );
  const priceList: ParseArgsOptionDescriptor = { type: "string", multiple: true };
  const parsed = parseArgs({ args, options: Object.fromEntries([...options, ["price-list", priceList]]) });
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const priceLists = [values["price-list"] ?? []].flat().map(String);
  const base = values.idle ? idleTraffic : defaultTraffic;
  const traffic = Object.fromEntries(
    Object.entries(base).map(([name, usual]) => {
      const given = values[optionOf(name)];
      return [name, typeof given === "string" ? parseValue(optionOf(name), given) : (given ?? usual)];
    }),
  ) as unknown as Traffic;
  if (traffic.cacheHits > 1) throw new Error("--cache-hits is a share: write a number from 0 to 1.");
  const wants = values.help
    ? "help"
    : values.write
      ? "page"
      : priceLists.length > 0
        ? "comparison"
        : "estimate";
  return { traffic, wants, priceLists };
}

function parseValue(option: string, text: string): number | string {
  const words: readonly string[] | undefined = choices[option as keyof typeof choices];
  if (words?.includes(text)) return text;
  if (words) throw new Error(`--${option} is ${JSON.stringify(text)}: write ${oneOf(words)}.`);
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new Error(`--${option} is ${JSON.stringify(text)}: write a number from 0 on.`);
}

function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
