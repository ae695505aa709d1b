import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { keepWarmEvent, keepWarmMinutesDefault } from "../../functions/core/environment.ts";
import type { OperationId } from "../../functions/routes.ts";
import { constructId } from "../bundle/function-source.ts";
import { functionOf } from "./operations.ts";
import { invokeEvery, schedulerRole } from "./schedule.ts";

/** Operations whose functions `keepWarm` keeps warm. Readers and agents call these operations first, and wait for the response. */
export const keptWarmOperations = [
  "view-drop",
  "read-raw-page",
  "read-folder-file",
  "publish-drop",
  "publish-version",
  "call-mcp",
] as const satisfies readonly OperationId[];

interface KeepWarmProps {
  readonly functions: ReadonlyMap<OperationId, IFunction>;
  /** Value of the setting `keepWarm`: minutes between two calls, or `true` for `keepWarmMinutesDefault`. */
  readonly every: true | number;
}

/**
 * Keeps one execution environment warm for each function that people and agents wait for. Two concurrent calls would not reliably keep two
 * environments warm, because Lambda sends the second call to any free environment.
 */
export class KeepWarm extends Construct {
  constructor(scope: Construct, id: string, { functions, every }: KeepWarmProps) {
    super(scope, id);
    const minutes = every === true ? keepWarmMinutesDefault : every;
    const arnOf = (operation: OperationId) => functionOf(functions, operation).functionArn;
    const role = schedulerRole(this, keptWarmOperations.map(arnOf));
    const input = JSON.stringify(keepWarmEvent);
    for (const operation of keptWarmOperations)
      invokeEvery(this, constructId(operation), { minutes, functionArn: arnOf(operation), role, input });
  }
}
