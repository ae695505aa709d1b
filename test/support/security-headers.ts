import { expect } from "vitest";
import { baseUrl, type ReceivedResponse } from "./http.ts";

/** The directives of the response's Content-Security-Policy, by name. */
export function contentSecurityPolicyOf(response: ReceivedResponse): Record<string, string> {
  const policy = response.headers["content-security-policy"] ?? "";
  const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
  return Object.fromEntries(directives.map(([name = "", ...values]) => [name, values.join(" ")]));
}

/** Checks the headers that every response has. */
export function expectCommonHeaders(response: ReceivedResponse): void {
  expect(response.headers["x-content-type-options"]).toBe("nosniff");
  // RFC 6797, section 7.2: never over plain HTTP.
  const transport = baseUrl().startsWith("https:") ? "max-age=63072000; includeSubDomains" : undefined;
  expect(response.headers["strict-transport-security"]).toBe(transport);
}

/** A page runs only the scripts that its policy allows by nonce, and they cannot send requests. */
export function expectOwnScripts(response: ReceivedResponse): void {
  const policy = contentSecurityPolicyOf(response);
  const scripts = response.text.match(/<script[^>]*>/g) ?? [];
  const nonce = /^'nonce-([^']+)'$/.exec(policy["script-src"] ?? "")?.[1];
  expect(scripts.filter((script) => script !== `<script nonce="${nonce}">`)).toEqual([]);
  expect(policy).toMatchObject({ "default-src": "'none'" });
  expect(policy).not.toHaveProperty("connect-src");
}

/** Checks the headers that every JSON response has, both for success and errors. */
export function expectJsonHeaders(response: ReceivedResponse): void {
  expectCommonHeaders(response);
  expect(response.headers["content-type"]).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
  expect(contentSecurityPolicyOf(response)).toEqual({ "default-src": "'none'", "frame-ancestors": "'none'" });
  expect(response.headers["cross-origin-resource-policy"]).toBe("same-origin");
  expect(response.headers["cache-control"]).toContain("no-store");
}
