import { CfnStage } from "aws-cdk-lib/aws-apigateway";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/**
 * Has AWS X-Ray trace every function and API stage below a construct. The functions themselves send nothing: Lambda
 * does, and it needs their roles for it, on no resource in particular: one policy for all of them. AWS Lambda developer
 * guide, "Visualize Lambda function invocations using AWS X-Ray".
 *
 * @param untraced what is below these is left as it is: it may do nothing, and not that either. @default - all is traced
 */
export function traceAll(scope: Construct, untraced: readonly Construct[] = []): void {
  const permission = new ManagedPolicy(scope, "Tracing", {
    statements: [
      new PolicyStatement({
        actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
        resources: ["*"],
      }),
    ],
  });
  const left = new Set(untraced.flatMap(({ node }) => node.findAll()));
  for (const construct of scope.node.findAll().filter((one) => !left.has(one))) {
    if (construct instanceof LambdaFunction) construct.role?.addManagedPolicy(permission);
    if (construct instanceof CfnFunction) construct.tracingConfig = { mode: "Active" };
    if (construct instanceof CfnStage) construct.tracingEnabled = true;
  }
}
