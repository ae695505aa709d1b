import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  WebFunction,
  WebFunctionAuthType,
  WebFunctionCode,
  WebFunctionRuntime,
} from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { edgeHeaders } from "../../functions/http/environment.ts";
import {
  ingestBlobActions,
  ingestEnvironmentsMax,
  ingestOperationIds,
  ingestRequestsPerEnvironment,
} from "../../functions/ingest/rows.ts";
import { routeOf } from "../../functions/routes.ts";
import { monthOfLogs, writeStatement } from "../lambda/function-log.ts";
import {
  environmentOf,
  type GrantTargetsBehindEdge,
  grantEnvironment,
  grantStatements,
} from "../lambda/grants.ts";
import { valueAtDeployment } from "../secrets.ts";
import type { Domain } from "../settings/domain.ts";

/** An origin that a CloudFront Function can choose by its id. */
export interface IngestOrigin {
  readonly origin: IOrigin;
  readonly originId: string;
}

export interface IngestWebFunctionProps extends GrantTargetsBehindEdge {
  /** The folder with the server's code, `index.mjs`. */
  readonly directory: string;
  /** @default - the server learns it from the edge, whose name the distribution only gets with this origin */
  readonly domain: Domain | undefined;
}

const originId = "ingest";
const grants = ingestOperationIds.map((id) => routeOf(id).grants);

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
  readonly origin: IngestOrigin;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: IngestWebFunctionProps) {
    super(scope, id);
    const logGroup = monthOfLogs(this, "Log");
    const copyLog = monthOfLogs(this, "CopyLog");
    const { endpoint, webFunctionName } = new WebFunction(this, "Function", {
      revisionDescription: "Takes large request bodies",
      code: WebFunctionCode.fromAssetToManagedBucket(props.directory, {
        copyOptions: { logGroup: copyLog },
      }),
      runtime: WebFunctionRuntime.NODEJS_24_X,
      entryPoint: "index.mjs",
      role: new Role(this, "Role", {
        assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
        inlinePolicies: {
          grants: new PolicyDocument({ statements: [writeStatement(logGroup), ...statementsFor(props)] }),
        },
      }),
      logGroup,
      environment: environmentFor(props),
      timeout: Duration.minutes(5),
      maxConcurrencyPerEnvironment: ingestRequestsPerEnvironment,
      // Its rate is bounded by the server itself: `functions/ingest/admission.ts`.
      defaultEndpoint: { maxEnvironments: ingestEnvironmentsMax },
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
    });
    this.functionName = webFunctionName;
    const origin = new HttpOrigin(endpoint.domainName, {
      originId,
      customHeaders: { [edgeHeaders.originSecret]: valueAtDeployment(props.secrets.origin) },
      readTimeout: Duration.seconds(60),
    });
    this.origin = { origin, originId };
  }
}

/** Statements for the server's rows together, without actions that only a combination would allow. */
function statementsFor(props: IngestWebFunctionProps): PolicyStatement[] {
  return [
    ...grants.flatMap((grant) => grantStatements(grant, props)),
    new PolicyStatement({
      actions: ingestBlobActions.map((action) => `s3:${action}`),
      resources: [props.storage.blobs.arnForObjects("*")],
    }),
  ];
}

function environmentFor(props: IngestWebFunctionProps): Record<string, string> {
  const { domain, secrets, securityContact } = props;
  return {
    ...environmentOf({
      baseUrl: domain?.baseUrl,
      baseDomain: domain?.baseDomain,
      securityContact,
      originSecret: secrets.acceptedOrigins,
    }),
    ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
  };
}
