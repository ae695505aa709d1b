import { operationIds, routeOf } from "../../../functions/routes.ts";

/** A request as a line of a log has it. */
interface LoggedRequest {
  readonly method: string;
  readonly address: string;
  readonly status: number;
  readonly code: string;
}

/**
 * Writes the case of a call for one of these tables: what the call sent, and the sentence that mends it, are to be filled in.
 *
 * @param line of the service's log, or the line that `npm start` prints for a request
 * @throws Error for any other line
 */
export function caseFromLogLine(line: string): string {
  const { method, address, status, code } = readJsonLine(line) ?? readPrintedLine(line) ?? unreadable(line);
  const call = JSON.stringify(`${method} ${address}`);
  if (status < 400) return `warned("…", ${call}, { json: {} }, ${status}, /…/),`;
  return `refused("…", ${call}, { json: {} }, [${status}, "${code}"], /…/),`;
}

/** The log has neither addresses nor queries: an operation's path stands for them. */
function readJsonLine(line: string): LoggedRequest | undefined {
  const [json] = /\{.*\}/.exec(line) ?? [];
  if (json === undefined) return undefined;
  const { operation, status, code = "…" } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const id = operationIds.find((one) => one === operation);
  if (id === undefined) return undefined;
  const { method, path } = routeOf(id);
  return { method, address: path, status: Number(status), code: String(code) };
}

function readPrintedLine(line: string): LoggedRequest | undefined {
  const [, method, address, status] = /\b([A-Z]{3,7}) [^/\s]+(\/\S*) (\d{3})\b/.exec(line) ?? [];
  if (method === undefined || address === undefined) return undefined;
  return { method, address, status: Number(status), code: "…" };
}

function unreadable(line: string): never {
  throw new Error(`The line names no request of an operation: ${line.slice(0, 200)}`);
}

if (import.meta.main) process.stdout.write(`${caseFromLogLine(process.argv.slice(2).join(" "))}\n`);
