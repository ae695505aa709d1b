import { describe, expect, test } from "vitest";
import { restrictedPrefix } from "../../../functions/blobs/blob.ts";
import { errorCatalog } from "../../../functions/core/errors.ts";
import { edgeCacheHeaders, fileMetadata } from "../../../functions/http/response.ts";
import { gatewayErrors, originTimeoutPath } from "../../../lib/api/gateway-errors.ts";
import { serviceVersion } from "../../../lib/service-version.ts";
import { givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

const template = givenStack();
const config = distributionOf(template);
const behaviors = new Map<string, Behavior>([
  ["*", config.DefaultCacheBehavior],
  ...config.CacheBehaviors.map((one: Behavior): [string, Behavior] => [one.PathPattern, one]),
]);

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Behavior = any;

const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

describe("the distribution", () => {
  test("does not cache errors", () => {
    const codes = config.CustomErrorResponses.map((one: Behavior) => one.ErrorCode);

    // CloudFront developer guide, "HTTP 4xx and 5xx status codes that CloudFront caches".
    expect(codes).toEqual(expect.arrayContaining([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]));
    for (const response of config.CustomErrorResponses) expect(response.ErrorCachingMinTTL).toBe(0);
  });

  test("replaces the body of 504 only, a status that no function and no gateway error has", () => {
    const replaced = config.CustomErrorResponses.filter((one: Behavior) => one.ResponsePagePath);

    expect(replaced).toEqual([
      { ErrorCode: 504, ErrorCachingMinTTL: 0, ResponseCode: 503, ResponsePagePath: originTimeoutPath },
    ]);
    expect(Object.values(errorCatalog).map(({ status }) => status)).not.toContain(504);
    expect(Object.values(gatewayErrors).map(({ status }) => status)).not.toContain(504);
  });

  test("requests the API at its stage over TLS, with its API key", () => {
    const [api] = config.Origins;

    const [stageId] = Object.keys(resourcesOf(template, "AWS::ApiGateway::Stage"));
    expect(api.OriginPath).toEqual({ "Fn::Join": ["", ["/", { Ref: stageId }]] });
    expect(api.CustomOriginConfig.OriginProtocolPolicy).toBe("https-only");
    expect(api.OriginCustomHeaders).toEqual([
      {
        HeaderName: "x-api-key",
        HeaderValue: {
          "Fn::Join": [
            "",
            ["{{resolve:secretsmanager:", { Ref: "SecretsOrigin297BAAC6" }, ":SecretString:::}}"],
          ],
        },
      },
    ]);
  });

  test("is created after the API key's usage plan", () => {
    const { DependsOn } = onlyResource(template, "AWS::CloudFront::Distribution");

    for (const type of ["Stage", "UsagePlan", "UsagePlanKey"])
      expect(DependsOn).toEqual(
        expect.arrayContaining(Object.keys(resourcesOf(template, `AWS::ApiGateway::${type}`))),
      );
  });

  test("runs the viewer-request function on every behavior with an origin", () => {
    for (const [pattern, behavior] of behaviors) {
      if (pattern === "/favicon.ico") continue;
      expect(behavior.FunctionAssociations).toContainEqual({
        EventType: "viewer-request",
        FunctionARN: { "Fn::GetAtt": ["EdgeViewerRequest3FB6D975", "FunctionARN"] },
      });
    }
  });

  test.each(["*", "/api/*", "/p/*/raw"])(
    "accepts every method for %s and sends everything but Host and the query to the API",
    (pattern) => {
      const behavior = behaviors.get(pattern);

      expect([...behavior.AllowedMethods].sort()).toEqual([
        "DELETE",
        "GET",
        "HEAD",
        "OPTIONS",
        "PATCH",
        "POST",
        "PUT",
      ]);
      expect(requestPolicyOf(pattern)).toMatchObject({
        // Expect is left out too, because a Web Function refuses requests with it.
        HeadersConfig: { HeaderBehavior: "allExcept", Headers: ["Host", "Expect"] },
        // The query is in a header. Sent twice, it would count twice against API Gateway's size limit.
        QueryStringsConfig: { QueryStringBehavior: "none" },
        CookiesConfig: { CookieBehavior: "all" },
      });
    },
  );

  test("caches only pages, their viewers, files and drop states", () => {
    expect(behaviors.get("*").CachePolicyId).toBe(cachingDisabled);
    expect(behaviors.get("/api/*").CachePolicyId).toBe(cachingDisabled);
    expect(behaviors.get("/mcp").CachePolicyId).toBe(cachingDisabled);
    expect([...behaviors.keys()].sort()).toEqual([
      "*",
      "/",
      "/@*/",
      "/@*/b/*",
      "/@*/d/???????",
      "/@*/feed",
      "/@*/p/*/raw",
      "/@*/p/*/raw/*",
      "/@*/p/*/state",
      "/@*/p/???????",
      "/_files/*",
      "/_restricted/*",
      "/api/*",
      "/api/large-bodies",
      "/b/*",
      "/d/???????",
      "/favicon.ico",
      "/feed",
      "/mcp",
      "/oembed",
      "/p/*/raw",
      "/p/*/raw/*",
      "/p/*/state",
      "/p/???????",
    ]);
  });

  test("matches a folder's file before broader patterns, such as /@ada/p/aB3dE5f/raw/b/x.js", () => {
    const patterns = [...behaviors.keys()];

    for (const other of ["/@*/p/*/state", "/@*/b/*", "/@*/", "/@*/feed"])
      expect(patterns.indexOf("/@*/p/*/raw/*")).toBeLessThan(patterns.indexOf(other));
  });

  test("serves the icon from an edge function, without the API", () => {
    const { FunctionAssociations, CachePolicyId } = behaviors.get("/favicon.ico");

    expect(FunctionAssociations).toEqual([
      {
        EventType: "viewer-request",
        FunctionARN: { "Fn::GetAtt": [expect.stringMatching(/ShowIcon/), "FunctionARN"] },
      },
    ]);
    expect(CachePolicyId).toEqual(behaviors.get("/p/*/raw/*").CachePolicyId);
  });

  test("treats an owner's pages and files below /@ like those at other URLs", () => {
    for (const [pattern, below] of [
      ["/p/*/raw", "/@*/p/*/raw"],
      ["/p/*/raw/*", "/@*/p/*/raw/*"],
      ["/b/*", "/@*/b/*"],
      ["/", "/@*/"],
      ["/feed", "/@*/feed"],
    ] as const) {
      expect(behaviors.get(below)).toEqual({ ...behaviors.get(pattern), PathPattern: below });
    }
  });

  test("has no behavior below /@ if owners have hosts", () => {
    const named = distributionOf(givenStack({ baseUrl: "http://localhost:8787" }));

    expect(JSON.stringify(named.CacheBehaviors)).not.toContain("/@");
  });

  test("caches a page by host, owner, query, window kind and unlock cookie, for at most four hours", () => {
    const policy = cachePolicyOf("/p/*/raw");

    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 14_400 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: [
          "x-dropleaf-host",
          "x-dropleaf-owner",
          "x-dropleaf-query",
          "x-dropleaf-window",
          "x-dropleaf-level",
          "x-dropleaf-path",
        ],
      },
      QueryStringsConfig: { QueryStringBehavior: "none" },
      CookiesConfig: { CookieBehavior: "all" },
    });
  });

  test("caches a file by path, host and owner, for at most four hours", () => {
    const policy = cachePolicyOf("/b/*");

    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 14_400 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: ["x-dropleaf-host", "x-dropleaf-owner", "x-dropleaf-path"],
      },
      QueryStringsConfig: { QueryStringBehavior: "none" },
      CookiesConfig: { CookieBehavior: "none" },
    });
  });

  test("sends S3 no query string, which could change response headers", () => {
    expect(requestPolicyOf("/b/*")).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: [
          "x-dropleaf-address",
          "x-dropleaf-service-host",
          "x-dropleaf-sent-query",
          "Accept",
          "Sec-Fetch-Dest",
          "User-Agent",
        ],
      },
      QueryStringsConfig: { QueryStringBehavior: "none" },
      CookiesConfig: { CookieBehavior: "none" },
    });
  });

  test.each([
    ["a restricted file", "/_restricted/*", "StorageBlobs31FE9BCB"],
    ["an object of a folder", "/_files/*", "StoragePages2B0B5787"],
  ])("passes on signed requests for %s without signing them, and caches nothing", (_, pattern, bucket) => {
    const behavior = behaviors.get(pattern);
    const group = config.OriginGroups.Items.find(({ Id }: Behavior) => Id === behavior.TargetOriginId);
    const [first, second] = originsOf(group);

    expect(behavior).toMatchObject({
      CachePolicyId: cachingDisabled,
      ResponseHeadersPolicyId: behaviors.get("/b/*").ResponseHeadersPolicyId,
      FunctionAssociations: behaviors.get("/b/*").FunctionAssociations,
    });
    expect(behavior.AllowedMethods ?? ["GET", "HEAD"]).toEqual(["GET", "HEAD"]);
    expect(requestPolicyOf(pattern)).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: [
          "x-dropleaf-host",
          "x-dropleaf-address",
          "x-dropleaf-service-host",
          "x-dropleaf-path",
          "Accept",
        ],
      },
      QueryStringsConfig: { QueryStringBehavior: "all" },
      CookiesConfig: { CookieBehavior: "none" },
    });
    expect(first).not.toHaveProperty("OriginAccessControlId");
    expect(first).toMatchObject({
      DomainName: { "Fn::GetAtt": [bucket, "RegionalDomainName"] },
      S3OriginConfig: { OriginAccessIdentity: "" },
    });
    expect(group.FailoverCriteria.StatusCodes.Items).toEqual([400, 403, 404]);
    expect(second).toBe(config.Origins[0]);
  });

  test("cannot read restricted files from S3, whatever the path", () => {
    const [policy] = Object.values(resourcesOf(template, "AWS::S3::BucketPolicy")).filter((one) =>
      JSON.stringify(one).includes("RestrictedFiles"),
    );

    expect(policy?.Properties.PolicyDocument.Statement).toContainEqual({
      Sid: "RestrictedFiles",
      Effect: "Deny",
      Principal: { Service: "cloudfront.amazonaws.com" },
      Action: "s3:GetObject",
      Resource: {
        "Fn::Join": ["", [{ "Fn::GetAtt": ["StorageBlobs31FE9BCB", "Arn"] }, `/${restrictedPrefix}*`]],
      },
    });
  });

  test("requests the API's 404 page if S3 has no file or refuses", () => {
    const { TargetOriginId } = behaviors.get("/b/*");
    const group = config.OriginGroups.Items.find(({ Id }: Behavior) => Id === TargetOriginId);
    const [first, second] = originsOf(group);

    expect(group.FailoverCriteria.StatusCodes.Items).toEqual([403, 404]);
    expect(first).toHaveProperty("OriginAccessControlId");
    expect(second).toBe(config.Origins[0]);
  });

  test("accepts only GET and HEAD for files, as an origin group requires", () => {
    expect(behaviors.get("/b/*").AllowedMethods ?? ["GET", "HEAD"]).toEqual(["GET", "HEAD"]);
  });

  test("sets the policy of a file's kind with a function, and no policy that would replace it on a 304", () => {
    expect(behaviors.get("/b/*").FunctionAssociations).toContainEqual({
      EventType: "viewer-response",
      FunctionARN: { "Fn::GetAtt": [expect.stringMatching(/^EdgeBlobResponse/), "FunctionARN"] },
    });
    const { SecurityHeadersConfig, CustomHeadersConfig } = headersOf(template, "/b/*");
    expect(SecurityHeadersConfig).not.toHaveProperty("ContentSecurityPolicy");
    expect(SecurityHeadersConfig.ContentTypeOptions).toEqual({ Override: true });
    expect(CustomHeadersConfig).toBeUndefined();
  });

  test("supports HTTP/2 and HTTP/3 in all regions", () => {
    expect(config).toMatchObject({ HttpVersion: "http2and3", PriceClass: "PriceClass_All" });
  });
});

