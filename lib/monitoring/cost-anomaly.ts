import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/** The tag of every resource in the stack, by which AWS reports the stack's cost. */
export const stackTag = "dropleaf:stack";

export interface CostAnomalyProps {
  /** Anomalies below this cost send no message. */
  readonly dollarsMin: number;
  readonly topic: ITopic;
}

/**
 * Reports unusual rises of the stack's cost. It monitors a tag, since an account can have only one monitor for all AWS services. AWS Cost
 * Management user guide, "Detecting unusual spend with AWS Cost Anomaly Detection" and "Quotas and restrictions".
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
      // Amazon SNS supports no other frequency.
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
