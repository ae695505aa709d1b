import * as z from "zod/mini";
import { Problem } from "../problem.ts";

/** Limit of a body in bytes. A folder's archive has up to 25 MiB, and its encoding adds to it. */
export const bodyBytesMax = 67_108_864;

/** Limit of nesting in JSON. Responses have fewer than ten levels; serializing them is recursive. */
const levelsMax = 100;

/**
 * Reads a body up to a bound: its stated length may be wrong, and it may be endless.
 *
 * @throws Problem beyond the bound
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, url: string): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > bodyBytesMax)
      throw new Problem(`${new URL(url).host} sent more than ${bodyBytesMax} bytes. It was discarded.`);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/**
 * Parses the JSON of a response. The value is returned unchanged, with fields that the schema does not name.
 *
 * @param from names the call, such as "GET /api/drops"
 * @throws Problem that names the service and the field
 */
export function parseResponse<Schema extends z.ZodMiniType>(
  schema: Schema,
  bytes: Uint8Array,
  host: string,
  from: string,
): z.output<Schema> {
  const value = parseJson(bytes);
  if (value === undefined) throw new NoJson(describeMisfit(host, from, "it is not JSON"));
  return checkValue(schema, value, (fault) => new Problem(describeMisfit(host, from, fault)));
}

/** Problem of a response that is not JSON, such as the page of a proxy or of a network that requires a sign-in. */
export class NoJson extends Problem {}

/**
 * Checks a value against a schema that transforms nothing.
 *
 * @throws the error made from the first fault
 */
export function checkValue<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  toError: (fault: string) => Error,
): z.output<Schema> {
  if (isDeep(value)) throw toError(`it has more than ${levelsMax} levels`);
  const { error } = z.safeParse(schema, value, { reportInput: true });
  if (error !== undefined) throw toError(describeFault(error.issues[0]));
  return value as z.output<Schema>;
}

/** Value of JSON, with or without a byte order mark; undefined for anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function describeMisfit(host: string, from: string, fault: string): string {
  return `${host} sent a response that does not fit: ${fault} (${from}). Check that it is the address of a Dropleaf service, and update dropleaf.`;
}

function describeFault(issue: z.core.$ZodIssue | undefined): string {
  const { path = [], message = "" } = issue ?? {};
  const field = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const what = field === "" ? "the body" : field.slice(0, 200).replace(/^\./, "");
  if (issue?.code === "invalid_type" && issue.input === undefined)
    return path.length === 0 ? "it is not JSON" : `${what} is missing`;
  if (issue?.code === "invalid_type" && message === "Invalid input")
    return `${what} must be of the type ${issue.expected}`;
  return `${what} ${message === "Invalid input" ? "has a value that is not allowed" : message}`;
}

/** Measures nesting without recursion. */
function isDeep(value: unknown): boolean {
  const waiting: [value: unknown, levels: number][] = [[value, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, levels] = next;
    if (levels > levelsMax) return true;
    if (typeof part === "object" && part !== null)
      for (const inner of Object.values(part)) waiting.push([inner, levels + 1]);
  }
  return false;
}
