import { expect, test } from "vitest";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";

test("settings of alarms, traces and secrets are accepted as documented", () => {
  const settings: Settings = {
    alarmEmail: "operators@example.com",
    costAnomalyDollars: 0.5,
    monthlyBudgetDollars: 12.5,
    dashboard: true,
    keepWarm: 10,
    tracing: true,
    originSecrets: { sent: 2, accepted: [1, 2] },
    requestsPerDayMax: 1_000,
  };

  expect(() => validateSettings(settings)).not.toThrow();
});

test.each([
  [
    "an invalid alarm address",
    { alarmEmail: "operators" },
    'alarmEmail is "operators": use an address such as',
  ],
  ["an amount of 0", { costAnomalyDollars: 0 }, "costAnomalyDollars is 0: use a number above 0"],
  ["an amount as text", { costAnomalyDollars: "20" }, 'costAnomalyDollars is "20": use a number'],
  ["a negative budget", { monthlyBudgetDollars: -1 }, "monthlyBudgetDollars is -1: use a number above 0"],
  ["a budget as text", { monthlyBudgetDollars: "50" }, 'monthlyBudgetDollars is "50": use a number'],
  ["a dashboard's name", { dashboard: "Drops" }, 'dashboard is "Drops": use true or false'],
  ["yes instead of true", { tracing: "yes" }, 'tracing is "yes": use true or false'],
  [
    "a word instead of minutes",
    { keepWarm: "often" },
    'keepWarm is "often": use true, false or a whole number',
  ],
  ["a token lifetime of 0 days", { tokenDaysMax: 0 }, "tokenDaysMax is 0: use a whole number of days from 1"],
  [
    "a token lifetime of half a day",
    { tokenDaysMax: 0.5 },
    "tokenDaysMax is 0.5: use a whole number of days from 1 to 3650",
  ],
  ["an interval of 0 minutes", { keepWarm: 0 }, "keepWarm is 0: use a whole number of minutes from 1 to 60"],
  [
    "a limit of 0 requests",
    { requestsPerDayMax: 0 },
    "requestsPerDayMax is 0: use a whole number of requests from 1000 to 1000000000",
  ],
  ["too many requests", { requestsPerDayMax: 1_000_000_001 }, "requestsPerDayMax is 1000000001: use"],
  ["requests as text", { requestsPerDayMax: "5000" }, 'requestsPerDayMax is "5000": use'],
  ["half a request", { requestsPerDayMax: 1_000.5 }, "requestsPerDayMax is 1000.5: use"],
  ["an interval of half a minute", { keepWarm: 0.5 }, "keepWarm is 0.5: use"],
  ["an interval above an hour", { keepWarm: 61 }, "keepWarm is 61: use"],
  [
    "a sent secret that is not accepted",
    { originSecrets: { sent: 2, accepted: [1] } },
    "accepted must hold sent",
  ],
  ["a secret twice", { originSecrets: { sent: 1, accepted: [1, 1] } }, "each number once"],
  [
    "a missing list of secrets",
    { originSecrets: { sent: 1 } },
    "originSecrets.accepted is missing: use a value such as [1, 2]",
  ],
  [
    "five secrets",
    { originSecrets: { sent: 1, accepted: [1, 2, 3, 4, 5] } },
    "originSecrets.accepted has 5 numbers: use at most 4",
  ],
  [
    "a secret 0",
    { originSecrets: { sent: 0, accepted: [0] } },
    "originSecrets.sent is 0: use a whole number from 1",
  ],
])("%s is refused with the right usage", (_, settings, message) => {
  expect(() => validateSettings(settings as Settings)).toThrow(message);
});
