import { CfnStage } from "aws-cdk-lib/aws-apigateway";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/**
 * Turns on AWS X-Ray for every function and API stage below a construct. Lambda sends the traces with the functions' roles, which share one
 * policy for tracing; see "Visualize Lambda function invocations using AWS X-Ray", AWS Lambda developer guide.
 *
 * @param untraced constructs whose functions get no permissions and are not traced.
 * @default - none
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
  // The CDK's own function for deployments is not traced: its role may not send traces, so Lambda would refuse the function.
  const ofDeployments = scope.node.children.filter(({ node }) => node.id.startsWith("Custom::S3ObjectCopy"));
  const left = new Set([...untraced, ...ofDeployments].flatMap(({ node }) => node.findAll()));
  for (const construct of scope.node.findAll().filter((one) => !left.has(one))) {
    if (construct instanceof LambdaFunction) construct.role?.addManagedPolicy(permission);
    if (construct instanceof CfnFunction) construct.tracingConfig = { mode: "Active" };
    if (construct instanceof CfnStage) construct.tracingEnabled = true;
  }
}
