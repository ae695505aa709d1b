import * as z from "zod/mini";
import { Problem } from "../problem.ts";

/** Bytes of a body that are read. A folder as an archive has 25 MiB and what it is wrapped in. */
export const bodyBytesMax = 67_108_864;

/** Levels of JSON that are read. Responses have fewer than ten; what writes them again calls itself for each. */
const levelsMax = 100;

/**
 * Reads a body up to a bound: its length may be wrong, and it may have no end.
 *
 * @throws Problem beyond the bound
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, url: string): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > bodyBytesMax)
      throw new Problem(`${new URL(url).host} sent more than ${bodyBytesMax} bytes. Nothing was used of it.`);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/**
 * Parses the JSON of a response. The value is returned as it came: fields that the schema does not name stay.
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

/** Problem of a response that is something else, such as the page of a proxy or of a network that asks to sign in. */
export class NoJson extends Problem {}

/**
 * Checks a value against a schema that transforms nothing.
 *
 * @throws the error that is made of the first fault
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
  return `${what} ${message === "Invalid input" ? "has another value than it can have" : message}`;
}

/** Walks without calling itself. */
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
