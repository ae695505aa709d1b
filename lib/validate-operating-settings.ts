import type { Settings } from "./settings.ts";

/** What is wrong with the settings of alarms, traces and the rotation of the origin's secret: a line for each. */
export function operatingProblems(settings: Settings): string[] {
  return [
    ...alarmEmailProblems(settings),
    ...costAnomalyProblems(settings),
    ...tracingProblems(settings),
    ...originSecretsProblems(settings),
  ];
}

function alarmEmailProblems({ alarmEmail }: Settings): string[] {
  if (alarmEmail === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(alarmEmail))) return [];
  return [`alarmEmail is ${quote(alarmEmail)}: write an address such as "operators@example.com"`];
}

function costAnomalyProblems({ costAnomalyDollars: dollars }: Settings): string[] {
  if (dollars === undefined || (Number.isFinite(dollars) && dollars > 0)) return [];
  return [`costAnomalyDollars is ${quote(dollars)}: write a number above 0, such as 20`];
}

function tracingProblems({ tracing }: Settings): string[] {
  if (tracing === undefined || typeof tracing === "boolean") return [];
  return [`tracing is ${quote(tracing)}: write true or false`];
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

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
