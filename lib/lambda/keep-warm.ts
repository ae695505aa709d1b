import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { keepWarmEvent, keepWarmMinutesDefault } from "../../functions/http/environment.ts";
import type { OperationId } from "../../functions/routes.ts";
import { constructId } from "../bundle/function-source.ts";
import { functionOf } from "./operations.ts";

/**
 * Operations that `keepWarm` keeps ready: those that a reader or agent waits for first. Later calls, and those that
 * nobody waits for, need no schedule.
 */
export const keptWarmOperations = [
  "view-drop",
  "read-raw-page",
  "publish-drop",
  "publish-version",
  "call-mcp",
] as const satisfies readonly OperationId[];

interface KeepWarmProps {
  readonly functions: ReadonlyMap<OperationId, IFunction>;
  /** The setting: how many minutes lie between two calls; `true` is `keepWarmMinutesDefault`. */
  readonly every: true | number;
}

/**
 * Calls the functions that people and agents wait for, so that one environment of each is there. Two calls at once would
 * not warm two: Lambda gives the second to whichever is free.
 */
export class KeepWarm extends Construct {
  constructor(scope: Construct, id: string, { functions, every }: KeepWarmProps) {
    super(scope, id);
    const minutes = every === true ? keepWarmMinutesDefault : every;
    const targets = keptWarmOperations.map((operation) => ({
      operation,
      arn: functionOf(functions, operation).functionArn,
    }));
    // EventBridge Scheduler user guide, "Cross-service confused deputy prevention".
    const fromThisAccount = { StringEquals: { "aws:SourceAccount": Stack.of(this).account } };
    const invoke = new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: targets.map(({ arn }) => arn),
    });
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", { conditions: fromThisAccount }),
      inlinePolicies: { invoke: new PolicyDocument({ statements: [invoke] }) },
    });
    for (const { operation, arn } of targets) {
      new CfnSchedule(this, constructId(operation), {
        scheduleExpression: minutes === 1 ? "rate(1 minute)" : `rate(${minutes} minutes)`,
        flexibleTimeWindow: { mode: "OFF" },
        target: {
          arn,
          roleArn: role.roleArn,
          input: JSON.stringify(keepWarmEvent),
          // The next one is on its way.
          retryPolicy: { maximumRetryAttempts: 0 },
        },
      });
    }
  }
}
