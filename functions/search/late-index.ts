import { writeLog } from "../http/log.ts";
import { indexAgeMetric } from "./search-document.ts";

/** Age from which a change counts as late. Usually changes are indexed within seconds, and the metric costs nothing then. */
const lateMs = 60_000;

/**
 * Tells the age of the oldest change that an attempt is to index, whether it then succeeds or not. CloudWatch reads the metric from the log:
 * Amazon CloudWatch user guide, "Specification: Embedded metric format".
 */
export function tellLateIndex(oldestAtMs: number, nowMs: number): void {
  const ageMs = nowMs - oldestAtMs;
  if (ageMs < lateMs) return;
  const { namespace: Namespace, metricName: Name } = indexAgeMetric;
  writeLog({
    level: "warn",
    event: "search-late",
    FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? "local",
    [Name]: Math.round(ageMs / 1000),
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [
        { Namespace, Dimensions: [["FunctionName"]], Metrics: [{ Name, Unit: "Seconds" }] },
      ],
    },
  });
}
