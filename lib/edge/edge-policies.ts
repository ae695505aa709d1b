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

/** For a response that brings no policy of its own: nothing runs, and nothing frames it. */
export const strictestPolicy = "default-src 'none'; frame-ancestors 'none'";

/** They tell the owners' pages and files apart. */
const whoseHeaders = [edgeHeaders.host, edgeHeaders.owner];

/** Policies of the edge: cached, forwarded and added headers. */
export class EdgePolicies extends Construct {
  /** Published pages, as long as they say, and for hours at most. */
  readonly pageCache: CachePolicy;
  /** Uploaded files, likewise. */
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
      // A positive minimum would keep even what says no-store.
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(edgeKeepsSecondsMax),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    };
    this.pageCache = new CachePolicy(this, "PageCache", {
      ...asResponsesSay,
      comment: "Published pages and viewers, by host, version, window, level and opened gate",
      // The query as the viewer-request function lets it through, which is all of it that the function behind sees.
      // It also puts the path of a folder's file into a header.
      headerBehavior: CacheHeaderBehavior.allowList(
        ...whoseHeaders,
        edgeHeaders.query,
        edgeHeaders.window,
        edgeHeaders.level,
        edgeHeaders.path,
      ),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      // Of a page, those that the function leaves: the one that opens its gate, and those of a sign-in.
      cookieBehavior: CacheCookieBehavior.all(),
    });
    this.blobCache = new CachePolicy(this, "BlobCache", {
      ...asResponsesSay,
      comment: "Uploaded files, by owner and id",
      // Without it the object's path would be a key that other behaviors share, whose hosts the file must not be on. On a folder's host
      // the path is in a header.
      headerBehavior: CacheHeaderBehavior.allowList(...whoseHeaders, edgeHeaders.path),
      // S3 takes a query string as an order to change headers.
      queryStringBehavior: CacheQueryStringBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
    });
    this.toApi = new OriginRequestPolicy(this, "ToApi", {
      comment: "Everything but the query, Host, by which API Gateway finds the API, and Expect",
      // curl sends `Expect: 100-continue` with large bodies. The edge has answered it, and forwards it where a policy
      // includes it, to a Web Function that refuses it with 417; no edge function gets to see it. CloudFront developer
      // guide, "HTTP request headers and CloudFront behavior" and "Restrictions on all edge functions".
      headerBehavior: OriginRequestHeaderBehavior.denyList("Host", "Expect"),
      // It is in a header, as it was sent. Twice, it would take half of what API Gateway takes.
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.all(),
    });
    this.toBlobs = new OriginRequestPolicy(this, "ToBlobs", {
      comment: "What the functions need that stand in for a file that is not there",
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        edgeHeaders.address,
        edgeHeaders.serviceHost,
        edgeHeaders.sentQuery,
        "Accept",
        // Only a window is led to a sign-in, and only what a page embeds may have a file by a key.
        "Sec-Fetch-Dest",
        "User-Agent",
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
    this.toRestrictedFiles = new OriginRequestPolicy(this, "ToRestrictedFiles", {
      comment: "The query that S3 checks, and what the 404 page needs",
      // Not Host: S3 is asked by the bucket's own, for which the query was signed.
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
    // The edge has read the tags by then: a policy changes what goes to the viewer. CloudFront developer guide, "Add or remove HTTP
    // headers in CloudFront responses with a policy".
    const withoutTags = { remove: [cacheTagHeader] };
    this.pageHeaders = this.#headers("PageHeaders", isHttps, strictestPolicy, withoutTags);
    // The policy of a file is its viewer-response function's: on a 304 one from here would replace it in the browser.
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
 * REST API renames WWW-Authenticate, and edge functions are not run for errors; RFC 9110, section 11.6.1, allows it on any answer.
 * API Gateway developer guide, "Amazon API Gateway important notes".
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
