import type { PlacedOperation, ReferenceDocument } from "./reference-document.ts";

const shownBytesMax = 300;

/** Writes a curl command for an operation, with values from the document's examples. */
export function curlExample(document: ReferenceDocument, operation: PlacedOperation): string {
  const { method, security, requestBody } = operation;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const sent = type === undefined ? [] : [`-H 'Content-Type: ${type}'`, bodyOf(type, media?.example)];
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${addressOf(document, operation)}'`,
    ...(security === undefined ? ["-H 'Authorization: Bearer hb_…'"] : []),
    ...sent,
  ];
  return parts.join(" \\\n  ");
}

function addressOf(document: ReferenceDocument, operation: PlacedOperation): string {
  const { parameters = [], path } = operation;
  const [{ url, variables = {} } = { url: "" }] = operation.servers ?? document.servers;
  const server = Object.entries(variables).reduce(
    (filled, [name, variable]) => filled.replace(`{${name}}`, variable.default),
    url,
  );
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((at, { name, example }) => at.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .flatMap(({ name, example }) =>
      typeof example === "object" && example !== null ? Object.entries(example) : [[name, example]],
    )
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  return server + filled + (query === "" ? "" : `?${query}`);
}

function bodyOf(type: string, example: unknown): string {
  if (type === "application/x-www-form-urlencoded")
    return `-d '${new URLSearchParams(Object.entries((example ?? {}) as Record<string, string>))}'`;
  if (type !== "application/json") return `--data-binary @${type === "text/html" ? "page.html" : "file"}`;
  return `-d '${JSON.stringify(shortened(example)).replaceAll("'", "'\\''")}'`;
}

/** Shortens long strings in an example, because a whole page would make a curl command hard to read. */
function shortened(example: unknown): unknown {
  if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === "string" && value.length > shownBytesMax ? "<!doctype html>…" : value,
    ]),
  );
}
