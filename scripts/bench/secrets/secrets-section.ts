import { scanForSecrets } from "../../../functions/secrets/secret-scan.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { collectOrdinaryPages } from "./ordinary-pages.ts";
import { plantSecrets } from "./planted-secrets.ts";
import { hostileInputs, measureProcessorMs, ordinaryInputs, repeatTo, scanSizes } from "./scan-inputs.ts";

const runsPerText = 5;

/** Measures the scan for secrets: what it finds, what it takes for a secret, and its time. Other programs hardly change the figures. */
export const secretsSection: Section = {
  name: "secrets",
  minutes: 2,
  async measure() {
    const data = [measureRecall(), measureFalseAlarms(), ...scanSizes.map(measureTime), measureHostile()];
    return {
      table: {
        columns: ":measure | result | goal",
        rows: data.map(({ measure, result, goal }) => [measure, result, goal]),
      },
      data,
    };
  },
};

function hasSecret({ text }: { readonly text: string }): boolean {
  return scanForSecrets(text).found.length > 0;
}

function measureRecall() {
  const planted = plantSecrets(1);
  const missed = planted.filter((one) => !hasSecret(one));
  const percent = (100 * (1 - missed.length / planted.length)).toFixed(1);
  return {
    measure: "planted secrets found",
    result: `${percent} % of ${planted.length}`,
    goal: "95 %",
    missed: missed.map(({ name }) => name),
  };
}

function measureFalseAlarms() {
  const pages = collectOrdinaryPages();
  const alarms = pages.filter(hasSecret);
  return {
    measure: "ordinary pages with an alarm",
    result: `${alarms.length} of ${pages.length}`,
    goal: "1 in 200",
    pages: alarms.map(({ name }) => name),
  };
}

/** The slowest of the ordinary texts, by the median of its runs. */
function measureTime({ bytes, msMax }: (typeof scanSizes)[number]) {
  const medians = [...ordinaryInputs()].map(([name, unit]) => ({
    name,
    ms: medianMs(repeatTo(bytes, unit)),
  }));
  const slowest = medians.reduce((one, other) => (other.ms > one.ms ? other : one));
  return {
    measure: `processor for ${bytes} bytes`,
    result: `${slowest.ms.toFixed(1)} ms`,
    goal: `${msMax} ms`,
    slowest: slowest.name,
  };
}

function measureHostile() {
  const bytes = 2 * 1024 * 1024;
  const measured = [...hostileInputs].map(([name, unit]) => ({ name, ms: medianMs(repeatTo(bytes, unit)) }));
  const slowest = measured.reduce((one, other) => (other.ms > one.ms ? other : one));
  return {
    measure: `processor for ${bytes} hostile bytes`,
    result: `${slowest.ms.toFixed(1)} ms`,
    goal: "250 ms",
    slowest: slowest.name,
  };
}

function medianMs(text: string): number {
  return median(Array.from({ length: runsPerText }, () => measureProcessorMs(() => scanForSecrets(text))));
}
