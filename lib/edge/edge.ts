import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  type CfnDistribution,
  Distribution,
  Function as EdgeFunction,
  type ErrorResponse,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, OriginGroup, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { restrictedPrefix } from "../../functions/blobs/blob.ts";
import { apiKeyHeader, cacheTagHeader } from "../../functions/core/environment.ts";
import { errorCatalog } from "../../functions/core/errors.ts";
import { folderPrefix } from "../../functions/folders/folder.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { receiveSlackEventRoute } from "../../functions/slack/rows.ts";
import { readOembedRoute } from "../../functions/viewer/rows.ts";
import type { Api } from "../api/api.ts";
import { originTimeoutPath } from "../api/gateway-errors.ts";
import type { IngestOrigin } from "../ingest/ingest.ts";
import type { Domain } from "../settings/domain.ts";
import { bundleEdgeFunction } from "./bundle-edge-function.ts";
import { EdgePolicies } from "./edge-policies.ts";
import { hiddenTag } from "./hidden-tag.ts";
import { OwnDomain } from "./own-domain.ts";

export interface EdgeProps {
  readonly api: Api;
  /** API key that the edge sends to the API. */
  readonly apiKey: string;
  readonly pages: Bucket;
  readonly blobs: Bucket;
  /** Origin for large request bodies. @default - the edge refuses large request bodies */
  readonly ingest: IngestOrigin | undefined;
  /** True if the API receives Slack events. @default false */
  readonly hasSlack?: boolean | undefined;
  /** ARN of an AWS WAF web ACL. @default - no firewall */
  readonly webAclArn?: string | undefined;
  /** Configured host names. @default - only the distribution's own domain name */
  readonly domain: Domain | undefined;
}

const apiOriginId = "api";

/**
 * Statuses whose responses CloudFront would cache for 10 s; see "HTTP 4xx and 5xx status codes that CloudFront caches", Amazon CloudFront
 * developer guide.
 */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * Status with which CloudFront responds if an origin times out. The edge replaces the body of every response with this status, so functions
 * and gateway responses must not use it.
 */
const timeoutStatus = 504;

