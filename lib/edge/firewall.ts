import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { ApiError } from "../../functions/core/errors.ts";
import type { FirewallLimit } from "../settings/operating-settings.ts";
import { strictestPolicy } from "./edge-policies.ts";

export interface FirewallProps {
  readonly limit: FirewallLimit;
}

/** Limit for `waf: true`: 10 requests a second. An office whose readers share one network address stays below the limit. */
export const firewallLimitDefault: FirewallLimit = { requestsPer5MinutesPerAddress: 3_000 };

/**
 * Ratio of the limit for state requests of open tabs to the limit for other requests. A tab sends up to 150 state requests in 5 minutes. In
 * an office of 200 people, that is ten times the limit for other requests. See docs/adr/0058-viewer-polling.md.
 */
const stateRequestsFactor = 10;

/** Maximum limit of a rule; see "RateBasedStatement", AWS WAF API reference. */
const limitMax = 2_000_000_000;

/** Matches requests for a drop's state. If owners have no host names, the path begins with the owner's prefix. */
const stateRequests = {
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: "^(/@[^/]+)?/p/[A-Za-z0-9]{7}/state$",
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
} satisfies CfnWebACL.StatementProperty;

/** Window in which AWS WAF counts requests. */
const windowSeconds = 300;

const answerName = "rate-limited";

const refusal = new ApiError("rate_limited", { retryAfterSeconds: windowSeconds });

/**
 * Blocks network addresses that send too many requests to the edge. The content of requests is not inspected, because inspection rules
 * would mistake published pages for attacks.
 *
 * Sources, AWS WAF developer guide: "Using rate-based rule statements in AWS WAF"; "Sending custom responses for Block actions".
 */
export class Firewall extends Construct {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, { limit }: FirewallProps) {
    super(scope, id);
    const webAcl = new CfnWebACL(this, "WebAcl", {
      scope: "CLOUDFRONT",
      description: "Dropleaf: request limit per address",
      defaultAction: { allow: {} },
      customResponseBodies: {
        [answerName]: { contentType: "APPLICATION_JSON", content: JSON.stringify(refusal.toBody()) },
      },
      rules: [
        this.#rateRule(0, "requests-per-address", {
          limit: limit.requestsPer5MinutesPerAddress,
          scopeDownStatement: { notStatement: { statement: stateRequests } },
        }),
        this.#rateRule(1, "open-tabs-per-address", {
          limit: Math.min(limit.requestsPer5MinutesPerAddress * stateRequestsFactor, limitMax),
          scopeDownStatement: stateRequests,
        }),
      ],
      visibilityConfig: this.#visibility("all"),
    });
    this.webAclArn = webAcl.attrArn;
  }

  #rateRule(
    priority: number,
    name: string,
    counted: Pick<CfnWebACL.RateBasedStatementProperty, "limit" | "scopeDownStatement">,
  ): CfnWebACL.RuleProperty {
    const customResponse = {
      responseCode: refusal.status,
      customResponseBodyKey: answerName,
      responseHeaders: refusalHeaders,
    };
    return {
      name,
      priority,
      statement: {
        rateBasedStatement: { aggregateKeyType: "IP", evaluationWindowSec: windowSeconds, ...counted },
      },
      action: { block: { customResponse } },
      visibilityConfig: this.#visibility(name),
    };
  }

  #visibility(name: string): CfnWebACL.VisibilityConfigProperty {
    return {
      metricName: `${Stack.of(this).stackName}-${name}`,
      cloudWatchMetricsEnabled: true,
      // Sampling is off, because a sample contains headers and query strings, including tokens.
      sampledRequestsEnabled: false,
    };
  }
}

/**
 * Headers of every JSON response. AWS does not document that a response headers policy applies to the firewall's responses, so the firewall
 * sets the headers itself.
 */
const refusalHeaders = [
  { name: "Retry-After", value: String(windowSeconds) },
  { name: "Cache-Control", value: "no-store" },
  { name: "Content-Security-Policy", value: strictestPolicy },
  { name: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { name: "Strict-Transport-Security", value: "max-age=63072000; includeSubDomains" },
  { name: "X-Content-Type-Options", value: "nosniff" },
];
