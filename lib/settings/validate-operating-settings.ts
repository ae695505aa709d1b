import {
  concurrentExecutionsDefault,
  daysMax,
  readerSessionHoursMax,
  secretScanModes,
  trashDaysMax,
} from "../../functions/core/environment.ts";
import { limits } from "../../functions/core/limits.ts";
import { visibilityKinds } from "../../functions/identity/visibility.ts";
import { renderConcurrencyMax, type Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";

/** A setting's allowed values, and the instruction for an operator who wrote another one. */
interface Rule {
  readonly allows: (value: unknown) => boolean;
  readonly instead: string;
}

const days = wholeNumber(1, daysMax, "of days ");
const dollars: Rule = {
  allows: (value) => Number.isFinite(value) && Number(value) > 0,
  instead: "write a number above 0, such as 20",
};
const onOrOff: Rule = { allows: (value) => typeof value === "boolean", instead: "write true or false" };
const visibility: Rule = {
  allows: (value) => visibilityKinds.some((kind) => kind === value),
  instead: `write ${visibilityKinds.map((kind) => `"${kind}"`).join(" or ")}`,
};

/** Rules of settings that depend on no other setting. */
const rules: Readonly<Partial<Record<keyof Settings, Rule>>> = {
  alarmEmail: {
    allows: matches(/^[^\s@]+@[^\s@]+\.[^\s@]+$/),
    instead: 'write an address such as "operators@example.com"',
  },
  auditDays: days,
  // AWS Backup developer guide, "Copying backups across AWS accounts": a vault is named by its ARN.
  backupVaultArn: {
    allows: matches(/^arn:aws(-[a-z]+)*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/),
    instead:
      'write the ARN of a vault in another account or Region, such as "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf"',
  },
  concurrentExecutions: {
    allows: isWhole(concurrentExecutionsDefault),
    instead: `write the account's limit, a whole number from ${concurrentExecutionsDefault}, such as 1000`,
  },
  costAnomalyDollars: dollars,
  monthlyBudgetDollars: dollars,
  dashboard: onOrOff,
  readTrail: onOrOff,
  renders: onOrOff,
  tracing: onOrOff,
  keepVersions: wholeNumber(1, limits.versionsPerDropMax, "of versions "),
  keepWarm: {
    allows: (value) => typeof value === "boolean" || isWhole(1, 60)(value),
    instead: "write true, false or a whole number of minutes from 1 to 60",
  },
  pageBytesMax: {
    allows: isWhole(limits.htmlBytesMax),
    instead: `write a whole number of bytes from ${limits.htmlBytesMax}, such as ${limits.pageBytesPerAccountMax}`,
  },
  renderConcurrency: wholeNumber(1, renderConcurrencyMax),
  requestsPerDayMax: wholeNumber(1_000, 1_000_000_000, "of requests "),
  readerSessionHours: wholeNumber(1, readerSessionHoursMax, "of hours "),
  secretScan: {
    allows: (value) => secretScanModes.some((mode) => mode === value),
    instead: 'write "off", "warn" or "refuse"',
  },
  // RFC 9116, section 2.5.3. It is in the environment of many functions.
  securityContact: {
    allows: matches(/^(?=.{1,200}$)(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/),
    instead:
      'write such as "mailto:security@example.com" or "https://example.com/security", in 200 characters at most',
  },
  tokenDaysMax: days,
  tokensPerAccountMax: wholeNumber(1, limits.tokensPerAccountMax),
  defaultExpiryDays: days,
  maxExpiryDays: days,
  trashDays: wholeNumber(0, trashDaysMax, "of days "),
  defaultVisibility: visibility,
  mostOpenVisibility: visibility,
  visitorConcurrencyMax: { allows: isWhole(1), instead: "write a whole number above 0, such as 300" },
};

/** Problems with the settings of operations: a line for each. */
export function operatingProblems(settings: Settings): string[] {
  const simple = (Object.keys(rules) as (keyof typeof rules)[]).flatMap((name) => {
    const [value, rule] = [settings[name], rules[name]];
    if (value === undefined || rule === undefined || rule.allows(value)) return [];
    return [`${name} is ${quote(value)}: ${rule.instead}`];
  });
  return [
    ...simple,
    ...originSecretsProblems(settings),
    ...openVisibilityProblems(settings),
    ...expiryProblems(settings),
    ...wafProblems(settings),
  ];
}

/** CloudFormation resolves each accepted secret twice, of the 60 references that a template may have. */
const acceptedSecretsMax = 4;

function originSecretsProblems({ originSecrets }: Settings): string[] {
  if (originSecrets === undefined) return [];
  const { sent, accepted } = originSecrets;
  const instead = "write such as { sent: 1, accepted: [1, 2] }; docs/runbook.md says when";
  const isNumbers =
    Array.isArray(accepted) && [sent, ...accepted].every((one) => Number.isInteger(one) && one >= 1);
  if (!isNumbers) return [`originSecrets is ${quote(originSecrets)}: ${instead}`];
  const isUsable = accepted.includes(sent) && new Set(accepted).size === accepted.length;
  return problemsOf(
    !isUsable &&
      `originSecrets is ${quote(originSecrets)}: accepted must hold sent, and each number once; ${instead}`,
    accepted.length > acceptedSecretsMax &&
      `originSecrets.accepted has ${accepted.length} numbers: write at most ${acceptedSecretsMax}; a rotation needs two`,
  );
}

function openVisibilityProblems(settings: Settings): string[] {
  const { mostOpenVisibility: most = "public", defaultVisibility: usual = most } = settings;
  if (!visibility.allows(most) || !visibility.allows(usual)) return [];
  if (visibilityKinds.indexOf(usual) >= visibilityKinds.indexOf(most)) return [];
  return [
    `defaultVisibility is ${quote(usual)}, which is more open than mostOpenVisibility, ${quote(most)}: leave it out, or write a more restricted one`,
  ];
}

function expiryProblems({ defaultExpiryDays, maxExpiryDays }: Settings): string[] {
  if (!days.allows(defaultExpiryDays) || !days.allows(maxExpiryDays)) return [];
  if (Number(defaultExpiryDays) <= Number(maxExpiryDays)) return [];
  return [
    `defaultExpiryDays is ${defaultExpiryDays}, which is more than maxExpiryDays, ${maxExpiryDays}: write ${maxExpiryDays} or less`,
  ];
}

/** AWS WAF API reference, "RateBasedStatement". */
function wafProblems({ waf }: Settings): string[] {
  if (waf === undefined || typeof waf === "boolean") return [];
  const instead = [
    `waf is ${quote(waf)}: write true, false or such as { requestsPer5MinutesPerAddress: 3000 }, from 10 to 2000000000`,
  ];
  if (typeof waf !== "object" || waf === null) return instead;
  const unknown = unknownNameProblems(waf, ["requestsPer5MinutesPerAddress"], "waf");
  return isWhole(10, 2_000_000_000)(waf.requestsPer5MinutesPerAddress) ? unknown : [...unknown, ...instead];
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => pattern.test(String(value));
}

function isWhole(min: number, max = Number.MAX_SAFE_INTEGER): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

function wholeNumber(min: number, max: number, unit = ""): Rule {
  return { allows: isWhole(min, max), instead: `write a whole number ${unit}from ${min} to ${max}` };
}
