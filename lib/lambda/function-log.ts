import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/**
 * Log group of functions of one kind. Each line names its operation, and a log query spans at most 50 groups. Amazon
 * CloudWatch Logs user guide, "CloudWatch Logs quotas".
 */
export class FunctionLog extends Construct {
  readonly group: LogGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.group = new LogGroup(this, "Group", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Less than AWSLambdaBasicExecutionRole, which allows every log group of the account. */
  writeStatement(): PolicyStatement {
    return new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [this.group.logGroupArn],
    });
  }
}
