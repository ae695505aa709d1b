import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { projectDirectory } from "../../lib/project-directory.ts";
import { serviceVersion } from "../../lib/service-version.ts";

const run = promisify(execFile);

/** Commits of releases whose tag a clone may lack. */
const commits: Readonly<Record<string, string>> = { "0.1.0": "912ee02035a9aa206820d9d7118665cdb13c5135" };

/** The release previous to this code, installed in a folder. */
export interface ReleaseBefore {
  readonly version: string;
  readonly dataFormat: number;
  readonly folder: string;
}

/**
 * Installs the newest release in CHANGELOG.md, or the previous one while the newest is being released. `RELEASE_BEFORE` names another
 * commit.
 *
 * @throws Error if the clone lacks the release's commit, with the command that fetches it
 */
export async function installReleaseBefore(folder: string): Promise<ReleaseBefore> {
  const { version, commit } = await findReleaseBefore();
  if (commit === undefined)
    throw new Error(
      `This clone has no commit of version ${version}. Run: git fetch --unshallow --tags (actions/checkout: fetch-depth: 0)`,
    );
  mkdirSync(folder);
  const archive = join(folder, "release.tar");
  await run("git", ["archive", "--output", archive, commit], { cwd: projectDirectory });
  await run("tar", ["xf", archive], { cwd: folder });
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  const source = readFileSync(join(folder, "lib/service-version.ts"), "utf8");
  const [, dataFormat] = /dataFormat = (\d+);/.exec(source) ?? [];
  return { version, dataFormat: Number(dataFormat), folder };
}

async function findReleaseBefore(): Promise<{
  readonly version: string;
  readonly commit: string | undefined;
}> {
  const changelog = readFileSync(join(projectDirectory, "CHANGELOG.md"), "utf8");
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)\b/gm)].map(([, version = ""]) => version);
  const present = await findCommit("HEAD");
  for (const version of versions) {
    const commit = await findCommit(process.env.RELEASE_BEFORE ?? `v${version}`, commits[version]);
    const isThisOne = version === serviceVersion && (commit === undefined || commit === present);
    if (process.env.RELEASE_BEFORE !== undefined || !isThisOne) return { version, commit };
  }
  throw new Error("CHANGELOG.md has no release before this one.");
}

/** Returns the commit of the first name that the clone knows. */
async function findCommit(...names: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const name of names) {
    const found = name === undefined ? undefined : await resolveCommit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function resolveCommit(name: string): Promise<string | undefined> {
  const found = run("git", ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], {
    cwd: projectDirectory,
  });
  return (await found.catch(() => undefined))?.stdout.trim();
}

/** A service that `npm start` runs. */
export interface StartedService {
  readonly address: string;
  stop(): Promise<void>;
}

/** Checkout, data and environment of a service. */
interface Place {
  /** A checkout. */
  readonly folder: string;
  readonly dataDirectory: string;
  /** @default - a free one */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs `npm start` of a checkout and waits until the service is ready.
 *
 * @throws Error with its output if it exits before it is ready
 */
export async function startCheckout(place: Place): Promise<StartedService> {
  const { folder, dataDirectory, environment } = place;
  const port = place.port ?? (await findFreePort(2));
  const address = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["bin/start.mjs"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      PORT: String(port),
      DATA_DIR: dataDirectory,
      SETTINGS: join(projectDirectory, "test/release/settings.json"),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  await waitUntilReady(child, `Dropleaf is ready at ${address}`);
  return {
    address,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function waitUntilReady(child: ChildProcess, line: string): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (bytes: Buffer) => {
      output += bytes;
      if (output.includes(line)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`It ended before it was ready:\n${output}`)));
  });
}

/** Runs an operator's command of a checkout and returns its exit code and output. */
export async function runOperator(
  folder: string,
  ...words: string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const command = ["--import", "./bin/required-node.mjs", "--import", "tsx", "scripts/operator/operator.ts"];
  const child = spawn(process.execPath, [...command, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += String(bytes)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
