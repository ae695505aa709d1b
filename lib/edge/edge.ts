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
import type { IngestOrigin } from "../ingest/ingest-web-function.ts";
import type { Domain } from "../settings/domain.ts";
import { bundleEdgeFunction } from "./bundle-edge-function.ts";
import { EdgePolicies } from "./edge-policies.ts";
import { hiddenTag } from "./hidden-tag.ts";
import { OwnDomain } from "./own-domain.ts";

export interface EdgeProps {
  readonly api: Api;
  /** Key with which the API accepts the edge's requests. */
  readonly apiKey: string;
  readonly pages: Bucket;
  readonly blobs: Bucket;
  /** Origin of large bodies. @default - the edge refuses them */
  readonly ingest: IngestOrigin | undefined;
  /** The API receives events of Slack. @default false */
  readonly hasSlack?: boolean | undefined;
  /** The ARN of a web ACL of AWS WAF. @default - no firewall */
  readonly webAclArn?: string | undefined;
  /** @default - the distribution's own domain name, and no other */
  readonly domain: Domain | undefined;
}

const apiOriginId = "api";

/** Statuses whose responses CloudFront would cache for 10 s; developer guide, "HTTP 4xx and 5xx status codes that CloudFront caches". */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * The status of an origin that does not respond in time. The edge replaces the body of every response with this status, so no function or
 * gateway response uses it.
 */
const timeoutStatus = 504;

/** CloudFront distribution for the service's host and all owners' hosts. */
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
        "Passes on headers that API Gateway would hide, and routes large bodies",
        bundleEdgeFunction("functions/edge/viewer-request.ts", {
          BASE_HOST: domain?.baseHost ?? "",
          BASE_DOMAIN: domain?.baseDomain ?? "",
          INGEST_ORIGIN_ID: props.ingest?.originId ?? "",
          API_ORIGIN_ID: apiOriginId,
        }),
      ),
      blobResponse: this.#function(
        "BlobResponse",
        "Gives files the policy of their kind",
        bundleEdgeFunction("functions/edge/blob-response.ts", {}),
      ),
      mcpResponse: this.#function(
        "McpResponse",
        "Gives refused tool calls their status and challenge",
        bundleEdgeFunction("functions/edge/mcp-response.ts", {}),
      ),
      showIcon: this.#function(
        "ShowIcon",
        "Serves the icon",
        bundleEdgeFunction("functions/edge/show-icon.ts", { BASE_DOMAIN: domain?.baseDomain ?? "" }),
      ),
    };
    for (const one of Object.values(this.functions)) {
      // A function serves requests as soon as it is created, so its origins are created first.
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
        // The API has no route for the path of a missing file, so it responds with the 404 page.
        fallbackOrigin: toApi,
        // S3 responds 403 to callers that may not list the bucket; GetObject API reference.
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
        // Without access control: the edge may not read these files, and forwards the address that a function has signed.
        primaryOrigin: S3BucketOrigin.withBucketDefaults(bucket),
        fallbackOrigin: toApi,
        // S3 responds 400 to a query that it cannot parse; Amazon S3 API reference, "Error responses".
        fallbackStatusCodes: [400, 403, 404],
      }),
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: policies.toRestrictedFiles,
    });
    // A function of its own serves the icon, except on a folder's host: inside the viewer-request function, every request would carry the
    // icon's bytes.
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
        // For locked drops it responds 401, which needs a challenge.
        [readOembedRoute.path]: json,
        // It responds 401, too.
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
        // Before the patterns that the path of a file in a folder may match, too.
        ...ofOwners("/p/*/raw/*", pages),
        // Polled by open tabs. Its response is cached for seconds, as it sets, by the policy of pages.
        ...ofOwners("/p/*/state", pages),
        // The viewer, which is cached for seconds while many people open it.
        ...ofOwners("/p/???????", pages),
        ...ofOwners("/d/???????", pages),
        "/favicon.ico": icon,
        // An owner's page and feed, and on the service's own host the start page, which is not cached.
        ...ofOwners("/", pages),
        ...ofOwners("/feed", pages),
        ...ofOwners("/b/*", files),
        [`/${restrictedPrefix}*`]: signedFrom(props.blobs),
        [`/${folderPrefix}*`]: signedFrom(props.pages),
        // Files and pages on a folder's host. On other hosts these patterns cache nothing: documents have no-store, and no other path ends
        // in a slash.
        ...(domain && { "*.*": pages, "*/": pages }),
        // A function can select only an origin of some behavior. This one receives no requests: /api/* is before it.
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
    // The construct has no property for it.
    resource.addPropertyOverride("DistributionConfig.CacheTagConfig.HeaderName", cacheTagHeader);
    // The API's usage plan gets the key before the edge sends it.
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
 * Path patterns of owners. Without a domain they match below `/@<namespace>` too, since CloudFront selects the
 * behavior before it runs the function that removes the prefix.
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
 * Denies the distribution hidden and restricted files. An explicit denial overrides every permission. Amazon S3 user guide, "Tagging and
 * access control policies"; service authorization reference, "Actions, resources, and condition keys for Amazon S3".
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
  // Restricted files are served only by an address that a function has signed.
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
    // It replaces what a viewer sends by this name: Amazon CloudFront developer guide, "Add custom headers to origin requests".
    customHeaders: { [apiKeyHeader]: apiKey },
  });
}
