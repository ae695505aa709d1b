import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  WebFunction,
  WebFunctionAuthType,
  WebFunctionCode,
  WebFunctionRuntime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { ingestEnvironmentsMax, ingestRequestsPerEnvironment } from "../../functions/ingest/rows.ts";
import type { IngestServerProps } from "./ingest-server.ts";

/**
 * The server for large bodies as a Lambda Web Function: a plain HTTP server that scales to zero.
 *
 * Its endpoint is public, and the server takes only requests with the edge's secret: an endpoint with IAM authorization
 * wants the SHA-256 of each body in a header, which nobody knows before a stream ends, and takes the Authorization header
 * that carries the API token for itself. AWS Lambda developer guide, "Lambda Web Function endpoint access control".
 *
 * An environment has 2 GB and 2 vCPUs, without a setting; the server uses less than a quarter of the memory.
 * What only a real account can show: whether the endpoint has a limit for bodies (none is documented), and what a client
 * sees whom Lambda itself refuses because all environments are full: CloudFront passes such a 429 on as it is.
 */
export class IngestWebFunction extends Construct {
  readonly origin: IOrigin;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: IngestServerProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const writeLog = new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [logGroup.logGroupArn],
    });
    const copyLog = new LogGroup(this, "CopyLog", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { endpoint, webFunctionName } = new WebFunction(this, "Function", {
      revisionDescription: "Takes large request bodies",
      code: WebFunctionCode.fromAssetToManagedBucket(props.directory, {
        copyOptions: { logGroup: copyLog },
      }),
      runtime: WebFunctionRuntime.NODEJS_24_X,
      entryPoint: "index.mjs",
      role: new Role(this, "Role", {
        assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
        inlinePolicies: { grants: new PolicyDocument({ statements: [writeLog, ...props.statements] }) },
      }),
      logGroup,
      environment: { ...props.environment },
      timeout: Duration.minutes(5),
      maxConcurrencyPerEnvironment: ingestRequestsPerEnvironment,
      // Its rate is bounded by the server itself: `functions/ingest/admission.ts`.
      defaultEndpoint: { maxEnvironments: ingestEnvironmentsMax },
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
    });
    this.functionName = webFunctionName;
    this.origin = new HttpOrigin(endpoint.domainName, {
      ...props.originProps,
      readTimeout: Duration.seconds(60),
    });
  }
}
