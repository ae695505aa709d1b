import type { Settings } from "../settings.ts";
import { quote, unknownNameProblems } from "./setting-problems.ts";

/** Requests a second that Lambda lets an operator choose; Lambda Web API reference, "ThrottleConfig". 0 would refuse every body. */
const rates: readonly unknown[] = [...steps(100, 1_000), ...steps(1_000, 10_000)];

/** Problems with the server for large bodies: a line for each. */
export function ingestProblems({ ingest }: Settings): string[] {
  if (ingest === undefined || ingest === "webfunction" || ingest === "none") return [];
  const gone = (ingest as unknown) === "fargate" ? ", which is gone" : "";
  const instead = [
    `ingest is ${quote(ingest)}${gone}: write "webfunction", "none" or such as { requestsPerSecondMax: 200 }`,
  ];
  if (typeof ingest !== "object" || ingest === null) return instead;
  const { requestsPerSecondMax: rate } = ingest;
  if (rate === undefined) return instead;
  const unknown = unknownNameProblems(ingest, ["requestsPerSecondMax"], "ingest");
  if (rates.includes(rate)) return unknown;
  return [
    ...unknown,
    `ingest.requestsPerSecondMax is ${quote(rate)}: write 100 to 1000 in steps of 100, or 2000 to 10000 in steps of 1000, which are the rates that AWS Lambda has`,
  ];
}

function steps(step: number, max: number): number[] {
  return Array.from({ length: max / step }, (_, index) => (index + 1) * step);
}
