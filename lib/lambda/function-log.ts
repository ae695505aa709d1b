import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/**
 * Log group shared by functions of one kind, because a log query can read at most 50 groups; see "CloudWatch Logs quotas", Amazon
 * CloudWatch Logs user guide. Each log entry names its operation.
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

/** Creates a log group that keeps log entries for a month and is deleted with the stack. */
export function monthOfLogs(scope: Construct, id: string): LogGroup {
  return new LogGroup(scope, id, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** Allows writing to this log group. AWSLambdaBasicExecutionRole would allow every log group of the account. */
export function writeStatement({ logGroupArn }: LogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [logGroupArn],
  });
}
