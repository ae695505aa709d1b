import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
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
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { edgeHeaders } from "../functions/contract/environment.ts";
import { stageName } from "./api.ts";
import { bundleEdgeFunction } from "./bundle-edge-function.ts";
import type { Domain } from "./domain.ts";
import { EdgePolicies } from "./edge-policies.ts";

export interface EdgeProps {
  readonly apiDomainName: string;
  readonly originSecret: string;
  readonly blobs: Bucket;
  /** @default - the distribution's own domain name, and no other */
  readonly domain: Domain | undefined;
}

/** Statuses whose answers CloudFront would keep for 10 s; developer guide, "HTTP 4xx and 5xx status codes that CloudFront caches". */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** What browsers and agents talk to: one distribution for the service's own host and all owners' hosts. */
export class Edge extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id);
    const { domain } = props;
    const policies = new EdgePolicies(this, "Policies", { isHttps: domain?.isHttps ?? true });
    const viewer = {
      compress: true,
      viewerProtocolPolicy:
        (domain?.isHttps ?? true) ? ViewerProtocolPolicy.REDIRECT_TO_HTTPS : ViewerProtocolPolicy.ALLOW_ALL,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: this.#viewerRequest(domain) },
      ],
    };
    const api = {
      ...viewer,
      origin: apiOrigin(props),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: policies.toApi,
    } satisfies BehaviorOptions;
    this.distribution = new Distribution(this, "Distribution", {
      comment: "Dropleaf",
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      ...this.#names(domain),
      defaultBehavior: { ...api, responseHeadersPolicy: policies.pageHeaders },
      additionalBehaviors: {
        "/api/*": { ...api, responseHeadersPolicy: policies.jsonHeaders },
        "/p/*/raw": { ...api, cachePolicy: policies.pageCache, responseHeadersPolicy: policies.pageHeaders },
        "/b/*": {
          ...viewer,
          origin: S3BucketOrigin.withOriginAccessControl(props.blobs),
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: policies.blobHeaders,
        },
      },
      errorResponses: errorStatuses.map(
        (httpStatus): ErrorResponse => ({ httpStatus, ttl: Duration.seconds(0) }),
      ),
    });
  }

  /** Where bodies too large for API Gateway will be sent elsewhere, this function chooses the origin. */
  #viewerRequest(domain: Domain | undefined): EdgeFunction {
    const code = bundleEdgeFunction("functions/edge/viewer-request.ts", {
      BASE_HOST: domain?.baseHost ?? "",
      BASE_DOMAIN: domain?.baseDomain ?? "",
    });
    return new EdgeFunction(this, "ViewerRequest", {
      comment: "Tells the origin the viewer's host, address and query",
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(code),
    });
  }

  #names(domain: Domain | undefined) {
    if (domain?.certificateArn === undefined) return {};
    return {
      certificate: Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
      domainNames: [domain.baseHost, `*.${domain.baseDomain}`],
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}

function apiOrigin({ apiDomainName, originSecret }: EdgeProps): HttpOrigin {
  return new HttpOrigin(apiDomainName, {
    originPath: `/${stageName}`,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: Duration.seconds(30),
    customHeaders: { [edgeHeaders.originSecret]: originSecret },
  });
}
