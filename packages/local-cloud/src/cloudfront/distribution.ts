import { resolveDynamicReferences, type SecretReader } from "../dynamic-references.ts";
import { findResource, type Resource, type Template } from "../template.ts";
import { type CachePolicy, findCachePolicy } from "./cache-policy.ts";
import { compileEdgeFunction, type EdgeFunction } from "./edge-function.ts";
import {
  findOriginRequestPolicy,
  noOriginRequestPolicy,
  type OriginRequestPolicy,
} from "./origin-request-policy.ts";
import { findResponseHeadersPolicy, type ResponseHeadersPolicy } from "./response-headers-policy.ts";

/** An `AWS::CloudFront::Distribution`, ready to serve. */
export interface Distribution {
  readonly id: string;
  readonly arn: string;
  readonly domainName: string;
  /** Behaviors in the template's order. The default behavior, whose pattern is `*`, comes last. */
  readonly behaviors: readonly Behavior[];
  readonly origins: ReadonlyMap<string, Origin>;
  readonly originGroups: ReadonlyMap<string, OriginGroup>;
  readonly errorPages: ReadonlyMap<number, ErrorPage>;
  readonly defaultRootObject: string;
  /** Response header with the cache tags. Undefined if the distribution has no cache tags. */
  readonly cacheTagHeader: string | undefined;
}

/** A cache behavior. */
export interface Behavior {
  readonly pathPattern: string;
  readonly targetOriginId: string;
  readonly allowedMethods: ReadonlySet<string>;
  readonly cachePolicy: CachePolicy;
  readonly originRequestPolicy: OriginRequestPolicy;
  readonly responseHeadersPolicy: ResponseHeadersPolicy | undefined;
  readonly viewerRequest: EdgeFunction | undefined;
  readonly viewerResponse: EdgeFunction | undefined;
  readonly compresses: boolean;
  /** True if viewers must use HTTPS. The local edge serves plain HTTP, and treats its client as a proxy that terminates TLS. */
  readonly isHttps: boolean;
}

/** An origin of the distribution. */
export interface Origin {
  readonly id: string;
  readonly domainName: string;
  /** Path prefix of requests to the origin. Empty, or with a leading and without a trailing slash. */
  readonly path: string;
  readonly customHeaders: readonly (readonly [name: string, value: string])[];
  readonly hasAccessControl: boolean;
  readonly readTimeoutSeconds: number;
}

/** A group of two origins. The second origin is used if the first responds with one of the status codes. */
export interface OriginGroup {
  readonly originIds: readonly string[];
  readonly failoverStatusCodes: ReadonlySet<number>;
}

/** A custom error response. */
export interface ErrorPage {
  readonly cachingMinTtlSeconds: number;
  readonly pagePath: string | undefined;
  readonly statusCode: number | undefined;
}

type Config = Readonly<Record<string, unknown>>;

/** Default duration of cached error responses; see "How CloudFront processes HTTP 4xx and 5xx status codes from your origin". */
export const errorCachingMinTtlSecondsDefault = 10;
const readTimeoutSecondsDefault = 30;

/** Reads a distribution with its policies and functions. Resolves secrets in origin headers. */
export function parseDistribution(
  template: Template,
  resource: Resource,
  readSecret: SecretReader,
): Distribution {
  const config = resolveDynamicReferences(resource.properties.DistributionConfig as Config, readSecret);
  const behavior = (value: unknown, pattern?: string) => parseBehavior(template, value as Config, pattern);
  const groups = (config.OriginGroups as { Items?: readonly Config[] } | undefined)?.Items ?? [];
  return {
    id: resource.physicalId,
    arn: resource.arn,
    domainName: `${resource.physicalId}.cloudfront.net`,
    behaviors: [
      ...list(config.CacheBehaviors).map((value) => behavior(value)),
      behavior(config.DefaultCacheBehavior, "*"),
    ],
    origins: new Map(list(config.Origins).map((value) => [String(value.Id), parseOrigin(value)])),
    originGroups: new Map(groups.map((value) => [String(value.Id), parseOriginGroup(value)])),
    errorPages: new Map(
      list(config.CustomErrorResponses).map((value) => [Number(value.ErrorCode), parseErrorPage(value)]),
    ),
    defaultRootObject: String(config.DefaultRootObject ?? ""),
    cacheTagHeader: (config.CacheTagConfig as { HeaderName?: string } | undefined)?.HeaderName,
  };
}