describe("cache tags", () => {
  test("are read from the header that functions and objects send", () => {
    const [name] = Object.keys(edgeCacheHeaders({ edgeSeconds: 1, tags: [] })).filter(
      (one) => one !== "cache-control",
    );
    const [ofObjects] = Object.keys(fileMetadata({ namespace: "ada", id: "abcdefg" }));

    expect(config.CacheTagConfig).toEqual({ HeaderName: name });
    // Amazon S3 user guide, "Working with object metadata": user-defined metadata.
    expect(name).toBe(`x-amz-meta-${ofObjects}`);
  });

  test("are removed from the responses of every caching behavior", () => {
    const kept = [...behaviors.keys()].filter((one) => behaviors.get(one).CachePolicyId !== cachingDisabled);
    expect(kept).not.toEqual([]);

    for (const pattern of [...kept, "*", "/_restricted/*", "/_files/*"])
      expect(headersOf(template, pattern).RemoveHeadersConfig.Items, pattern).toContainEqual({
        Header: config.CacheTagConfig.HeaderName,
      });
  });
});

describe("headers that the edge adds", () => {
  test("name the authentication scheme in API responses, whose own header a REST API renames", () => {
    const headers = headersOf(template, "/api/*");

    expect(headers.CustomHeadersConfig.Items).toEqual([
      { Header: "WWW-Authenticate", Value: "Bearer", Override: true },
      { Header: "X-Dropleaf-Version", Value: serviceVersion, Override: true },
    ]);
    expect(headers.RemoveHeadersConfig.Items).toEqual([{ Header: "x-amzn-Remapped-WWW-Authenticate" }]);
  });

  test("name the metadata with which MCP clients get a token", () => {
    const named = givenStack({ baseUrl: "http://localhost:8787" });

    const values = Object.values(resourcesOf(named, "AWS::CloudFront::ResponseHeadersPolicy")).flatMap(
      ({ Properties }) => Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items ?? [],
    );

    expect(values).toContainEqual({
      Header: "WWW-Authenticate",
      Value: 'Bearer resource_metadata="http://localhost:8787/.well-known/oauth-protected-resource/mcp"',
      Override: true,
    });
  });

  test.each(["*", "/api/*", "/p/*/raw"])(
    "forbid scripts in a response of %s without its own policy",
    (pattern) => {
      const security = headersOf(template, pattern).SecurityHeadersConfig;

      expect(security.ContentSecurityPolicy).toEqual({
        ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        Override: false,
      });
      expect(security.ContentTypeOptions).toEqual({ Override: true });
    },
  );

  test("require HTTPS for two years if the service supports it", () => {
    for (const pattern of behaviors.keys()) {
      expect(headersOf(template, pattern).SecurityHeadersConfig.StrictTransportSecurity).toEqual({
        AccessControlMaxAgeSec: 63_072_000,
        IncludeSubdomains: true,
        Override: true,
      });
    }
  });

  test("do not require HTTPS, and do not redirect, if the service does not support it", () => {
    const plain = givenStack({ baseUrl: "http://localhost:8787" });

    expect(JSON.stringify(plain.toJSON())).not.toContain("StrictTransportSecurity");
    expect(JSON.stringify(distributionOf(plain))).not.toContain("redirect-to-https");
  });
});