/** The CloudFront distribution for the service's host and all owners' hosts. */
export class Edge extends Construct {
  readonly distribution: Distribution;
  readonly functions: {
    readonly viewerRequest: EdgeFunction;
    readonly blobResponse: EdgeFunction;
    readonly mcpResponse: EdgeFunction;
    readonly showIcon: EdgeFunction;
  };

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id);
    const { domain } = props;
    const policies = new EdgePolicies(this, "Policies", {
      isHttps: domain?.isHttps ?? true,
      baseUrl: domain?.baseUrl,
    });
    this.functions = {
      viewerRequest: this.#function(
        "ViewerRequest",
        "Forwards headers that API Gateway would hide, and routes large bodies",
        bundleEdgeFunction("functions/edge/viewer-request.ts", {
          BASE_HOST: domain?.baseHost ?? "",
          BASE_DOMAIN: domain?.baseDomain ?? "",
          INGEST_ORIGIN_ID: props.ingest?.originId ?? "",
          API_ORIGIN_ID: apiOriginId,
        }),
      ),
      blobResponse: this.#function(
        "BlobResponse",
        "Sets the content security policy of files, and hides expired files",
        bundleEdgeFunction("functions/edge/blob-response.ts", {}),
      ),
      mcpResponse: this.#function(
        "McpResponse",
        "Sets the status and the sign-in challenge of refused tool calls",
        bundleEdgeFunction("functions/edge/mcp-response.ts", {}),
      ),
      showIcon: this.#function(
        "ShowIcon",
        "Serves the icon",
        bundleEdgeFunction("functions/edge/show-icon.ts", { BASE_DOMAIN: domain?.baseDomain ?? "" }),
      ),
    };
    for (const one of Object.values(this.functions)) {
      // Edge functions are created after their origins, because they serve requests as soon as they exist.
      one.node.addDependency(props.api.restApi.deploymentStage);
      if (props.ingest) one.node.addDependency(props.ingest.endpoint);
    }
    const viewer = {
      compress: true,
      viewerProtocolPolicy:
        (domain?.isHttps ?? true) ? ViewerProtocolPolicy.REDIRECT_TO_HTTPS : ViewerProtocolPolicy.ALLOW_ALL,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: this.functions.viewerRequest },
      ],
    };
    const toApi = apiOrigin(props);
    const api = {
      ...viewer,
      origin: toApi,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: policies.toApi,
    } satisfies BehaviorOptions;
    const json = { ...api, responseHeadersPolicy: policies.jsonHeaders };
    const pages = {
      ...api,
      cachePolicy: policies.pageCache,
      responseHeadersPolicy: policies.pageHeaders,
    };
    denyReads(props.blobs);
    const files = {
      ...viewer,
      origin: new OriginGroup({
        primaryOrigin: S3BucketOrigin.withOriginAccessControl(props.blobs),
        // The API has no route for the path of a missing file, so the API responds with the 404 page.
        fallbackOrigin: toApi,
        // S3 responds 403 instead of 404 for a missing object if the caller may not list the bucket; see "GetObject", Amazon S3 API
        // reference.
        fallbackStatusCodes: [403, 404],
      }),
      cachePolicy: policies.blobCache,
      originRequestPolicy: policies.toBlobs,
      responseHeadersPolicy: policies.blobHeaders,
      functionAssociations: [
        ...viewer.functionAssociations,
        { eventType: FunctionEventType.VIEWER_RESPONSE, function: this.functions.blobResponse },
      ],
    };
    const signedFrom = (bucket: Bucket) => ({
      ...files,
      origin: new OriginGroup({
        // No origin access control: the edge may not read these files, and forwards the URL that a function has presigned.
        primaryOrigin: S3BucketOrigin.withBucketDefaults(bucket),
        fallbackOrigin: toApi,
        // S3 responds 400 if the viewer sends a query string that S3 cannot parse; see "Error responses", Amazon S3 API reference.
        fallbackStatusCodes: [400, 403, 404],
      }),
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: policies.toRestrictedFiles,
    });
    // A separate edge function serves the icon, because the viewer-request function would load the icon's bytes for every request.
    const icon = {
      ...pages,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: this.functions.showIcon },
      ],
    };
    const ofOwners = (pattern: string, behavior: BehaviorOptions) =>
      Object.fromEntries(ownersPatterns(domain, pattern).map((one) => [one, behavior]));
    const ownDomain = domain && new OwnDomain(this, "OwnDomain", { domain });
    this.distribution = new Distribution(this, "Distribution", {
      comment: "Dropleaf",
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      webAclId: props.webAclArn,
      ...namesOf(ownDomain),
      defaultBehavior: { ...api, responseHeadersPolicy: policies.pageHeaders },
      additionalBehaviors: {
        "/api/*": json,
        // Requests for locked drops get 401, which requires a WWW-Authenticate challenge.
        [readOembedRoute.path]: json,
        // Requests without a valid signature get 401, which requires a WWW-Authenticate challenge.
        ...(props.hasSlack && { [receiveSlackEventRoute.path]: json }),
        [callMcpRoute.path]: {
          ...api,
          responseHeadersPolicy: policies.mcpHeaders,
          functionAssociations: [
            ...viewer.functionAssociations,
            { eventType: FunctionEventType.VIEWER_RESPONSE, function: this.functions.mcpResponse },
          ],
        },
        ...ofOwners("/p/*/raw", pages),
        // This pattern must come first, because later patterns could also match the path of a file in a folder.
        ...ofOwners("/p/*/raw/*", pages),
        // The drop's state, which open tabs poll. The edge caches the state for the seconds that the response's headers allow.
        ...ofOwners("/p/*/state", pages),
        // The viewer, which the edge caches for seconds while many people open the drop.
        ...ofOwners("/p/???????", pages),
        ...ofOwners("/d/???????", pages),
        "/favicon.ico": icon,
        // An owner's page and feed. On the service's own host, `/` is the start page, which is not cached.
        ...ofOwners("/", pages),
        ...ofOwners("/feed", pages),
        ...ofOwners("/b/*", files),
        [`/${restrictedPrefix}*`]: signedFrom(props.blobs),
        [`/${folderPrefix}*`]: signedFrom(props.pages),
        // Files and pages on a folder's host. On other hosts, these patterns cache nothing, because documents have no-store and no other
        // path ends in a slash.
        ...(domain && { "*.*": pages, "*/": pages }),
        // This behavior receives no requests, because /api/* comes first. The behavior exists because edge functions can select only
        // origins that a behavior uses.
        ...(props.ingest && { "/api/large-bodies": { ...json, origin: props.ingest.origin } }),
      },
      errorResponses: errorStatuses.map(
        (httpStatus): ErrorResponse => ({
          httpStatus,
          ttl: Duration.seconds(0),
          ...(httpStatus === timeoutStatus && {
            responseHttpStatus: errorCatalog.unavailable.status,
            responsePagePath: originTimeoutPath,
          }),
        }),
      ),
    });
    const resource = this.distribution.node.defaultChild as CfnDistribution;
    // Sets the cache tag header here, because the construct has no property for the header.
    resource.addPropertyOverride("DistributionConfig.CacheTagConfig.HeaderName", cacheTagHeader);
    // The usage plan must accept the key before the edge sends it.
    this.distribution.node.addDependency(props.api);
    ownDomain?.pointTo(this.distribution);
  }

  #function(id: string, comment: string, code: string): EdgeFunction {
    return new EdgeFunction(this, id, {
      comment,
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(code),
    });
  }
}