function list(value: unknown): readonly Config[] {
  return (value ?? []) as readonly Config[];
}

function parseBehavior(template: Template, config: Config, pattern = String(config.PathPattern)): Behavior {
  const findFunction = (eventType: string) => findEdgeFunction(template, config, eventType);
  if (typeof config.CachePolicyId !== "string") {
    throw new Error(`Behavior ${pattern}: the local cloud emulates cache policies, not ForwardedValues`);
  }
  const responsePolicyId = config.ResponseHeadersPolicyId;
  const requestPolicyId = config.OriginRequestPolicyId;
  return {
    pathPattern: pattern,
    targetOriginId: String(config.TargetOriginId),
    allowedMethods: new Set((config.AllowedMethods ?? ["GET", "HEAD"]) as string[]),
    cachePolicy: findCachePolicy(template, config.CachePolicyId),
    originRequestPolicy:
      typeof requestPolicyId === "string"
        ? findOriginRequestPolicy(template, requestPolicyId)
        : noOriginRequestPolicy,
    responseHeadersPolicy:
      typeof responsePolicyId === "string"
        ? findResponseHeadersPolicy(template, responsePolicyId)
        : undefined,
    viewerRequest: findFunction("viewer-request"),
    viewerResponse: findFunction("viewer-response"),
    compresses: config.Compress === true,
    isHttps: config.ViewerProtocolPolicy !== "allow-all",
  };
}

function findEdgeFunction(template: Template, behavior: Config, eventType: string): EdgeFunction | undefined {
  const association = list(behavior.FunctionAssociations).find((one) => one.EventType === eventType);
  if (association === undefined) return undefined;
  const resource = findResource(template, "AWS::CloudFront::Function", association.FunctionARN);
  if (resource === undefined)
    throw new Error(`No AWS::CloudFront::Function with the ARN ${String(association.FunctionARN)}`);
  return compileEdgeFunction(resource.logicalId, String(resource.properties.FunctionCode));
}

function parseOrigin(config: Config): Origin {
  const custom = (config.CustomOriginConfig ?? {}) as Config;
  return {
    id: String(config.Id),
    domainName: String(config.DomainName),
    path: String(config.OriginPath ?? ""),
    customHeaders: list(config.OriginCustomHeaders).map((one) => [
      String(one.HeaderName),
      String(one.HeaderValue),
    ]),
    hasAccessControl: typeof config.OriginAccessControlId === "string" && config.OriginAccessControlId !== "",
    readTimeoutSeconds: Number(custom.OriginReadTimeout ?? readTimeoutSecondsDefault),
  };
}

function parseOriginGroup(config: Config): OriginGroup {
  const members = (config.Members as { Items: readonly Config[] }).Items;
  const codes = (config.FailoverCriteria as { StatusCodes: { Items: readonly number[] } }).StatusCodes.Items;
  return {
    originIds: members.map((member) => String(member.OriginId)),
    failoverStatusCodes: new Set(codes.map(Number)),
  };
}

function parseErrorPage(config: Config): ErrorPage {
  const { ErrorCachingMinTTL, ResponsePagePath, ResponseCode } = config;
  return {
    cachingMinTtlSeconds: Number(ErrorCachingMinTTL ?? errorCachingMinTtlSecondsDefault),
    pagePath: typeof ResponsePagePath === "string" && ResponsePagePath !== "" ? ResponsePagePath : undefined,
    statusCode: ResponseCode === undefined || ResponseCode === "" ? undefined : Number(ResponseCode),
  };
}
