import { expect } from "vitest";
import { type Answer, baseUrl } from "./http.ts";

/** The directives of the answer's Content-Security-Policy, by name. */
export function contentSecurityPolicyOf(answer: Answer): Record<string, string> {
  const policy = answer.headers["content-security-policy"] ?? "";
  const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
  return Object.fromEntries(directives.map(([name = "", ...values]) => [name, values.join(" ")]));
}

/** What every answer carries, whoever made it. */
export function expectCommonHeaders(answer: Answer): void {
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  // RFC 6797, section 7.2: never over plain HTTP.
  const transport = baseUrl().startsWith("https:") ? "max-age=63072000; includeSubDomains" : undefined;
  expect(answer.headers["strict-transport-security"]).toBe(transport);
}

/** What every JSON answer carries, whether it grants or refuses. */
export function expectJsonHeaders(answer: Answer): void {
  expectCommonHeaders(answer);
  expect(answer.headers["content-type"]).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
  expect(contentSecurityPolicyOf(answer)).toEqual({ "default-src": "'none'", "frame-ancestors": "'none'" });
  expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin");
  expect(answer.headers["cache-control"]).toContain("no-store");
}
