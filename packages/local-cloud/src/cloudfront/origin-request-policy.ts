import type { Template } from "../template.ts";
import {
  findPolicy,
  lowerCased,
  parseSelections,
  type Selection,
  type SelectionsConfig,
  selectAll,
  selectAllExcept,
  selectNone,
  selectOnly,
} from "./selection.ts";

/** Parts of a viewer's request that are sent to the origin, in addition to the parts in the cache key. */
export interface OriginRequestPolicy {
  /** Headers of the viewer, with lower-case names. */
  readonly headers: Selection;
  /** Headers that CloudFront adds, such as `cloudfront-viewer-address`. */
  readonly cloudFrontHeaders: Selection;
  readonly cookies: Selection;
  readonly query: Selection;
}

/** Sends nothing besides the parts in the cache key and the headers that CloudFront always sends. */
export const noOriginRequestPolicy: OriginRequestPolicy = {
  headers: selectNone,
  cloudFrontHeaders: selectNone,
  cookies: selectNone,
  query: selectNone,
};

const allViewer: OriginRequestPolicy = {
  headers: selectAll,
  cloudFrontHeaders: selectNone,
  cookies: selectAll,
  query: selectAll,
};

const crossOrigin = ["origin", "access-control-request-method", "access-control-request-headers"];

/** AWS's managed policies by id; see "Use managed origin request policies", CloudFront developer guide. */
const managed: Readonly<Record<string, OriginRequestPolicy>> = {
  "216adef6-5c7f-47e4-b989-5492eafa07d3": allViewer,
  "b689b0a8-53d0-40ab-baf2-68738e2966ac": { ...allViewer, headers: selectAllExcept("host") },
  "33f36d7e-f396-46d9-90e0-52428a34d9dc": { ...allViewer, cloudFrontHeaders: selectAll },
  "88a5eaf4-2fd4-4709-b370-b4c650ea3fcf": { ...noOriginRequestPolicy, headers: selectOnly(...crossOrigin) },
  "59781a5b-3903-41f3-afcb-af62929ccde1": { ...noOriginRequestPolicy, headers: selectOnly("origin") },
  "acba4595-bd28-49b8-b9fe-13317c0390fa": {
    ...noOriginRequestPolicy,
    headers: selectOnly("user-agent", "referer"),
  },
};

/** Finds the origin request policy with this id, in the template or among AWS's managed policies. Throws for an unknown id. */
export function findOriginRequestPolicy(template: Template, id: string): OriginRequestPolicy {
  return findPolicy(template, "OriginRequestPolicy", id, managed, parsePolicy);
}

function parsePolicy(value: unknown): OriginRequestPolicy {
  const config = value as SelectionsConfig;
  const { HeaderBehavior: behavior, Headers } = config.HeadersConfig;
  const named = selectOnly(...lowerCased(Headers));
  if (behavior === "allViewer" || behavior === "allViewerAndWhitelistCloudFront") {
    const all = parseSelections({ ...config, HeadersConfig: { HeaderBehavior: "all" } });
    return { ...all, cloudFrontHeaders: behavior === "allViewer" ? selectNone : named };
  }
  return { ...parseSelections(config), cloudFrontHeaders: behavior === "whitelist" ? named : selectNone };
}
