import { embeddedMetric, writeLog } from "../core/log.ts";
import { indexAgeMetric } from "./search-document.ts";

/** Age from which a change counts as late. Usually changes are indexed within seconds, and the metric costs nothing then. */
const lateMs = 60_000;

/** Publishes the age of the oldest change that an attempt is to index, whether it then succeeds or not. */
export function tellLateIndex(oldestAtMs: number, nowMs: number): void {
  const ageMs = nowMs - oldestAtMs;
  if (ageMs < lateMs) return;
  const FunctionName = process.env.AWS_LAMBDA_FUNCTION_NAME ?? "local";
  const value = {
    value: Math.round(ageMs / 1000),
    unit: "Seconds",
    dimensions: { FunctionName },
    nowMs,
  } as const;
  writeLog({ level: "warn", event: "search-late", ...embeddedMetric(indexAgeMetric, value) });
}
