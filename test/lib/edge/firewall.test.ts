import { describe, expect, test } from "vitest";
import { givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

test("there is no firewall, and no cost, by default", () => {
  for (const template of [givenStack(), givenStack({ waf: false })]) {
    expect(resourcesOf(template, "AWS::WAFv2::WebACL")).toEqual({});
    const { DistributionConfig } = onlyResource(template, "AWS::CloudFront::Distribution").Properties;
    expect(DistributionConfig).not.toHaveProperty("WebACLId");
  }
});

describe("a firewall", () => {
  const template = givenStack({ waf: true });
  const webAcl = onlyResource(template, "AWS::WAFv2::WebACL").Properties;
  const [rule] = webAcl.Rules;

  test("protects the distribution", () => {
    const { DistributionConfig } = onlyResource(template, "AWS::CloudFront::Distribution").Properties;

    expect(DistributionConfig.WebACLId).toEqual({
      "Fn::GetAtt": [expect.stringMatching(/^FirewallWebAcl/), "Arn"],
    });
    expect(webAcl.Scope).toBe("CLOUDFRONT");
    expect(webAcl.DefaultAction).toEqual({ Allow: {} });
  });

  test.each([
    [3_000, true],
    [50, { requestsPer5MinutesPerAddress: 50 }],
  ])("allows %i requests per address in 5 minutes", (limit, waf) => {
    const { Rules } = onlyResource(givenStack({ waf }), "AWS::WAFv2::WebACL").Properties;

    expect(Rules).toHaveLength(2);
    const openTabs = Rules[1].Statement.RateBasedStatement.ScopeDownStatement;
    expect(Rules.map(({ Statement }: { Statement: unknown }) => Statement)).toEqual([
      {
        RateBasedStatement: {
          AggregateKeyType: "IP",
          Limit: limit,
          EvaluationWindowSec: 300,
          ScopeDownStatement: { NotStatement: { Statement: openTabs } },
        },
      },
      {
        RateBasedStatement: {
          AggregateKeyType: "IP",
          Limit: limit * 10,
          EvaluationWindowSec: 300,
          ScopeDownStatement: openTabs,
        },
      },
    ]);
  });

  test("lets 200 people with one IP address keep pages open that poll every two seconds", () => {
    const { Limit } = webAcl.Rules[1].Statement.RateBasedStatement;

    expect(200 * (300 / 2)).toBeLessThanOrEqual(Limit);
  });

  test.each([
    ["/p/aB3dE5f/state", true],
    ["/@ada/p/aB3dE5f/state", true],
    ["/p/aB3dE5f", false],
    ["/p/aB3dE5f/raw", false],
    ["/api/drops/state", false],
    ["/x/p/aB3dE5f/state", false],
    ["/p/aB3dE5f/state/x", false],
  ])("counts %s as a request of an open tab: %s", (path, isCounted) => {
    const { RegexString, FieldToMatch } =
      webAcl.Rules[1].Statement.RateBasedStatement.ScopeDownStatement.RegexMatchStatement;

    expect(FieldToMatch).toEqual({ UriPath: {} });
    expect(new RegExp(RegexString).test(path)).toBe(isCounted);
  });

  test("refuses as the contract says: 429 with the same wait in header and body", () => {
    const { CustomResponseBodyKey, ResponseCode, ResponseHeaders } = rule.Action.Block.CustomResponse;
    const body = webAcl.CustomResponseBodies[CustomResponseBodyKey];
    const headers = Object.fromEntries(
      ResponseHeaders.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]),
    );

    expect(ResponseCode).toBe(429);
    expect(body.ContentType).toBe("APPLICATION_JSON");
    expect(JSON.parse(body.Content)).toEqual({
      error: {
        code: "rate_limited",
        message: expect.any(String),
        details: { retry_after_seconds: Number(headers["Retry-After"]) },
      },
    });
    expect(headers).toMatchObject({
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test("stores no sampled requests, whose headers contain tokens", () => {
    for (const { VisibilityConfig } of [webAcl, ...webAcl.Rules]) {
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
    }
  });
});
