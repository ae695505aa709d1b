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

/** Races need two environments, and more would not help two processors. */
const environmentsDefault = 2;

declare module "vitest" {
  interface ProvidedContext {
    /** The file shares its modules with no other file: vitest.config.ts, "own". @default - it shares them */
    readonly hasOwnProcess?: boolean;
    /** The address of the service under test, without trailing slash. */
    readonly baseUrl: string;
    /** The local port behind every host name of the service under test; 0 for a given service. */
    readonly servicePort: number;
    /** The folder of a service started for this run, with its log and data; empty for a given service. */
    readonly serviceDirectory: string;
  }
}

/** A service on this machine. */
export interface RunningService {
  /** The stack's own address. `fetchPage` maps names other than localhost to this machine's port. */
  readonly address: string;
  readonly port: number;
  readonly cloud: LocalCloud;
  /** Contains `log.txt` and the folder `data`. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** Options of a service for tests. */
export interface ServiceOptions extends SynthesizeOptions {
  /** Settings other than the identity provider. @default - only this machine's address */
  readonly settings?: Settings;
  /** Contents of an operator's settings file, for a service at this machine's address. @default - no file */
  readonly fileSettings?: Settings;
  /** @default - this machine's */
  readonly identityProvider?: IdentityProvider;
  /** @default - the limits of an established account */
  readonly account?: AccountLimits;
  /** Concurrent requests per function, for races. Each environment takes the time of a start. @default 2 */
  readonly environmentsPerFunction?: number;
  /** Seconds by which the clocks of the service and of the test's process are ahead of the machine's. @default 0 */
  readonly clockOffsetSeconds?: number;
  /**
   * The folder of a stopped service, which this one continues with and does not remove. @default - a new folder,
   * removed at the end
   */
  readonly directory?: string;
  /** Destination of the functions' outgoing requests. @default - the internet */
  readonly internet?: LocalInternet;
  /** Receives the metrics. @default - they are discarded */
  readonly metrics?: MetricSink;
  /** Breaks the stack before it starts. @default - the stack is unchanged */
  readonly breakTemplate?: (template: RawTemplate) => void;
}

/**
 * Starts the stack as `npm start` does, on free ports and with temporary data. `KEEP_TEST_SERVICE=1` keeps the data
 * and the log in the folder of temporary files.
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
      // By default, anyone can sign in. A test of members lists them in a settings file.
      ...(settings === undefined
        ? own
        : { ...settings, members: "anyone", enterpriseAuthorization: undefined }),
      // Rendering each published page would take seconds of processor time.
      renders: (settings ?? fileSettings)?.renders ?? false,
      ...(identityProvider ? { identityProvider } : {}),
      // The local provider issues no assertions, but a test's own provider may.
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

/** Recognizes log lines about a denied call to AWS, and the advice that follows. Responses do not show either. */
function isRefusalByRole(line: string): boolean {
  return line.startsWith("access denied: ") || line.startsWith("To allow this access, ");
}

/**
 * @throws Error that names each place where the service logged or stored a secret. The run fails then, whatever its
 * tests report.
 */
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
