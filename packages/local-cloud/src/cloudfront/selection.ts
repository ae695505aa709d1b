import { findResource, type Template } from "../template.ts";

/** Headers, cookies or query parameters that a policy selects. */
export interface Selection {
  readonly mode: "none" | "whitelist" | "all" | "allExcept";
  readonly names: ReadonlySet<string>;
}

/** Selects nothing. */
export const selectNone: Selection = { mode: "none", names: new Set() };

/** Selects everything. */
export const selectAll: Selection = { mode: "all", names: new Set() };

/** Selects the given names. */
export function selectOnly(...names: string[]): Selection {
  return { mode: "whitelist", names: new Set(names) };
}

/** Selects everything except the given names. */
export function selectAllExcept(...names: string[]): Selection {
  return { mode: "allExcept", names: new Set(names) };
}

/** Returns true if the selection includes this name. Pass header names in lower case. */
export function isSelected(selection: Selection, name: string): boolean {
  if (selection.mode === "none") return false;
  if (selection.mode === "all") return true;
  return selection.names.has(name) === (selection.mode === "whitelist");
}

/** Returns the `name=value` pairs of a query string or cookie header that any of the selections includes. */
export function selectPairs(pairs: readonly string[], selections: readonly Selection[]): string[] {
  return pairs.filter((pair) => {
    const name = pair.split("=", 1)[0] ?? "";
    return selections.some((selection) => isSelected(selection, name));
  });
}

/** Splits a raw query string into pairs. */
export function queryPairs(query: string | undefined): string[] {
  return (query ?? "").split("&").filter((pair) => pair !== "");
}

/** Splits a `Cookie` header into pairs. */
export function cookiePairs(cookie: string | undefined): string[] {
  return (cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
}

/** The parts of a request that cache policies and origin request policies select. */
export interface SelectionsConfig {
  readonly HeadersConfig: { readonly HeaderBehavior: string; readonly Headers?: readonly string[] };
  readonly CookiesConfig: { readonly CookieBehavior: string; readonly Cookies?: readonly string[] };
  readonly QueryStringsConfig: {
    readonly QueryStringBehavior: string;
    readonly QueryStrings?: readonly string[];
  };
}

/** Finds the policy with this id in the template, or among AWS's managed policies. Throws an Error for an unknown id. */
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
  throw new Error(
    `The local cloud has no ${words} ${id}: it is neither in the template nor an emulated managed policy`,
  );
}

/** Reads the selected headers, cookies and query parameters. Header names are in lower case. */
export function parseSelections(config: SelectionsConfig) {
  const { HeadersConfig, CookiesConfig, QueryStringsConfig } = config;
  return {
    headers: parseSelection(HeadersConfig.HeaderBehavior, lowerCased(HeadersConfig.Headers)),
    cookies: parseSelection(CookiesConfig.CookieBehavior, CookiesConfig.Cookies),
    query: parseSelection(QueryStringsConfig.QueryStringBehavior, QueryStringsConfig.QueryStrings),
  };
}

/** Reads a selection. Cache policies and origin request policies use the same behavior names. */
function parseSelection(behavior: string, names: readonly string[] = []): Selection {
  if (behavior !== "none" && behavior !== "whitelist" && behavior !== "all" && behavior !== "allExcept") {
    throw new Error(`Expected none, whitelist, all or allExcept in a CloudFront policy, not ${behavior}`);
  }
  return { mode: behavior, names: new Set(names) };
}

/** Returns header names in lower case, as selections need them. */
export function lowerCased(names: readonly string[] = []): string[] {
  return names.map((name) => name.toLowerCase());
}
