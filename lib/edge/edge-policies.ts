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
  /** True if viewers use https. Over http, Strict-Transport-Security must not be sent (RFC 6797, section 7.2). */
  readonly isHttps: boolean;
  /** Base URL of the service. @default - the distribution's own domain name, which the distribution's configuration cannot refer to */
  readonly baseUrl: string | undefined;
}

/** Content security policy for responses that set no policy: no scripts run, and no page may frame the response. */
export const strictestPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers that distinguish the pages and files of different owners. */
const whoseHeaders = [edgeHeaders.host, edgeHeaders.owner];

/** The edge's policies for caching, and for forwarded and added headers. */
export class EdgePolicies extends Construct {
  /** Caches published pages as long as their responses allow, and at most `edgeKeepsSecondsMax`. */
  readonly pageCache: CachePolicy;
  /** Caches uploaded files as long as their responses allow, and at most `edgeKeepsSecondsMax`. */
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
      // A positive minimum TTL would cache even responses with no-store.
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(edgeKeepsSecondsMax),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    };
    this.pageCache = new CachePolicy(this, "PageCache", {
      ...asResponsesSay,
      comment: "Published pages and viewers, by host, path, query, window, sampling level and cookies",
      // The header `edgeHeaders.query` contains the query parameters that the viewer-request function keeps. The origin gets no other query
      // parameters. The viewer-request function also puts the path of a folder's file into a header.
      headerBehavior: CacheHeaderBehavior.allowList(
        ...whoseHeaders,
        edgeHeaders.query,
        edgeHeaders.window,
        edgeHeaders.level,
        edgeHeaders.path,
      ),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      // The viewer-request function removes all cookies except those for sign-ins and for entered passcodes.
      cookieBehavior: CacheCookieBehavior.all(),
    });
    this.blobCache = new CachePolicy(this, "BlobCache", {
      ...asResponsesSay,
      comment: "Uploaded files, by owner and id",
      // The owner is part of the cache key, so that other owners' hosts cannot serve the cached file. Requests to a folder's host have the
      // file's path in a header.
      headerBehavior: CacheHeaderBehavior.allowList(...whoseHeaders, edgeHeaders.path),
      // The query string is not forwarded, because it could make S3 change response headers.
      queryStringBehavior: CacheQueryStringBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
    });
    this.toApi = new OriginRequestPolicy(this, "ToApi", {
      comment: "Everything except the query, Expect, and Host, which selects the API",
      // curl sends `Expect: 100-continue` with large bodies. The edge itself responds to this header, and also forwards the header if a
      // policy includes it. A Web Function would refuse the request with 417, and edge functions cannot see the header. See "HTTP request
      // headers and CloudFront behavior" and "Restrictions on all edge functions", CloudFront developer guide.
      headerBehavior: OriginRequestHeaderBehavior.denyList("Host", "Expect"),
      // A header already contains the unchanged query. Sending the query twice would use half of API Gateway's limit for headers.
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.all(),
    });
    this.toBlobs = new OriginRequestPolicy(this, "ToBlobs", {
      comment: "Headers for the functions that respond if a file is missing",
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        edgeHeaders.address,
        edgeHeaders.serviceHost,
        edgeHeaders.sentQuery,
        "Accept",
        // This header lets functions redirect only navigations to sign-in, and accept a file's key only in requests for embedded files.
        "Sec-Fetch-Dest",
        "User-Agent",
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
    this.toRestrictedFiles = new OriginRequestPolicy(this, "ToRestrictedFiles", {
      comment: "The query that S3 checks, and headers for the 404 page",
      // Host is not forwarded, because S3 needs the bucket's own host, which the query's signature covers.
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
    // Without this challenge, clients look for the metadata at the default location (RFC 9728, section 3.1); see "Protected Resource
    // Metadata Discovery Requirements", MCP revision 2026-07-28.
    this.mcpHeaders =
      baseUrl === undefined
        ? this.jsonHeaders
        : this.#headers("McpHeaders", isHttps, strictestPolicy, challenging(mcpChallenge({ baseUrl })));
    // Removing the cache tag header does not affect caching, because a policy only changes the response to the viewer; see "Add or remove
    // HTTP headers in CloudFront responses with a policy", CloudFront developer guide.
    const withoutTags = { remove: [cacheTagHeader] };
    this.pageHeaders = this.#headers("PageHeaders", isHttps, strictestPolicy, withoutTags);
    // The viewer-response function sets a file's content security policy, because a policy set here would replace the browser's stored
    // policy on a 304.
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
 * Adds a WWW-Authenticate challenge to every response (allowed by RFC 9110, section 11.6.1). The edge adds the challenge, because the REST
 * API renames this header, and edge functions do not run for errors; see "Amazon API Gateway important notes", API Gateway developer guide.
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
