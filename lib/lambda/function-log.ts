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
    this.group = monthOfLogs(this, "Group");
  }

  writeStatement(): PolicyStatement {
    return writeStatement(this.group);
  }
}

/** A log group that keeps its lines for a month and goes with the stack. */
export function monthOfLogs(scope: Construct, id: string): LogGroup {
  return new LogGroup(scope, id, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** Permission to write to this log group. AWSLambdaBasicExecutionRole allows every log group of the account. */
export function writeStatement({ logGroupArn }: LogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [logGroupArn],
  });
}
