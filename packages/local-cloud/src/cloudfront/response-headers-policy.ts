import { type HeaderFields, headerValue, withHeader, withoutHeaders } from "../http-message.ts";
import type { Template } from "../template.ts";
import { findPolicy } from "./selection.ts";

/** Headers that CloudFront sets on, or removes from, every response of a behavior. */
export interface ResponseHeadersPolicy {
  readonly set: readonly PolicyHeader[];
  readonly remove: readonly string[];
}

interface PolicyHeader {
  readonly name: string;
  readonly value: string;
  /** True if the policy overrides the origin's header. */
  readonly override: boolean;
}

/** AWS's managed policy SecurityHeadersPolicy, by id; see "Use managed response headers policies", CloudFront developer guide. */
const managed: Readonly<Record<string, ResponseHeadersPolicy>> = {
  "67f7725c-6f97-4210-82d7-5512b31e9d03": {
    set: [
      { name: "Referrer-Policy", value: "strict-origin-when-cross-origin", override: false },
      { name: "Strict-Transport-Security", value: "max-age=31536000", override: false },
      { name: "X-Content-Type-Options", value: "nosniff", override: true },
      { name: "X-Frame-Options", value: "SAMEORIGIN", override: false },
      { name: "X-XSS-Protection", value: "1; mode=block", override: false },
    ],
    remove: [],
  },
};

/** Finds the response headers policy with this id, in the template or among AWS's managed policies. Throws for an unknown id. */
export function findResponseHeadersPolicy(template: Template, id: string): ResponseHeadersPolicy {
  return findPolicy(template, "ResponseHeadersPolicy", id, managed, parsePolicy);
}

/** Applies a policy. `Strict-Transport-Security` is omitted if viewers may use plain HTTP (RFC 6797, section 7.2). */
export function applyResponseHeadersPolicy(
  policy: ResponseHeadersPolicy,
  headers: HeaderFields,
  { isHttps }: { readonly isHttps: boolean },
): HeaderFields {
  let result = withoutHeaders(headers, policy.remove);
  for (const { name, value, override } of policy.set) {
    if (name === "Strict-Transport-Security" && !isHttps) continue;
    if (override || headerValue(result, name) === undefined) result = withHeader(result, name, value);
  }
  return result;
}

type Config = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function parsePolicy(value: unknown): ResponseHeadersPolicy {
  const { SecurityHeadersConfig, CustomHeadersConfig, RemoveHeadersConfig, CorsConfig } = value as Config;
  if (CorsConfig !== undefined)
    throw new Error("The local cloud does not emulate CorsConfig of a response headers policy");
  const custom = (CustomHeadersConfig?.Items ?? []) as { Header: string; Value: string; Override: boolean }[];
  const removed = (RemoveHeadersConfig?.Items ?? []) as { Header: string }[];
  return {
    set: [
      ...securityHeaders((SecurityHeadersConfig ?? {}) as Config),
      ...custom.map(({ Header, Value, Override }) => ({ name: Header, value: Value, override: Override })),
    ],
    remove: removed.map(({ Header }) => Header),
  };
}

function securityHeaders(config: Config): PolicyHeader[] {
  const texts: Record<string, (settings: NonNullable<Config[string]>) => [name: string, value: string]> = {
    ContentSecurityPolicy: (settings) => ["Content-Security-Policy", String(settings.ContentSecurityPolicy)],
    ContentTypeOptions: () => ["X-Content-Type-Options", "nosniff"],
    FrameOptions: (settings) => ["X-Frame-Options", String(settings.FrameOption)],
    ReferrerPolicy: (settings) => ["Referrer-Policy", String(settings.ReferrerPolicy)],
    StrictTransportSecurity: (settings) => [
      "Strict-Transport-Security",
      [
        `max-age=${settings.AccessControlMaxAgeSec}`,
        ...(settings.IncludeSubdomains === true ? ["includeSubDomains"] : []),
        ...(settings.Preload === true ? ["preload"] : []),
      ].join("; "),
    ],
    XSSProtection: (settings) => ["X-XSS-Protection", settings.Protection === true ? "1" : "0"],
  };
  return Object.entries(config).flatMap(([key, settings]) => {
    const text = texts[key];
    if (text === undefined || settings === undefined) return [];
    const [name, value] = text(settings);
    return [{ name, value, override: settings.Override === true }];
  });
}
