import type { IRole } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type CfnFunction,
  type Code,
  Function as LambdaFunction,
  Runtime,
  type TenancyConfig,
} from "aws-cdk-lib/aws-lambda";
import { Aws, Duration, type Size } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { memoryMegabytesDefault } from "../../functions/http/route.ts";
import type { FunctionLog } from "./function-log.ts";

/**
 * Prefix of the names of all functions that serve requests, so that one resource of a policy covers them. A stack's name has no underscore:
 * no other stack's functions begin with it.
 */
export const operationFunctionPrefix = `${Aws.STACK_NAME}_`;

export interface OperationFunctionProps {
  /**
   * A fixed name. CloudFormation cannot replace a resource with a fixed name: a change that replaces the function needs another name.
   * @default - CloudFormation generates one
   */
  readonly functionName?: string;
  readonly description: string;
  readonly code: Code;
  /** The exported name of the handler in `index.mjs`. */
  readonly exportName: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Role of the function, with the permission to write logs. */
  readonly role: IRole;
  readonly log: FunctionLog;
  /** @default - 28 s: below the 29 s of API Gateway, so that the function itself can report the timeout */
  readonly timeout?: Duration;
  /** @default - arm64 */
  readonly architecture?: Architecture;
  /** In MB. @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number | undefined;
  /** Size of `/tmp`. @default - 512 MB */
  readonly temporaryStorage?: Size | undefined;
  /** Tenancy of the environments. @default - shared */
  readonly tenancy?: TenancyConfig;
  /** The network of the function. @default - the internet, without a network of the account */
  readonly network?: CfnFunction.VpcConfigProperty;
  /** Reserved concurrency of the function. @default - unreserved */
  readonly reservedConcurrency?: number | undefined;
}

/** One Lambda function: a single resource of the stack. */
export class OperationFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: OperationFunctionProps) {
    super(scope, id);
    this.function = new LambdaFunction(this, "Function", {
      functionName: props.functionName,
      description: props.description,
      code: props.code,
      handler: `index.${props.exportName}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture ?? Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? memoryMegabytesDefault,
      ephemeralStorageSize: props.temporaryStorage,
      timeout: props.timeout ?? Duration.seconds(28),
      environment: { ...props.environment },
      reservedConcurrentExecutions: props.reservedConcurrency,
      role: props.role,
      logGroup: props.log.group,
      tenancyConfig: props.tenancy,
    });
    // Set on the resource itself: the construct's property takes a network of the CDK's, with resources that are not needed here.
    if (props.network) (this.function.node.defaultChild as CfnFunction).vpcConfig = props.network;
  }
}
