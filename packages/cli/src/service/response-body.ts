import * as z from "zod/mini";
import { Problem } from "../problem.ts";

/** Maximum size of a response body, in bytes. A folder's archive has up to 25 MiB, and its encoding adds to the size. */
export const bodyBytesMax = 67_108_864;

/** Maximum nesting depth of JSON. The depth is limited, because serializing is recursive. Responses have fewer than ten levels. */
const levelsMax = 100;

/**
 * Reads a body up to a limit, because the stated length may be wrong and the body may be endless.
 *
 * @throws Problem beyond the limit
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, url: string): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > bodyBytesMax)
      throw new Problem(
        `${new URL(url).host} sent more than ${bodyBytesMax} bytes. The response was discarded.`,
      );
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/**
 * Parses the JSON of a response. Returns the value unchanged, including fields that are not in the schema.
 *
 * @param from method and path of the request, such as "GET /api/drops"
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

/** Error for a response that is not JSON, for example the page of a proxy or of a Wi-Fi network that requires sign-in. */
export class NoJson extends Problem {}

/**
 * Validates a value against a schema that does not transform.
 *
 * @throws the error that `toError` creates from the first fault
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

/** Parses JSON, with or without a byte order mark. Returns undefined for other content. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function describeMisfit(host: string, from: string, fault: string): string {
  return `${host} sent an unexpected response: ${fault} (${from}). Check that this is the address of a Dropleaf service, and update dropleaf.`;
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

/** Returns true if a value exceeds the nesting limit. Works without recursion. */
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
