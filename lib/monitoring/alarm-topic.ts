import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface AlarmTopicProps {
  /** @default - no subscription */
  readonly email: string | undefined;
}

/**
 * Publishers to the topic: alarms, cost anomalies, budgets. AWS Cost Management user guide, "Creating an Amazon SNS
 * topic for budget notifications".
 */
const publishers = ["cloudwatch.amazonaws.com", "costalerts.amazonaws.com", "budgets.amazonaws.com"];

/** SNS topic of all alarms. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: AlarmTopicProps) {
    super(scope, id);
    // Not encrypted: CloudWatch cannot publish to a topic with AWS's own key. Amazon CloudWatch user guide, "Notifying users on alarm
    // changes".
    this.topic = new Topic(this, "Topic", { displayName: Stack.of(this).stackName, enforceSSL: true });
    for (const service of publishers) {
      const principal = new ServicePrincipal(service, {
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      });
      this.topic.grantPublish(principal);
    }
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }
}
