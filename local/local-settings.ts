import { defaultAccountLimits } from "@dropleaf/local-cloud/account-limits";
import { environmentsPerFunctionDefault } from "@dropleaf/local-cloud/lambda/lambda-service";
import { daysMax } from "../functions/core/environment.ts";
import { settingsOfEnvironment } from "../lib/settings/settings-file.ts";

/** Settings of `npm start`, from environment variables. */
export type LocalSettings = ReturnType<typeof parseLocalSettings>;

const defaultPort = 8787;
const defaultDataDirectory = ".dropleaf";

/** Range of allowed ports. Ports below 1024 need root, and the identity provider uses the port after the service's. */
const portMin = 1024;
const portMax = 65_534;

/** Maximum clock offset in seconds: ten years, which is also the maximum lifetime of a drop. */
const clockOffsetSecondsMax = daysMax * 86_400;

/** Maximum value of account limits, far above AWS's quotas. */
const accountMax = 1_000_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the settings. @throws Error that names the variable, its value and the allowed values */
export function parseLocalSettings(environment: Environment) {
  const whole = (name: string, ifNone: number, min: number, max: number) =>
    parseWhole(name, environment[name], { ifNone, min, max });
  const { concurrentExecutions, apiRequestsPerSecond } = defaultAccountLimits;
  return {
    /** Port of the service. The identity provider uses the next port. */
    port: whole("PORT", defaultPort, portMin, portMax),
    /** Folder of the data that survives a restart. */
    dataDirectory: environment.DATA_DIR || defaultDataDirectory,
    /** Settings file, such as `settings.ts`. Undefined if the variable is not set. */
    settingsFile: settingsOfEnvironment(environment),
    /** True if functions run unminified, for a debugger. */
    // Only "1" turns debugging on, because other programs use the variable with other values, such as `DEBUG=*`.
    isDebugged: environment.DEBUG === "1",
    /** Number of seconds by which the service's clock is ahead of this machine's clock. */
    clockOffsetSeconds: whole("DROPLEAF_CLOCK_OFFSET_SECONDS", 0, 0, clockOffsetSecondsMax),
    /** Maximum number of execution environments of a function. Further requests wait. */
    environmentsPerFunction: whole("FUNCTION_ENVIRONMENTS", environmentsPerFunctionDefault, 1, accountMax),
    account: {
      concurrentExecutions: whole("ACCOUNT_CONCURRENCY", concurrentExecutions, 1, accountMax),
      apiRequestsPerSecond: whole("ACCOUNT_REQUESTS_PER_SECOND", apiRequestsPerSecond, 2, accountMax),
    },
  };
}

function parseWhole(
  name: string,
  text: string | undefined,
  { ifNone, min, max }: { readonly ifNone: number; readonly min: number; readonly max: number },
): number {
  if (text === undefined || text === "") return ifNone;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
}
