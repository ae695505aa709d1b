import type { Template } from "../template.ts";
import {
  findPolicy,
  parseSelections,
  type Selection,
  type SelectionsConfig,
  selectAll,
  selectNone,
  selectOnly,
} from "./selection.ts";

/** TTLs of responses, and the parts of a request that form the cache key. */
export interface CachePolicy {
  readonly minTtlSeconds: number;
  readonly defaultTtlSeconds: number;
  readonly maxTtlSeconds: number;
  /** Headers, with lower-case names. */
  readonly headers: Selection;
  readonly cookies: Selection;
  readonly query: Selection;
  readonly acceptsGzip: boolean;
  readonly acceptsBrotli: boolean;
}

const daySeconds = 86_400;
const yearSeconds = 31_536_000;

const disabled: CachePolicy = {
  minTtlSeconds: 0,
  defaultTtlSeconds: 0,
  maxTtlSeconds: 0,
  headers: selectNone,
  cookies: selectNone,
  query: selectNone,
  acceptsGzip: false,
  acceptsBrotli: false,
};

const optimized: CachePolicy = {
  ...disabled,
  minTtlSeconds: 1,
  defaultTtlSeconds: daySeconds,
  maxTtlSeconds: yearSeconds,
  acceptsGzip: true,
  acceptsBrotli: true,
};

const useOriginCacheControl: CachePolicy = {
  ...optimized,
  minTtlSeconds: 0,
  defaultTtlSeconds: 0,
  headers: selectOnly("host", "origin", "x-http-method-override", "x-http-method", "x-method-override"),
  cookies: selectAll,
};

/** AWS's managed policies by id; see "Use managed cache policies", CloudFront developer guide. */
const managed: Readonly<Record<string, CachePolicy>> = {
  "4135ea2d-6df8-44a3-9df3-4b5a84be39ad": disabled,
  "658327ea-f89d-4fab-a63d-7e88639e58f6": optimized,
  "b2884449-e4de-46a7-ac36-70bc7f1ddd6d": { ...optimized, acceptsGzip: false, acceptsBrotli: false },
  "83da9c7e-98b4-4e11-a168-04f0df8e2c65": useOriginCacheControl,
  "4cc15a8a-d715-48a4-82b8-cc0b614638fe": { ...useOriginCacheControl, query: selectAll },
};

/** Finds the cache policy with this id, in the template or among AWS's managed policies. Throws for an unknown id. */
export function findCachePolicy(template: Template, id: string): CachePolicy {
  return findPolicy(template, "CachePolicy", id, managed, parseCachePolicy);
}

interface CachePolicyConfig {
  readonly MinTTL: number;
  readonly DefaultTTL: number;
  readonly MaxTTL: number;
  readonly ParametersInCacheKeyAndForwardedToOrigin: SelectionsConfig & {
    readonly EnableAcceptEncodingGzip?: boolean;
    readonly EnableAcceptEncodingBrotli?: boolean;
  };
}

function parseCachePolicy(value: unknown): CachePolicy {
  const config = value as CachePolicyConfig;
  const parameters = config.ParametersInCacheKeyAndForwardedToOrigin;
  return {
    minTtlSeconds: Number(config.MinTTL),
    defaultTtlSeconds: Number(config.DefaultTTL),
    maxTtlSeconds: Number(config.MaxTTL),
    ...parseSelections(parameters),
    acceptsGzip: parameters.EnableAcceptEncodingGzip === true,
    acceptsBrotli: parameters.EnableAcceptEncodingBrotli === true,
  };
}
