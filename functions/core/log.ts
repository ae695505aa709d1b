import { faultEnvironmentNames, findEnvironment, slowResponsesMetric } from "./environment.ts";

/** A log entry. Contains only names and numbers, never the contents of items, bodies or messages. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly [field: string]: unknown;
}

/** Writes a log entry as one line of JSON. */
export function writeLog(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

/**
 * Logs an error's kind and stack frames, and the build, so that `npm run operator -- explain` can find the source of the frames. Messages
 * may quote data, so only `npm start`, on a developer's own machine, logs the messages of the error and its causes.
 */
export function writeFault(entry: LogEntry, error: unknown): void {
  const isWhole = findEnvironment(faultEnvironmentNames.withMessages) === "1";
  const message = isWhole ? messagesOf(error).join(": ") : undefined;
  const build = findEnvironment(faultEnvironmentNames.build);
  writeLog({ ...entry, ...redactError(error), message, build });
}

/** Ids for the log entry of a write or sign-in, such as the ids of the drop and the token. Reads are logged without ids. */
export interface WriteIds {
  readonly ownerId?: string;
  readonly tokenId?: string;
  readonly slug?: string;
  readonly version?: number;
  readonly blobId?: string;
  readonly revokedTokenId?: string;
}

/** Log entry of a request. It never contains bodies, headers, cookies, query strings or addresses. */
interface RequestLogEntry extends WriteIds {
  readonly operation: string;
  readonly requestId: string;
  readonly status: number;
  readonly code?: string;
  readonly durationMs: number;
}

/** Logs a request. */
export function logRequest(entry: RequestLogEntry): void {
  const level = entry.status >= 500 ? "error" : "info";
  writeLog({ level, ...entry, ...sampledTrace(), ...(isSlow(entry) ? slowResponse() : {}) });
}

/** Operations whose slow responses are counted. Long polls are excluded, because they normally take up to 25 seconds. */
const awaitedOperations: readonly string[] = ["view-drop", "read-raw-page", "publish-drop"];

const slowMs = 3_000;

function isSlow({ operation, durationMs }: RequestLogEntry): boolean {
  return durationMs >= slowMs && awaitedOperations.includes(operation);
}

function slowResponse() {
  // Extracts the stack's name, which has no underscore, from the function's name.
  const [Stack = "local"] = (process.env.AWS_LAMBDA_FUNCTION_NAME ?? "local").split("_");
  return embeddedMetric(slowResponsesMetric, {
    value: 1,
    unit: "Count",
    dimensions: { Stack },
    nowMs: Date.now(),
  });
}

interface MetricValue {
  readonly value: number;
  readonly unit: "Count" | "Seconds";
  readonly dimensions: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/**
 * Creates the fields of a log entry from which CloudWatch publishes a metric; see "Specification: Embedded metric format", Amazon
 * CloudWatch user guide.
 */
export function embeddedMetric(
  { namespace, metricName }: { readonly namespace: string; readonly metricName: string },
  { value, unit, dimensions, nowMs }: MetricValue,
) {
  const directive = {
    Namespace: namespace,
    Dimensions: [Object.keys(dimensions)],
    Metrics: [{ Name: metricName, Unit: unit }],
  };
  return { ...dimensions, [metricName]: value, _aws: { Timestamp: nowMs, CloudWatchMetrics: [directive] } };
}

/** Logs a server error's kind and location, but not its message, which may quote data. */
export function logFault(operation: string, requestId: string, error: unknown): void {
  writeFault({ level: "error", operation, requestId, ...sampledTrace() }, error);
}

/** Returns the trace id of the request, if the request is sampled; see "Tracing header", AWS X-Ray. */
function sampledTrace(): { readonly traceId?: string } {
  const [, traceId] = /^Root=([\w-]+);.*\bSampled=1/.exec(process.env._X_AMZN_TRACE_ID ?? "") ?? [];
  return traceId === undefined ? {} : { traceId };
}

const framesMax = 8;

/** Returns an error's kind and innermost stack frames, without its message, which may quote data. */
export function redactError(error: unknown) {
  if (!(error instanceof Error)) return { fault: typeof error, at: [] };
  // Skips the message at the beginning of the stack, because lines of the message may look like stack frames.
  const stack = (error.stack ?? "").replace(error.message, "");
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return { fault: error.name, at: frames.slice(0, framesMax).map((line) => line.trim()) };
}

const causesMax = 5;

function messagesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { message, cause } = error;
  const isMore = cause !== undefined && depth < causesMax;
  return [message, ...(isMore ? messagesOf(cause, depth + 1) : [])];
}
