import type { CallStep } from "./recipes.ts";

/** A step as a command for a shell, with what is to be filled in still in braces. */
export function writeCommand({ method, url, headers, body }: CallStep): string {
  const isFile = body === undefined && "Content-Type" in headers;
  const parts = [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} '${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
    ...(isFile ? ["--data-binary @{filename}"] : []),
  ];
  return parts.join(" \\\n  ");
}
