import {
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  type ResponseCustomHeader,
  ResponseHeadersPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { cacheTagHeader, edgeHeaders, edgeKeepsSecondsMax } from "../../functions/core/environment.ts";
import { mcpChallenge } from "../../functions/mcp/rows.ts";
import { serviceVersion } from "../service-version.ts";

export interface EdgePoliciesProps {
  /** Viewers use https. Over http, Strict-Transport-Security must not be sent (RFC 6797, section 7.2). */
  readonly isHttps: boolean;
  /** Base URL of the service. @default - the distribution's own name, which the distribution cannot contain */
  readonly baseUrl: string | undefined;
}

/** Policy for responses without one: no scripts run, and no page frames it. */
export const strictestPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers that distinguish the owners' pages and files. */
const whoseHeaders = [edgeHeaders.host, edgeHeaders.owner];

/** Policies of the edge: cached, forwarded and added headers. */
export class EdgePolicies extends Construct {
  /** Caches published pages for the time that their responses set, and hours at most. */
  readonly pageCache: CachePolicy;
  /** Caches uploaded files in the same way. */
  readonly blobCache: CachePolicy;
  readonly toApi: OriginRequestPolicy;
  readonly toBlobs: OriginRequestPolicy;
  readonly toRestrictedFiles: OriginRequestPolicy;
  readonly jsonHeaders: ResponseHeadersPolicy;
  readonly mcpHeaders: ResponseHeadersPolicy;
  readonly pageHeaders: ResponseHeadersPolicy;
  readonly blobHeaders: ResponseHeadersPolicy;

  constructor(scope: Construct, id: string, { isHttps, baseUrl }: EdgePoliciesProps) {
    super(scope, id);
    const asResponsesSay = {
      // A positive minimum would cache even responses with no-store.
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(edgeKeepsSecondsMax),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    };
    this.pageCache = new CachePolicy(this, "PageCache", {
      ...asResponsesSay,
      comment: "Published pages and viewers, by host, version, window, level and opened gate",
      // The query as the viewer-request function leaves it, which is all that the function behind sees. That function also puts the path of
      // a folder's file into a header.
      headerBehavior: CacheHeaderBehavior.allowList(
        ...whoseHeaders,
        edgeHeaders.query,
        edgeHeaders.window,
        edgeHeaders.level,
        edgeHeaders.path,
      ),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      // The cookies that the function leaves in a page's request: the gate's cookie, and those of a sign-in.
      cookieBehavior: CacheCookieBehavior.all(),
    });
    this.blobCache = new CachePolicy(this, "BlobCache", {
      ...asResponsesSay,
      comment: "Uploaded files, by owner and id",
      // Without the owner, the object's path would be a cache key that other behaviors share, for hosts that must not serve the file. On a
      // folder's host the path is in a header.
      headerBehavior: CacheHeaderBehavior.allowList(...whoseHeaders, edgeHeaders.path),
      // S3 changes response headers according to the query string.
      queryStringBehavior: CacheQueryStringBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
    });
    this.toApi = new OriginRequestPolicy(this, "ToApi", {
      comment: "Everything except the query, Host (which selects the API) and Expect",
      // curl sends `Expect: 100-continue` with large bodies. The edge responds to it itself, and also forwards it if a policy includes it. A
      // Web Function would refuse it with 417, and no edge function sees it. CloudFront developer guide, "HTTP request headers and
      // CloudFront behavior" and "Restrictions on all edge functions".
      headerBehavior: OriginRequestHeaderBehavior.denyList("Host", "Expect"),
      // The query is in a header, as it was sent. Sent twice, it would take half of API Gateway's limit for headers.
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.all(),
    });
    this.toBlobs = new OriginRequestPolicy(this, "ToBlobs", {
      comment: "Headers for the functions that respond for a missing file",
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        edgeHeaders.address,
        edgeHeaders.serviceHost,
        edgeHeaders.sentQuery,
        "Accept",
        // Only a navigation is redirected to a sign-in, and only an embedded request may read a file by its key.
        "Sec-Fetch-Dest",
        "User-Agent",
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
    this.toRestrictedFiles = new OriginRequestPolicy(this, "ToRestrictedFiles", {
      comment: "The query that S3 checks, and headers for the 404 page",
      // Without Host: S3 needs the bucket's own host, which the query's signature covers.
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        edgeHeaders.host,
        edgeHeaders.address,
        edgeHeaders.serviceHost,
        edgeHeaders.path,
        "Accept",
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
    this.jsonHeaders = this.#headers("JsonHeaders", isHttps, strictestPolicy, challenging("Bearer"));
    // Without it clients look for the metadata where RFC 9728, section 3.1, puts it: revision 2026-07-28 of the protocol,
    // "Protected Resource Metadata Discovery Requirements".
    this.mcpHeaders =
      baseUrl === undefined
        ? this.jsonHeaders
        : this.#headers("McpHeaders", isHttps, strictestPolicy, challenging(mcpChallenge({ baseUrl })));
    // The edge has already read the tags: a policy only changes the response to the viewer. CloudFront developer guide, "Add or remove HTTP
    // headers in CloudFront responses with a policy".
    const withoutTags = { remove: [cacheTagHeader] };
    this.pageHeaders = this.#headers("PageHeaders", isHttps, strictestPolicy, withoutTags);
    // A file's viewer-response function sets its policy: on a 304, one from here would replace it in the browser.
    this.blobHeaders = this.#headers("BlobHeaders", isHttps, undefined, withoutTags);
  }

  #headers(
    id: string,
    isHttps: boolean,
    contentSecurityPolicy: string | undefined,
    { add, remove }: { readonly add?: ResponseCustomHeader[]; readonly remove?: string[] } = {},
  ): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        contentSecurityPolicy: contentSecurityPolicy ? { contentSecurityPolicy, override: false } : undefined,
        strictTransportSecurity: isHttps
          ? { accessControlMaxAge: Duration.days(730), includeSubdomains: true, override: true }
          : undefined,
      },
      customHeadersBehavior: add && { customHeaders: add },
      removeHeaders: remove,
    });
  }
}

/**
 * Adds a WWW-Authenticate challenge to every response, which RFC 9110, section 11.6.1, allows. The REST API renames this header, and edge
 * functions do not run for errors. API Gateway developer guide, "Amazon API Gateway important notes".
 */
function challenging(challenge: string) {
  return {
    add: [
      { header: "WWW-Authenticate", value: challenge, override: true },
      { header: "X-Dropleaf-Version", value: serviceVersion, override: true },
    ],
    remove: ["x-amzn-Remapped-WWW-Authenticate"],
  };
}
