import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** The role by which EventBridge Scheduler invokes functions, for this account alone. */
export function schedulerRole(scope: Construct, functionArns: readonly string[]): Role {
  // EventBridge Scheduler user guide, "Cross-service confused deputy prevention".
  const fromThisAccount = { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } };
  const invoke = new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [...functionArns] });
  return new Role(scope, "Role", {
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", { conditions: fromThisAccount }),
    inlinePolicies: { invoke: new PolicyDocument({ statements: [invoke] }) },
  });
}

/** A rate as EventBridge Scheduler wants it: its user guide, "Rate-based schedules". */
export function everyMinutes(minutes: number): string {
  return minutes === 1 ? "rate(1 minute)" : `rate(${minutes} minutes)`;
}
