import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/** Tag on every resource of the stack. AWS attributes cost to the stack by this tag. */
export const stackTag = "dropleaf:stack";

export interface CostAnomalyProps {
  /** Threshold in dollars. Smaller anomalies are not reported. */
  readonly dollarsMin: number;
  readonly topic: ITopic;
}

/**
 * Reports unusual increases of the stack's cost. The monitor selects the stack by its tag, because an account can have only one monitor for
 * all AWS services; see "Detecting unusual spend with AWS Cost Anomaly Detection" and "Quotas and restrictions", AWS Cost Management user
 * guide.
 */
export class CostAnomaly extends Construct {
  constructor(scope: Construct, id: string, { dollarsMin, topic }: CostAnomalyProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const monitor = new CfnAnomalyMonitor(this, "Monitor", {
      monitorName: stackName,
      monitorType: "CUSTOM",
      monitorSpecification: JSON.stringify({ Tags: { Key: stackTag, Values: [stackName] } }),
    });
    new CfnAnomalySubscription(this, "Subscription", {
      subscriptionName: `${stackName}-cost-anomaly`,
      monitorArnList: [monitor.attrMonitorArn],
      subscribers: [{ type: "SNS", address: topic.topicArn }],
      // Amazon SNS subscribers support only this frequency.
      frequency: "IMMEDIATE",
      thresholdExpression: JSON.stringify({
        Dimensions: {
          Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
          MatchOptions: ["GREATER_THAN_OR_EQUAL"],
          Values: [String(dollarsMin)],
        },
      }),
    });
  }
}
