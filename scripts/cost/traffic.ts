import { parseArgs } from "node:util";

/** What happens in a month, and how the stack is set up. */
export interface Traffic {
  /** Pages published, and new versions of them. */
  readonly drops: number;
  readonly versions: number;
  /** Viewer pages opened; each reads the page itself once. */
  readonly views: number;
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
  readonly ingest: "webfunction" | "fargate" | "none";
  readonly waf: boolean;
  readonly tracing: boolean;
  readonly dashboard: boolean;
  /** Owners live below `/@<namespace>/`, so that pages are kept under two paths. */
  readonly withoutDomain: boolean;
  /** Every 5 minutes, as `true` is. */
  readonly keepWarm: boolean;
}

/** A team of about thirty, who let agents publish every day. */
export const defaultTraffic: Traffic = {
  drops: 1_000,
  versions: 2_000,
  views: 50_000,
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
  ingest: "none",
  waf: false,
  tracing: false,
  withoutDomain: false,
  dashboard: false,
  keepWarm: false,
};

/** Nobody comes, and nothing is kept. */
export const idleTraffic: Traffic = {
  ...defaultTraffic,
  drops: 0,
  versions: 0,
  views: 0,
  reads: 0,
  uploads: 0,
  signIns: 0,
  locks: 0,
  deletions: 0,
  versionDeletions: 0,
  fileDeletions: 0,
  storedGigabytes: 0,
};

const numberOptions = {
  drops: "drops",
  versions: "versions",
  views: "views",
  "cache-hits": "cacheHits",
  reads: "reads",
  uploads: "uploads",
  "sign-ins": "signIns",
  locks: "locks",
  deletions: "deletions",
  "version-deletions": "versionDeletions",
  "file-deletions": "fileDeletions",
  "page-kilobytes": "pageKilobytes",
  "upload-megabytes": "uploadMegabytes",
  "downloads-per-upload": "downloadsPerUpload",
  "stored-gigabytes": "storedGigabytes",
} as const satisfies Readonly<Record<string, keyof Traffic>>;

/** What can be said on the command line, with what it is where nothing is said. */
export const trafficHelp = `npm run cost -- [options]

Dollars a month for so much traffic. Numbers are of a month.

${Object.entries(numberOptions)
  .map(([option, name]) => `  --${option} <n>`.padEnd(31) + String(defaultTraffic[name]))
  .join("\n")}
  --ingest <kind>              webfunction, fargate or none
  --waf                        with the setting waf
  --tracing                    with the setting tracing
  --without-domain             owners have no hosts
  --dashboard                  with the setting dashboard
  --keep-warm                  with the setting keepWarm: true
  --idle                       nobody comes: what it costs to be there
  --write                      rewrites the tables of docs/cost.md`;

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
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(Object.keys(numberOptions).map((name) => [name, { type: "string" as const }])),
      ingest: { type: "string" },
      waf: { type: "boolean" },
      tracing: { type: "boolean" },
      "without-domain": { type: "boolean" },
      dashboard: { type: "boolean" },
      "keep-warm": { type: "boolean" },
      idle: { type: "boolean" },
      write: { type: "boolean" },
      help: { type: "boolean" },
    },
  }) as { values: Readonly<Record<string, string | boolean | undefined>> };
  const numbers = Object.entries(numberOptions).flatMap(([option, name]) =>
    values[option] === undefined ? [] : [[name, parseNumber(option, String(values[option]))] as const],
  );
  const traffic: Traffic = {
    ...(values.idle === true ? idleTraffic : defaultTraffic),
    ...Object.fromEntries(numbers),
    ingest: parseIngest(values.ingest),
    waf: values.waf === true,
    tracing: values.tracing === true,
    withoutDomain: values["without-domain"] === true,
    dashboard: values.dashboard === true,
    keepWarm: values["keep-warm"] === true,
  };
  if (traffic.cacheHits > 1) throw new Error("--cache-hits is a share: write a number from 0 to 1.");
  return { traffic, wants: values.help ? "help" : values.write ? "page" : "estimate" };
}

function parseNumber(option: string, text: string): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new Error(`--${option} is ${JSON.stringify(text)}: write a number from 0 on.`);
}

function parseIngest(value: string | boolean | undefined = defaultTraffic.ingest): Traffic["ingest"] {
  if (value === "webfunction" || value === "fargate" || value === "none") return value;
  throw new Error(`--ingest is ${JSON.stringify(value)}: write webfunction, fargate or none.`);
}
