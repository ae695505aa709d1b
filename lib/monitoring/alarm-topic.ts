import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface AlarmTopicProps {
  /** E-mail address that receives the alarms. @default - no subscription */
  readonly email: string | undefined;
}

/**
 * Services that publish to the topic: alarms, cost anomalies and budgets; see "Creating an Amazon SNS topic for budget notifications", AWS
 * Cost Management user guide.
 */
const publishers = ["cloudwatch.amazonaws.com", "costalerts.amazonaws.com", "budgets.amazonaws.com"];

/** SNS topic for all alarms. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: AlarmTopicProps) {
    super(scope, id);
    // The topic is not encrypted: CloudWatch cannot publish to a topic that is encrypted with an AWS managed key; see "Notifying users on
    // alarm changes", Amazon CloudWatch user guide.
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
