import {
  concurrentExecutionsDefault,
  daysMax,
  readerSessionHoursMax,
} from "../../functions/http/environment.ts";
import { limits } from "../../functions/http/limits.ts";
import { visibilityKinds } from "../../functions/identity/visibility.ts";

import { renderConcurrencyMax, type Settings } from "../settings.ts";
import { unknownNameProblems } from "./known-names.ts";

/** Problems with the settings of operations: a line for each. */
export function operatingProblems(settings: Settings): string[] {
  return [
    ...alarmEmailProblems(settings),
    ...daysProblems("auditDays", settings),
    ...backupProblems(settings),
    ...concurrencyProblems(settings),
    ...dollarProblems("costAnomalyDollars", settings),
    ...dollarProblems("monthlyBudgetDollars", settings),
    ...switchProblems("dashboard", settings),
    ...switchProblems("renders", settings),
    ...switchProblems("tracing", settings),
    ...keepWarmProblems(settings),
    ...originSecretsProblems(settings),
    ...pageBytesProblems(settings),
    ...renderConcurrencyProblems(settings),
    ...readerSessionProblems(settings),
    ...securityContactProblems(settings),
    ...daysProblems("tokenDaysMax", settings),
    ...tokensProblems(settings),
    ...visibilityProblems(settings),
    ...visitorConcurrencyProblems(settings),
    ...wafProblems(settings),
  ];
}

function alarmEmailProblems({ alarmEmail }: Settings): string[] {
  if (alarmEmail === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(alarmEmail))) return [];
  return [`alarmEmail is ${quote(alarmEmail)}: write an address such as "operators@example.com"`];
}

function daysProblems(name: "auditDays" | "tokenDaysMax", settings: Settings): string[] {
  const days = settings[name];
  if (days === undefined || (Number.isInteger(days) && days >= 1 && days <= daysMax)) return [];
  return [`${name} is ${quote(days)}: write a whole number of days from 1 to ${daysMax}`];
}

function dollarProblems(name: "costAnomalyDollars" | "monthlyBudgetDollars", settings: Settings): string[] {
  const dollars = settings[name];
  if (dollars === undefined || (Number.isFinite(dollars) && dollars > 0)) return [];
  return [`${name} is ${quote(dollars)}: write a number above 0, such as 20`];
}

function switchProblems(name: "dashboard" | "renders" | "tracing", settings: Settings): string[] {
  const value = settings[name];
  if (value === undefined || typeof value === "boolean") return [];
  return [`${name} is ${quote(value)}: write true or false`];
}

function keepWarmProblems({ keepWarm }: Settings): string[] {
  if (keepWarm === undefined || typeof keepWarm === "boolean") return [];
  if (Number.isInteger(keepWarm) && keepWarm >= 1 && keepWarm <= 60) return [];
  return [`keepWarm is ${quote(keepWarm)}: write true, false or a whole number of minutes from 1 to 60`];
}

function originSecretsProblems({ originSecrets }: Settings): string[] {
  if (originSecrets === undefined) return [];
  const { sent, accepted } = originSecrets;
  const instead = "write such as { sent: 1, accepted: [1, 2] }; docs/runbook.md says when";
  const isNumbers =
    Array.isArray(accepted) && [sent, ...accepted].every((one) => Number.isInteger(one) && one >= 1);
  if (!isNumbers) return [`originSecrets is ${quote(originSecrets)}: ${instead}`];
  if (accepted.includes(sent) && new Set(accepted).size === accepted.length) return [];
  return [
    `originSecrets is ${quote(originSecrets)}: accepted must hold sent, and each number once; ${instead}`,
  ];
}

function pageBytesProblems({ pageBytesMax: most }: Settings): string[] {
  if (most === undefined || (Number.isSafeInteger(most) && most >= limits.htmlBytesMax)) return [];
  return [
    `pageBytesMax is ${quote(most)}: write a whole number of bytes from ${limits.htmlBytesMax}, such as ${limits.pageBytesPerAccountMax}`,
  ];
}

