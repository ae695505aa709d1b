import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  WebFunction,
  WebFunctionAuthType,
  WebFunctionCode,
  WebFunctionRuntime,
} from "aws-cdk-lib/aws-lambda";
import { Bucket } from "aws-cdk-lib/aws-s3";
import type { Asset } from "aws-cdk-lib/aws-s3-assets";
import { Annotations, Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct, type IDependable } from "constructs";
import { edgeHeaders } from "../../functions/core/environment.ts";
import {
  ingestBlobActions,
  ingestEnvironmentsMax,
  ingestOperationIds,
  ingestRequestsPerEnvironment,
} from "../../functions/ingest/rows.ts";
import { grantsOf } from "../../functions/routes.ts";
import { monthOfLogs, writeStatement } from "../lambda/function-log.ts";
import {
  environmentOf,
  type GrantTargetsBehindEdge,
  grantEnvironment,
  grantStatements,
} from "../lambda/grants.ts";
import { valueAtDeployment } from "../secrets.ts";
import type { Domain } from "../settings/domain.ts";
import type { IngestLimit } from "../settings.ts";
import { privateBucket } from "../storage.ts";

/** An origin that a CloudFront Function can select by its id. */
export interface IngestOrigin {
  readonly origin: IOrigin;
  readonly originId: string;
  /** Endpoint of the origin. Edge functions that select the origin must be created after the endpoint. */
  readonly endpoint: IDependable;
}

export interface IngestWebFunctionProps extends GrantTargetsBehindEdge {
  /** Folder with the server's code in `index.mjs`. */
  readonly directory: string;
  readonly limit: IngestLimit;
  /**
   * Configured host names.
   *
   * @default - the server reads the host from each request, because the distribution has no name before this origin exists
   */
  readonly domain: Domain | undefined;
}

const originId = "ingest";
const grants = ingestOperationIds.flatMap(grantsOf);

/**
 * The server for large request bodies, a Lambda Web Function: a plain HTTP server that scales to zero.
 *
 * The endpoint is public, and the server accepts only requests with the edge's secret. IAM authorization is not possible: it requires a
 * header with the SHA-256 of each body, which is unknown before a stream ends. IAM would also need the Authorization header, which contains
 * the API token. See "Lambda Web Function endpoint access control", AWS Lambda developer guide.
 *
 * An environment always has 2 GB and 2 vCPUs, and the server uses less than a quarter of the memory. Some behavior can be observed only in
 * a real account; see docs/adr/0008-large-bodies.md.
 */
class IngestWebFunction extends Construct {
  readonly origin: IngestOrigin;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: IngestWebFunctionProps) {
    super(scope, id);
    const logGroup = monthOfLogs(this, "Log");
    // Lambda reads the code whenever an environment starts. The bucket can be deleted with the stack, because each revision's copy of the
    // code is deleted with the revision.
    const codeBucket = new Bucket(this, "CodeBucket", {
      ...privateBucket,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const copyGrants = new PolicyDocument({
      statements: [
        writeStatement(logGroup),
        // The construct's copy function writes and deletes versions of the code.
        new PolicyStatement({
          actions: ["s3:PutObject", "s3:DeleteObjectVersion"],
          resources: [codeBucket.arnForObjects("*")],
        }),
      ],
    });
    const webFunction = new WebFunction(this, "Function", {
      revisionDescription: "Receives large request bodies",
      code: WebFunctionCode.fromAssetToProvidedBucket(codeBucket, props.directory, {
        copyOptions: {
          logGroup,
          // The construct must not add its own policy, which would give the copy function access to every asset of the account.
          role: this.#roleOf("CopyRole", copyGrants).withoutPolicyUpdates(),
        },
      }),
      runtime: WebFunctionRuntime.NODEJS_24_X,
      entryPoint: "index.mjs",
      role: this.#roleOf(
        "Role",
        new PolicyDocument({ statements: [writeStatement(logGroup), ...statementsFor(props)] }),
      ),
      logGroup,
      environment: environmentFor(props),
      timeout: Duration.minutes(5),
      maxConcurrencyPerEnvironment: ingestRequestsPerEnvironment,
      defaultEndpoint: {
        endpointName: "large-bodies",
        maxEnvironments: ingestEnvironmentsMax,
        rateLimit: props.limit.requestsPerSecondMax,
      },
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
    });
    const { bucket, s3ObjectKey } = webFunction.node.findChild("Code") as Asset;
    copyGrants.addStatements(
      new PolicyStatement({ actions: ["s3:GetObject"], resources: [bucket.arnForObjects(s3ObjectKey)] }),
    );
    nameFunctionIn(webFunction);
    Annotations.of(this).acknowledgeWarning(
      "@aws-cdk/aws-lambda:webFunctionPublicEndpoint",
      "The server accepts only requests with the edge's secret.",
    );
    this.functionName = webFunction.webFunctionName;
    const origin = new HttpOrigin(webFunction.endpoint.domainName, {
      originId,
      customHeaders: { [edgeHeaders.originSecret]: valueAtDeployment(props.secrets.origin) },
      readTimeout: Duration.seconds(60),
    });
    this.origin = { origin, originId, endpoint: webFunction.endpoint };
  }

  #roleOf(id: string, grants: PolicyDocument): Role {
    return new Role(this, id, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: { grants },
    });
  }
}

export interface IngestProps extends Omit<IngestWebFunctionProps, "limit"> {
  /** Rate limit of the ingest server. Undefined if large request bodies are refused. */
  readonly limit: IngestLimit | undefined;
}

/** Receives request bodies that are too large for API Gateway and Lambda, and serves the same operations. */
export class Ingest extends Construct {
  /** Origin of the ingest server. Undefined if large request bodies are refused. */
  readonly origin: IngestOrigin | undefined;
  /** Name of the Web Function. Undefined if large request bodies are refused. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, { limit, ...props }: IngestProps) {
    super(scope, id);
    if (limit === undefined) return;
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", { ...props, limit });
    this.origin = origin;
    this.webFunctionName = functionName;
  }
}

/**
 * Refers to the function by its name in its revision and endpoint. With the construct's ARN, CloudFormation failed to read the endpoint's
 * domain name; see "Infrastructure as Code", Lambda Web Functions, github.com/aws/agent-toolkit-for-aws.
 */
function nameFunctionIn({ endpoint, resource, resourceRevision }: WebFunction): void {
  resourceRevision.functionName = resource.functionName;
  endpoint.resource.functionName = resource.functionName;
}

/** Returns the policy statements for the server's operations, and for aborting multipart uploads. */
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
      originSecret: [...secrets.acceptedOrigins.values()].map(valueAtDeployment).join(","),
    }),
    ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
  };
}
