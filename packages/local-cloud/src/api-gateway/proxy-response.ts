import { type HeaderFields, type HttpResponse, headerValue } from "../http-message.ts";
import { matchesMediaType } from "./proxy-event.ts";

type ProxyResult = Readonly<Record<string, unknown>>;

const knownFields = new Set(["statusCode", "headers", "multiValueHeaders", "body", "isBase64Encoded"]);

/** Headers that API Gateway renames in responses; see "Amazon API Gateway important notes", API Gateway developer guide. */
const remappedHeaders =
  /^(authorization|connection|content-length|content-md5|date|expect|host|max-forwards|proxy-authenticate|server|trailer|upgrade|user-agent|www-authenticate)$/i;

/**
 * Converts the result of a Lambda proxy integration to an HTTP response. Returns undefined for a result that API Gateway calls malformed;
 * see "Output format of a Lambda function for proxy integration", API Gateway developer guide.
 */
export function fromProxyResult(
  payload: string,
  binaryMediaTypes: readonly string[],
  requestHeaders: HeaderFields,
): HttpResponse | undefined {
  const result = JSON.parse(payload) as ProxyResult | null;
  if (typeof result !== "object" || result === null || Array.isArray(result)) return undefined;
  if (Object.keys(result).some((field) => !knownFields.has(field))) return undefined;
  const statusCode = Number(result.statusCode ?? 200);
  const headers = responseHeaders(result);
  const body = result.body ?? "";
  if (!Number.isInteger(statusCode) || statusCode < 100 || statusCode > 599) return undefined;
  if (headers === undefined || typeof body !== "string") return undefined;
  // A base64 body stays encoded if no binary media type matches.
  const isDecoded =
    result.isBase64Encoded === true &&
    matchesMediaType(binaryMediaTypes, headerValue(requestHeaders, "accept"));
  return { statusCode, headers, body: Buffer.from(body, isDecoded ? "base64" : "utf8") };
}

function responseHeaders(result: ProxyResult): HeaderFields | undefined {
  const single = result.headers ?? {};
  const multiple = result.multiValueHeaders ?? {};
  if (typeof single !== "object" || typeof multiple !== "object" || Array.isArray(single)) return undefined;
  const repeated = new Set(Object.keys(multiple).map((name) => name.toLowerCase()));
  const fields: [string, string][] = [];
  for (const [name, value] of Object.entries(single)) {
    if (!["string", "boolean", "number"].includes(typeof value)) return undefined;
    if (!repeated.has(name.toLowerCase())) fields.push([name, String(value)]);
  }
  for (const [name, values] of Object.entries(multiple)) {
    if (!Array.isArray(values)) return undefined;
    for (const value of values) fields.push([name, String(value)]);
  }
  const outgoing = fields
    .filter(([name]) => name.toLowerCase() !== "transfer-encoding")
    .map(([name, value]): [string, string] => [name.replace(remappedHeaders, "x-amzn-Remapped-$&"), value]);
  if (headerValue(outgoing, "content-type") === undefined)
    outgoing.push(["Content-Type", "application/json"]);
  return outgoing;
}
