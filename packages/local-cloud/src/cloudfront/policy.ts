import { findResource, type Template } from "../template.ts";
import type { Selection } from "./selection.ts";

/** The parts of a request that cache policies and origin request policies select. */
export interface SelectionsConfig {
  readonly HeadersConfig: { readonly HeaderBehavior: string; readonly Headers?: readonly string[] };
  readonly CookiesConfig: { readonly CookieBehavior: string; readonly Cookies?: readonly string[] };
  readonly QueryStringsConfig: {
    readonly QueryStringBehavior: string;
    readonly QueryStrings?: readonly string[];
  };
}

/**
 * The policy with this id, from the template or AWS's own.
 *
 * @param managed AWS's own policies, by their ids
 * @param parse reads the configuration of a policy of the template
 * @throws Error for an unknown id
 */
export function findPolicy<Policy>(
  template: Template,
  kind: "CachePolicy" | "OriginRequestPolicy" | "ResponseHeadersPolicy",
  id: string,
  managed: Readonly<Record<string, Policy>>,
  parse: (config: unknown) => Policy,
): Policy {
  const resource = findResource(template, `AWS::CloudFront::${kind}`, id);
  const policy = resource === undefined ? managed[id] : parse(resource.properties[`${kind}Config`]);
  if (policy !== undefined) return policy;
  const words = kind.replace(/\B[A-Z]/g, " $&").toLowerCase();
  throw new Error(`The local cloud knows no ${words} ${id}: it is not in the template, and not emulated`);
}

/** Reads the selected cookies and query parameters. */
export function parseSelections({ CookiesConfig, QueryStringsConfig }: SelectionsConfig) {
  return {
    cookies: parseSelection(CookiesConfig.CookieBehavior, CookiesConfig.Cookies),
    query: parseSelection(QueryStringsConfig.QueryStringBehavior, QueryStringsConfig.QueryStrings),
  };
}

/** Reads the behavior names that cache policies and origin request policies share. */
export function parseSelection(behavior: string, names: readonly string[] = []): Selection {
  if (behavior !== "none" && behavior !== "whitelist" && behavior !== "all" && behavior !== "allExcept") {
    throw new Error(`Expected none, whitelist, all or allExcept in a CloudFront policy, not ${behavior}`);
  }
  return { mode: behavior, names: new Set(names) };
}

/** Header names in the form that selections use. */
export function lowerCased(names: readonly string[] = []): string[] {
  return names.map((name) => name.toLowerCase());
}