describe("names of the distribution", () => {
  test("are the service's host and all owners' hosts, with the given certificate", () => {
    const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d";

    const named = distributionOf(givenStack({ baseUrl: "https://drops.example.com", certificateArn }));

    expect(named.Aliases).toEqual(["drops.example.com", "*.drops.example.com"]);
    expect(named.ViewerCertificate).toMatchObject({
      AcmCertificateArn: certificateArn,
      MinimumProtocolVersion: "TLSv1.2_2021",
    });
  });

  test("are CloudFront's default name only, if the settings have no domain", () => {
    expect(config).not.toHaveProperty("Aliases");
  });
});

function distributionOf(stack: typeof template): Behavior {
  return onlyResource(stack, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
}

function originsOf(group: Behavior): Behavior[] {
  return group.Members.Items.map(({ OriginId }: Behavior) =>
    config.Origins.find((origin: Behavior) => origin.Id === OriginId),
  );
}

function cachePolicyOf(pattern: string): Behavior {
  const id = behaviors.get(pattern).CachePolicyId.Ref;
  return resourcesOf(template, "AWS::CloudFront::CachePolicy")[id]?.Properties.CachePolicyConfig;
}

function requestPolicyOf(pattern: string): Behavior {
  const id = behaviors.get(pattern).OriginRequestPolicyId.Ref;
  return resourcesOf(template, "AWS::CloudFront::OriginRequestPolicy")[id]?.Properties
    .OriginRequestPolicyConfig;
}

function headersOf(stack: typeof template, pattern: string): Behavior {
  const id = behaviors.get(pattern).ResponseHeadersPolicyId.Ref;
  return resourcesOf(stack, "AWS::CloudFront::ResponseHeadersPolicy")[id]?.Properties
    .ResponseHeadersPolicyConfig;
}
