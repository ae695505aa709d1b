import { createWriteStream, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import type { AccountLimits } from "@dropleaf/local-cloud/account-limits";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import type { LocalInternet } from "@dropleaf/local-cloud/internet";
import type { MetricSink } from "@dropleaf/local-cloud/metrics/metric-store";
import type { RawTemplate } from "@dropleaf/local-cloud/template-intrinsics";
import { outputNames } from "../../lib/output-names.ts";
import type { IdentityProvider } from "../../lib/settings/identity-provider-settings.ts";
import type { Settings } from "../../lib/settings.ts";
import type { SynthesizeOptions } from "../../lib/synthesize.ts";
import { findOrSynthesize } from "../../local/assembly-cache.ts";
import { stackSettings } from "../../local/stack-settings.ts";
import { startDropleaf } from "../../local/start-dropleaf.ts";
import { findKeptSecrets } from "./kept-secrets.ts";
import { readSeenSecrets } from "./seen-secrets-file.ts";
import { sharedBuild } from "./shared-build.ts";

/** Races need two, and two processors have no use for more. */
const environmentsDefault = 2;

declare module "vitest" {
  interface ProvidedContext {
    /** Whether the test's file shares its modules with no other: vitest.config.ts, "own". @default - it does */
    readonly hasOwnProcess?: boolean;
    /** The address of the service under test, without trailing slash. */
    readonly baseUrl: string;
    /** The port of this machine that stands for every name of the service under test; 0 for a given one. */
    readonly servicePort: number;
    /** The folder of a service that was started for this run, with its log and its data; empty for a given one. */
    readonly serviceDirectory: string;
  }
}

/** A service on this machine. */
export interface RunningService {
  /** Where the stack says that it lives. Other names than localhost's are this machine's port in fact: `fetchPage`. */
  readonly address: string;
  readonly port: number;
  readonly cloud: LocalCloud;
  /** Holds `log.txt` and the folder `data`. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** What a service for tests is. */
export interface ServiceOptions extends SynthesizeOptions {
  /**
   * Its settings, but for the identity provider.
   *
   * @default - this machine's address, and nothing else
   */
  readonly settings?: Settings;
  /** What an operator's own file says, for a service at this machine's address. @default - there is no file */
  readonly fileSettings?: Settings;
  /** @default - this machine's */
  readonly identityProvider?: IdentityProvider;
  /** @default - what an account has that is not new */
  readonly account?: AccountLimits;
  /** For races: so many requests are in a function at once; each takes the time of a start. @default 2 */
  readonly environmentsPerFunction?: number;
  /** Seconds by which its clock, and that of the test's process, is ahead of the machine's. @default 0 */
  readonly clockOffsetSeconds?: number;
  /** The folder of a service that has stopped, which this one goes on with and leaves. @default - a new folder that goes with it */
  readonly directory?: string;
  /** Where its functions go that leave this machine. @default - the internet */
  readonly internet?: LocalInternet;
  /** Takes its metrics. @default - they are discarded */
  readonly metrics?: MetricSink;
  /** Breaks the stack before it starts. @default - it works */
  readonly breakTemplate?: (template: RawTemplate) => void;
}

/**
 * The stack as `npm start` runs it, on free ports and with data that is thrown away; `KEEP_TEST_SERVICE=1` leaves the
 * data and the log in the folder of temporary files.
 */
export async function startService(serviceOptions: ServiceOptions = {}): Promise<RunningService> {
  const port = await findFreePort(2);
  const directory = serviceOptions.directory ?? mkdtempSync(join(tmpdir(), "dropleaf-test-"));
  const assetsDirectory = join(directory, "cdk.out");
  const log = createWriteStream(join(directory, "log.txt"), { flags: "a" });
  const {
    settings,
    fileSettings,
    identityProvider: givenProvider,
    account,
    environmentsPerFunction = environmentsDefault,
    internet,
    metrics,
    breakTemplate,
    clockOffsetSeconds,
    directory: keptDirectory,
    ...options
  } = serviceOptions;
  const { settings: own } = stackSettings(port, { settings: fileSettings ?? {} });
  const identityProvider = givenProvider ?? own.identityProvider;
  await findOrSynthesize(
    {
      // Whoever a test is about can sign in; a test of members gives them in a file's settings.
      ...(settings === undefined
        ? own
        : { ...settings, members: "anyone", enterpriseAuthorization: undefined }),
      // Each page that a test publishes would take seconds of the processors.
      renders: (settings ?? fileSettings)?.renders ?? false,
      ...(identityProvider ? { identityProvider } : {}),
      // The local provider gives no assertions; a test's own may.
      ...(givenProvider && fileSettings?.enterpriseAuthorization
        ? { enterpriseAuthorization: fileSettings.enterpriseAuthorization }
        : {}),
    },
    assetsDirectory,
    { port, ...sharedBuild(), ...options },
  );
  if (breakTemplate) changeTemplate(assetsDirectory, breakTemplate);
  const cloud = await startDropleaf({
    assetsDirectory,
    port,
    dataDirectory: join(directory, "data"),
    clockOffsetSeconds,
    ...(account ? { account } : {}),
    environmentsPerFunction,
    internet,
    metrics,
    log: (line) => {
      log.write(`${line}\n`);
      if (isRefusalByRole(line)) process.stderr.write(`${line}\n`);
    },
  });
  const stop = async () => {
    await cloud.stop();
    await new Promise<void>((done) => log.end(done));
    await rm(assetsDirectory, { recursive: true, force: true });
    requireNoKeptSecrets(directory);
    const isKept = keptDirectory !== undefined || process.env.KEEP_TEST_SERVICE === "1";
    if (!isKept) await rm(directory, { recursive: true, force: true });
  };
  const address = cloud.template.outputs[outputNames.baseUrl] ?? cloud.address;
  return { address, port, cloud, directory, stop };
}

function changeTemplate(assetsDirectory: string, change: (template: RawTemplate) => void): void {
  const [name = ""] = readdirSync(assetsDirectory).filter((file) => file.endsWith(".template.json"));
  const file = join(assetsDirectory, name);
  const template: RawTemplate = JSON.parse(readFileSync(file, "utf8"));
  change(template);
  writeFileSync(file, JSON.stringify(template));
}

/** Recognizes a call to AWS that a function's role does not allow, and the advice that follows it: a response says neither. */
function isRefusalByRole(line: string): boolean {
  return line.startsWith("access denied: ") || line.startsWith("To allow this access, ");
}

/** @throws Error that names each place where the service has logged or stored a secret; the run has failed then, whatever its tests say. */
function requireNoKeptSecrets(directory: string): void {
  const found = findKeptSecrets(directory, readSeenSecrets(directory));
  if (found.length === 0) return;
  process.exitCode = 1;
  const places = found.map(
    ({ kind, start, file, offset }) => `${kind} ${start} in ${file} at byte ${offset}`,
  );
  throw new Error(
    `The service has kept ${found.length} secrets in ${directory}, which stays:\n${places.slice(0, 20).join("\n")}`,
  );
}
