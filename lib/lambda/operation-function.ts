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
 * Name prefix of all functions that serve requests, so that one policy resource covers them. A stack name cannot contain an underscore, so
 * no other stack's functions begin with this prefix.
 */
export const operationFunctionPrefix = `${Aws.STACK_NAME}_`;

export interface OperationFunctionProps {
  /**
   * Fixed name of the function. CloudFormation cannot replace a resource with a fixed name, so a change that replaces the function must
   * also change the name.
   * @default - CloudFormation generates a name
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
  /** Timeout of the function. @default - 28 s, which is below API Gateway's 29 s, so that the function itself can report the timeout */
  readonly timeout?: Duration;
  /** Processor architecture. @default - arm64 */
  readonly architecture?: Architecture;
  /** Memory in MB. @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number | undefined;
  /** Size of `/tmp`. @default - 512 MB */
  readonly temporaryStorage?: Size | undefined;
  /** Tenant isolation of the execution environments. @default - shared by all tenants */
  readonly tenancy?: TenancyConfig;
  /** VPC of the function. @default - no VPC; the function can reach the internet */
  readonly network?: CfnFunction.VpcConfigProperty;
  /** Reserved concurrency of the function. @default - unreserved */
  readonly reservedConcurrency?: number | undefined;
}

/** A Lambda function that is a single CloudFormation resource. */
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
    // Sets the VPC on the CloudFormation resource, because the construct requires a CDK `Vpc` with resources that are not needed here.
    if (props.network) (this.function.node.defaultChild as CfnFunction).vpcConfig = props.network;
  }
}
