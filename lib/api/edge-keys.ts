import { CfnApiKey, CfnUsagePlan, CfnUsagePlanKey, type Stage } from "aws-cdk-lib/aws-apigateway";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { valueAtDeployment } from "../secrets.ts";
import type { Throttle } from "./throttle.ts";

export interface EdgeKeysProps {
  readonly stage: Stage;
  /** Secrets that the edge may send, by number. */
  readonly secrets: ReadonlyMap<number, Secret>;
  /** Rate limit for all methods together. */
  readonly throttle: Throttle;
  readonly requestsPerDayMax: number;
}

/**
 * The edge's API keys, in a usage plan that limits requests per day; see docs/adr/0019-api-key-of-the-edge.md. Throttle and quota apply per
 * key, and the edge sends only one key.
 *
 * The keys are added without the CDK's `addApiKey`, which gives the plan's first key a different kind of logical id. After a removal of the
 * first key, CloudFormation would therefore add the second key again, and API Gateway would refuse it.
 */
export class EdgeKeys extends Construct {
  constructor(scope: Construct, id: string, { stage, secrets, throttle, requestsPerDayMax }: EdgeKeysProps) {
    super(scope, id);
    const { ref: usagePlanId } = new CfnUsagePlan(this, "Plan", {
      description: "Limits the number of requests from the edge to the API",
      apiStages: [{ apiId: stage.restApi.restApiId, stage: stage.stageName }],
      throttle,
      quota: { limit: requestsPerDayMax, period: "DAY" },
    });
    for (const [number, secret] of secrets) {
      const { ref: keyId } = new CfnApiKey(this, `Key${number}`, {
        description: "API key that the edge sends with every request",
        enabled: true,
        value: valueAtDeployment(secret),
      });
      new CfnUsagePlanKey(this, `PlanKey${number}`, { keyId, keyType: "API_KEY", usagePlanId });
    }
  }
}