/**
 * Returns the path patterns for owners' pages. Without a domain, the patterns also match below `/@<namespace>`, because CloudFront selects
 * the behavior before it runs the function that removes the prefix.
 */
function ownersPatterns(domain: Domain | undefined, pattern: string): readonly string[] {
  return domain === undefined ? [pattern, `/@*${pattern}`] : [pattern];
}

function namesOf(ownDomain: OwnDomain | undefined) {
  if (ownDomain?.certificate === undefined) return {};
  return {
    certificate: ownDomain.certificate,
    domainNames: ownDomain.names,
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/**
 * Denies the distribution access to hidden and restricted files. An explicit denial overrides every permission. Sources: "Tagging and
 * access control policies", Amazon S3 user guide; "Actions, resources, and condition keys for Amazon S3", service authorization reference.
 */
function denyReads(blobs: Bucket): void {
  const reads = {
    effect: Effect.DENY,
    principals: [new ServicePrincipal("cloudfront.amazonaws.com")],
    actions: ["s3:GetObject"],
  };
  const hidden = new PolicyStatement({
    ...reads,
    sid: "HiddenFiles",
    resources: [blobs.arnForObjects("*")],
    conditions: { StringEquals: { [`s3:ExistingObjectTag/${hiddenTag.Key}`]: hiddenTag.Value } },
  });
  // Restricted files are served only through a URL that a function has presigned.
  const restricted = new PolicyStatement({
    ...reads,
    sid: "RestrictedFiles",
    resources: [blobs.arnForObjects(`${restrictedPrefix}*`)],
  });
  for (const statement of [hidden, restricted]) blobs.addToResourcePolicy(statement);
}

function apiOrigin({ api, apiKey }: EdgeProps): HttpOrigin {
  return new HttpOrigin(api.domainName, {
    originId: apiOriginId,
    originPath: `/${api.stageName}`,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: Duration.seconds(30),
    // A custom header replaces a viewer's header with the same name; see "Add custom headers to origin requests", Amazon CloudFront
    // developer guide.
    customHeaders: { [apiKeyHeader]: apiKey },
  });
}