function renderConcurrencyProblems({ renderConcurrency: most }: Settings): string[] {
  const bound = renderConcurrencyMax;
  if (most === undefined || (Number.isInteger(most) && most >= 1 && most <= bound)) return [];
  return [`renderConcurrency is ${quote(most)}: write a whole number from 1 to ${bound}`];
}

function readerSessionProblems({ readerSessionHours: hours }: Settings): string[] {
  const bound = readerSessionHoursMax;
  if (hours === undefined || (Number.isInteger(hours) && hours >= 1 && hours <= bound)) return [];
  return [`readerSessionHours is ${quote(hours)}: write a whole number of hours from 1 to ${bound}`];
}

function tokensProblems({ tokensPerAccountMax: most }: Settings): string[] {
  const bound = limits.tokensPerAccountMax;
  if (most === undefined || (Number.isInteger(most) && most >= 1 && most <= bound)) return [];
  return [`tokensPerAccountMax is ${quote(most)}: write a whole number from 1 to ${bound}`];
}

function visibilityProblems(settings: Settings): string[] {
  const choice = visibilityKinds.map((kind) => `"${kind}"`).join(" or ");
  const unknown = (["defaultVisibility", "mostOpenVisibility"] as const).flatMap((name) => {
    const kind = settings[name];
    if (kind === undefined || visibilityKinds.includes(kind)) return [];
    return [`${name} is ${quote(kind)}: write ${choice}`];
  });
  if (unknown.length > 0) return unknown;
  const { mostOpenVisibility: most = "public", defaultVisibility: usual = most } = settings;
  if (visibilityKinds.indexOf(usual) >= visibilityKinds.indexOf(most)) return [];
  return [
    `defaultVisibility is ${quote(usual)}, which is more open than mostOpenVisibility, ${quote(most)}: leave it out, or write what is no more open`,
  ];
}

/** AWS Backup developer guide, "Copying backups across AWS accounts": a vault is named by its ARN. */
function backupProblems({ backupVaultArn: arn }: Settings): string[] {
  if (
    arn === undefined ||
    /^arn:aws(-[a-z]+)*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/.test(arn)
  )
    return [];
  return [
    `backupVaultArn is ${quote(arn)}: write the ARN of a vault in another account or Region, such as "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf"`,
  ];
}

function concurrencyProblems({ concurrentExecutions: limit }: Settings): string[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= concurrentExecutionsDefault)) return [];
  return [
    `concurrentExecutions is ${quote(limit)}: write the account's limit, a whole number from ${concurrentExecutionsDefault}, such as 1000`,
  ];
}

function visitorConcurrencyProblems({ visitorConcurrencyMax: most }: Settings): string[] {
  if (most === undefined || (Number.isInteger(most) && most >= 1)) return [];
  return [`visitorConcurrencyMax is ${quote(most)}: write a whole number above 0, such as 300`];
}

/** AWS WAF API reference, "RateBasedStatement". */
function wafProblems({ waf }: Settings): string[] {
  if (waf === undefined || typeof waf === "boolean") return [];
  const instead = [
    `waf is ${quote(waf)}: write true, false or such as { requestsPer5MinutesPerAddress: 3000 }, from 10 to 2000000000`,
  ];
  if (typeof waf !== "object" || waf === null) return instead;
  const { requestsPer5MinutesPerAddress: limit } = waf;
  const isUsable = Number.isInteger(limit) && limit >= 10 && limit <= 2_000_000_000;
  const unknown = unknownNameProblems(waf, ["requestsPer5MinutesPerAddress"], "waf");
  return isUsable ? unknown : [...unknown, ...instead];
}

/** RFC 9116, section 2.5.3. */
function securityContactProblems({ securityContact: contact }: Settings): string[] {
  if (contact === undefined || /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/.test(String(contact)))
    return [];
  return [
    `securityContact is ${quote(contact)}: write such as "mailto:security@example.com" or "https://example.com/security"`,
  ];
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
