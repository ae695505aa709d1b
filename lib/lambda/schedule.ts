import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** Role with which EventBridge Scheduler invokes the stack's functions. Only schedules of this account can assume the role. */
class SchedulerRole extends Role {
  readonly #invoke: PolicyDocument;

  constructor(scope: Stack, id: string) {
    // See "Cross-service confused deputy prevention", EventBridge Scheduler user guide.
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

/** Returns the stack's only role for schedules, and adds the permission to invoke these functions. */
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
  /** JSON of the event that the function receives. */
  readonly input: string;
}

/** Invokes a function at a fixed interval in minutes; see "Rate-based schedules", EventBridge Scheduler user guide. */
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
      // No retries, because the next invocation follows soon.
      retryPolicy: { maximumRetryAttempts: 0 },
    },
  });
  // The schedule is created after its role, because CreateSchedule refuses a role that EventBridge Scheduler cannot assume yet.
  schedule.node.addDependency(role);
}
