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

/** An origin that a CloudFront Function can choose by its id. */
export interface IngestOrigin {
  readonly origin: IOrigin;
  readonly originId: string;
  /** The endpoint behind the origin. Edge functions that select the origin are created after it. */
  readonly endpoint: IDependable;
}

export interface IngestWebFunctionProps extends GrantTargetsBehindEdge {
  /** The folder with the server's code, `index.mjs`. */
  readonly directory: string;
  readonly limit: IngestLimit;
  /** @default - the server learns it from each request, since the distribution has no name before this origin exists */
  readonly domain: Domain | undefined;
}

const originId = "ingest";
const grants = ingestOperationIds.flatMap(grantsOf);

/**
 * The server for large bodies as a Lambda Web Function: a plain HTTP server that scales to zero.
 *
 * Its endpoint is public, and the server takes only requests with the edge's secret: an endpoint with IAM authorization requires the
 * SHA-256 of each body in a header, which is unknown before a stream ends, and uses the Authorization header, which carries the API token.
 * AWS Lambda developer guide, "Lambda Web Function endpoint access control".
 *
 * An environment has 2 GB and 2 vCPUs, without a setting; the server uses less than a quarter of the memory. docs/adr/0008-large-bodies.md
 * lists what only a real account can show.
 */
export class IngestWebFunction extends Construct {
  readonly origin: IngestOrigin;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: IngestWebFunctionProps) {
    super(scope, id);
    const logGroup = monthOfLogs(this, "Log");
    const codeBucket = this.#codeBucket();
    const copyGrants = new PolicyDocument({
      statements: [writeStatement(logGroup), copyToStatement(codeBucket)],
    });
    const webFunction = new WebFunction(this, "Function", {
      revisionDescription: "Receives large request bodies",
      code: WebFunctionCode.fromAssetToProvidedBucket(codeBucket, props.directory, {
        copyOptions: {
          logGroup,
          // Otherwise the construct adds a policy that gives the function access to every asset of the account.
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
    const asset = webFunction.node.findChild("Code") as Asset;
    copyGrants.addStatements(copyFromStatement(asset));
    nameFunctionIn(webFunction);
    Annotations.of(this).acknowledgeWarning(
      "@aws-cdk/aws-lambda:webFunctionPublicEndpoint",
      "The server takes only requests with the edge's secret.",
    );
    this.functionName = webFunction.webFunctionName;
    const origin = new HttpOrigin(webFunction.endpoint.domainName, {
      originId,
      customHeaders: { [edgeHeaders.originSecret]: valueAtDeployment(props.secrets.origin) },
      readTimeout: Duration.seconds(60),
    });
    this.origin = { origin, originId, endpoint: webFunction.endpoint };
  }

  /**
   * Bucket of the code, which Lambda reads whenever an environment starts. It may be deleted with the stack: the copy of each revision is
   * deleted with the revision.
   */
  #codeBucket(): Bucket {
    return new Bucket(this, "CodeBucket", { ...privateBucket, removalPolicy: RemovalPolicy.DESTROY });
  }

  #roleOf(id: string, grants: PolicyDocument): Role {
    return new Role(this, id, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: { grants },
    });
  }
}

/** The construct's own copy function writes and deletes versions of the code. */
function copyToStatement(bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    actions: ["s3:PutObject", "s3:DeleteObjectVersion"],
    resources: [bucket.arnForObjects("*")],
  });
}

function copyFromStatement({ bucket, s3ObjectKey }: Asset): PolicyStatement {
  return new PolicyStatement({ actions: ["s3:GetObject"], resources: [bucket.arnForObjects(s3ObjectKey)] });
}

/**
 * Names the function in its revision and endpoint. The construct uses the ARN, with which CloudFormation has failed to read the endpoint's
 * domain name: github.com/aws/agent-toolkit-for-aws, "Infrastructure as Code", of Lambda Web Functions.
 */
function nameFunctionIn({ endpoint, resource, resourceRevision }: WebFunction): void {
  resourceRevision.functionName = resource.functionName;
  endpoint.resource.functionName = resource.functionName;
}

/** Statements of all the server's rows, without actions that only their combination would allow. */
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
