import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, type Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { memoryMegabytesDefault } from "../functions/contract/memory.ts";

export interface OperationFunctionProps {
  readonly description: string;
  readonly code: Code;
  /** The exported name of the handler in `index.mjs`. */
  readonly exportName: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the function may do besides writing its own log. */
  readonly statements: readonly PolicyStatement[];
  /** @default - 28 s: below the 29 s of API Gateway, so that the function itself can say what happened */
  readonly timeout?: Duration;
  /** In MB. @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number | undefined;
  /** How many may work at once, of the account's, which are kept free for it. @default - as many as are left */
  readonly reservedConcurrency?: number | undefined;
}

/** One Lambda function with a role and a log group of its own. */
export class OperationFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: OperationFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: {
        grants: new PolicyDocument({ statements: [writeLog(logGroup), ...props.statements] }),
      },
    });
    this.function = new LambdaFunction(this, "Function", {
      description: props.description,
      code: props.code,
      handler: `index.${props.exportName}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? memoryMegabytesDefault,
      timeout: props.timeout ?? Duration.seconds(28),
      environment: { ...props.environment },
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      role,
      logGroup,
    });
  }
}

/** Less than AWSLambdaBasicExecutionRole, which allows every log group of the account. */
function writeLog(logGroup: LogGroup): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [logGroup.logGroupArn],
  });
}
