import { parseArgs } from "node:util";

/** What happens in a month, and how the stack is set up. */
export interface Traffic {
  /** Pages published, and new versions of them. */
  readonly drops: number;
  readonly versions: number;
  /** Viewer pages opened; each reads the page itself once. */
  readonly views: number;
  /** For how many hours somebody looks at the pages, in tabs that are seen and ask for news; each as if no other asked for the same page. */
  readonly readingHours: number;
  /** For how many hours agents wait for what readers write, one call after another, each until its time is over. */
  readonly waitingHours: number;
  /** The share of page reads that the edge answers by itself. */
  readonly cacheHits: number;
  /** Calls of the API that read: half of them get a drop, half list them. */
  readonly reads: number;
  readonly uploads: number;
  readonly signIns: number;
  /** Drops that get a passcode, and what is deleted. */
  readonly locks: number;
  readonly deletions: number;
  readonly versionDeletions: number;
  readonly fileDeletions: number;
  readonly pageKilobytes: number;
  readonly uploadMegabytes: number;
  /** Each uploaded file is downloaded so often. */
  readonly downloadsPerUpload: number;
  /** Pages with their old versions, and files. */
  readonly storedGigabytes: number;
  /** Addresses that are told of every event. */
  readonly webhooks: number;
  readonly ingest: "webfunction" | "none";
  readonly waf: boolean;
  readonly tracing: boolean;
  readonly dashboard: boolean;
  /** Pages are not rendered. */
  readonly withoutRenders: boolean;
  /** Every 5 minutes, as `true` is. */
  readonly keepWarm: boolean;
}

/** A team of about thirty, who let agents publish every day. */
export const defaultTraffic: Traffic = {
  drops: 1_000,
  versions: 2_000,
  views: 50_000,
  readingHours: 800,
  waitingHours: 0,
  cacheHits: 0.5,
  reads: 20_000,
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
  ingest: "none",
  waf: false,
  tracing: false,
  dashboard: false,
  withoutRenders: false,
  keepWarm: false,
};

/** Nobody comes, and nothing is kept. */
export const idleTraffic: Traffic = {
  ...defaultTraffic,
  drops: 0,
  versions: 0,
  views: 0,
  readingHours: 0,
  reads: 0,
  uploads: 0,
  signIns: 0,
  locks: 0,
  deletions: 0,
  versionDeletions: 0,
  fileDeletions: 0,
  storedGigabytes: 0,
};

const ingestKinds = ["webfunction", "none"] as const satisfies readonly Traffic["ingest"][];

/** `cacheHits` is said as `--cache-hits`. */
const optionOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What can be said on the command line, with what it is where nothing is said. */
export const trafficHelp = `npm run cost -- [options]

Dollars a month for so much traffic, with what is taken where nothing is said; or with --write, the tables of docs/cost.md.

${Object.entries(defaultTraffic)
  .map(([name, value]) => `  --${optionOf(name)}`.padEnd(33) + (value === false ? "" : value))
  .join("\n")}
  --idle                         nobody comes: what it costs to be there`;

/** What the command line asks for. */
export interface CostRequest {
  readonly traffic: Traffic;
  readonly wants: "help" | "estimate" | "page";
}

/**
 * Reads the command line.
 *
 * @throws Error naming the option that is wrong, and what would be right
 */
export function parseCostRequest(args: string[]): CostRequest {
  const options = Object.entries({ ...defaultTraffic, idle: false, write: false, help: false }).map(
    ([name, value]) => [optionOf(name), { type: typeof value === "boolean" ? "boolean" : "string" }] as const,
  );
  const { values } = parseArgs({ args, options: Object.fromEntries(options) });
  const base = values.idle ? idleTraffic : defaultTraffic;
  const traffic = Object.fromEntries(
    Object.entries(base).map(([name, usual]) => {
      const given = values[optionOf(name)];
      return [name, typeof given === "string" ? parseValue(optionOf(name), given) : (given ?? usual)];
    }),
  ) as unknown as Traffic;
  if (traffic.cacheHits > 1) throw new Error("--cache-hits is a share: write a number from 0 to 1.");
  return { traffic, wants: values.help ? "help" : values.write ? "page" : "estimate" };
}

function parseValue(option: string, text: string): number | Traffic["ingest"] {
  if (option === "ingest") {
    const kind = ingestKinds.find((one) => one === text);
    if (kind !== undefined) return kind;
    throw new Error(`--ingest is ${JSON.stringify(text)}: write webfunction or none.`);
  }
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new Error(`--${option} is ${JSON.stringify(text)}: write a number from 0 on.`);
}
