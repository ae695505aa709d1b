import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** The role by which EventBridge Scheduler invokes a stack's functions, for this account alone. */
class SchedulerRole extends Role {
  readonly #invoke: PolicyDocument;

  constructor(scope: Stack, id: string) {
    // EventBridge Scheduler user guide, "Cross-service confused deputy prevention".
    const fromThisAccount = { StringEquals: { "aws:SourceAccount": scope.account } };
    const invoke = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", { conditions: fromThisAccount }),
      inlinePolicies: { invoke },
    });
    this.#invoke = invoke;
  }

  mayInvoke(functionArns: readonly string[]): void {
    const resources = [...functionArns];
    this.#invoke.addStatements(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources }));
  }
}

/** The stack's one role for schedules, with permission to invoke these functions too. */
export function schedulerRole(scope: Construct, functionArns: readonly string[]): Role {
  const stack = Stack.of(scope);
  const id = "SchedulerRole";
  const role = (stack.node.tryFindChild(id) as SchedulerRole | undefined) ?? new SchedulerRole(stack, id);
  role.mayInvoke(functionArns);
  return role;
}

interface Invocation {
  readonly minutes: number;
  readonly functionArn: string;
  readonly role: Role;
  /** The event, as JSON. */
  readonly input: string;
}

/** Invokes a function every few minutes. EventBridge Scheduler user guide, "Rate-based schedules". */
export function invokeEvery(
  scope: Construct,
  id: string,
  { minutes, functionArn, role, input }: Invocation,
): void {
  const schedule = new CfnSchedule(scope, id, {
    scheduleExpression: minutes === 1 ? "rate(1 minute)" : `rate(${minutes} minutes)`,
    flexibleTimeWindow: { mode: "OFF" },
    target: {
      arn: functionArn,
      roleArn: role.roleArn,
      input,
      // The next invocation follows soon.
      retryPolicy: { maximumRetryAttempts: 0 },
    },
  });
  // CreateSchedule refuses a role that EventBridge Scheduler cannot assume yet.
  schedule.node.addDependency(role);
}
