import { defaultAccountLimits } from "@dropleaf/local-cloud/account-limits";
import { environmentsPerFunctionDefault } from "@dropleaf/local-cloud/lambda/lambda-service";
import { daysMax } from "../functions/core/environment.ts";
import { settingsOfEnvironment } from "../lib/settings/settings-file.ts";

/** Settings of `npm start`, by environment variables. */
export type LocalSettings = ReturnType<typeof parseLocalSettings>;

const defaultPort = 8787;
const defaultDataDirectory = ".dropleaf";

/** Ports below 1024 need root. The identity provider takes the next port. */
const portMin = 1024;
const portMax = 65_534;

/** Longest lifetime of a drop in seconds: ten years. */
const clockOffsetSecondsMax = daysMax * 86_400;

/** Far above AWS's quotas. */
const accountMax = 1_000_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. @throws Error that names the variable, its value and the allowed values */
export function parseLocalSettings(environment: Environment) {
  const whole = (name: string, ifNone: number, min: number, max: number) =>
    parseWhole(name, environment[name], { ifNone, min, max });
  const { concurrentExecutions, apiRequestsPerSecond } = defaultAccountLimits;
  return {
    /** The service; the identity provider takes the next one. */
    port: whole("PORT", defaultPort, portMin, portMax),
    /** Everything that survives a restart. */
    dataDirectory: environment.DATA_DIR || defaultDataDirectory,
    /** A file of settings such as `settings.ts`. Undefined if the variable is not set. */
    settingsFile: settingsOfEnvironment(environment),
    /** Unminified functions, for a debugger. */
    // Other programs use the same name with other values, such as `DEBUG=*`.
    isDebugged: environment.DEBUG === "1",
    /** Seconds by which the service's clock is ahead of this machine's. */
    clockOffsetSeconds: whole("DROPLEAF_CLOCK_OFFSET_SECONDS", 0, 0, clockOffsetSecondsMax),
    /** Execution environments that a function may have at once; further requests wait. */
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
