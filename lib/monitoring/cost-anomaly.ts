import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/** The tag that everything of the stack carries, and by which its cost is told from the rest of the account. */
export const stackTag = "dropleaf:stack";

export interface CostAnomalyProps {
  /** An anomaly that cost less is not told. */
  readonly dollarsMin: number;
  readonly topic: ITopic;
}

/**
 * Tells of an unusual rise of the stack's cost. Not of the account's services: of that kind of monitor an account may
 * have one, which most have already. AWS Cost Management user guide, "Detecting unusual spend with AWS Cost Anomaly
 * Detection" and "Quotas and restrictions".
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
      // The only frequency that Amazon SNS can be told at.
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
