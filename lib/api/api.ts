import { ApiDefinition, EndpointType, SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { ArnFormat, Aws, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { type OperationId, operationIds, optionalOperationIds, routeOf } from "../../functions/routes.ts";
import { operationFunctionPrefix } from "../lambda/operation-function.ts";
import { functionOf } from "../lambda/operations.ts";
import { requestsPerDayDefault } from "../settings.ts";
import { defineApi } from "./api-definition.ts";
import { EdgeKeys } from "./edge-keys.ts";
import { throttlesFor } from "./throttle.ts";

export interface ApiProps {
  /** Functions that serve requests, by operation id. */
  readonly functions: ReadonlyMap<OperationId, IFunction>;
  /** Secrets that the edge may send as its API key, by number. */
  readonly edgeSecrets: ReadonlyMap<number, Secret>;
  /** Concurrency limit of the account. @default - the limit of a new account */
  readonly concurrentExecutions?: number | undefined;
  /** Maximum number of requests per day. @default 500,000 */
  readonly requestsPerDayMax?: number | undefined;
}

/** Operation that responds to unknown methods and paths. */
const notFoundId: OperationId = "show-not-found";

/**
 * The regional REST API behind the edge; see docs/adr/0027-api-gateway-and-roles.md. The deployment's id is derived from the API
 * definition, so that a changed definition is deployed.
 */
export class Api extends Construct {
  readonly restApi: SpecRestApi;
  /** Host name of the API. The API refuses requests without one of the edge's keys. */
  readonly domainName: string;
  /** Name of the API's only stage. CloudFormation creates resources that refer to the name after the stage. */
  readonly stageName: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { functions, edgeSecrets, requestsPerDayMax = requestsPerDayDefault } = props;
    const throttles = throttlesFor(props.concurrentExecutions);
    const { stackName, region, partition, urlSuffix } = Stack.of(this);
    const invokeRole = this.#invokeRole();
    this.restApi = new SpecRestApi(this, "Gateway", {
      // The name is unique, because CloudWatch groups the metrics of APIs by name.
      restApiName: stackName,
      apiDefinition: ApiDefinition.fromInline(
        defineApi({
          title: stackName,
          routes: [...operationIds, ...optionalOperationIds.filter((operation) => functions.has(operation))]
            .filter((operation) => operation !== notFoundId && routeOf(operation).servedBy !== "bucket")
            .map(routeOf),
          notFound: routeOf(notFoundId),
          invokeUriOf: (route) => {
            const { functionArn } =
              functions.get(route.id as OperationId) ?? functionOf(functions, notFoundId);
            return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
          },
          invokeRoleArn: invokeRole.roleArn,
        }),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      // Without this parameter, the import first creates an edge-optimized API; see "ImportRestApi", API Gateway API reference.
      parameters: { endpointConfigurationTypes: "REGIONAL" },
      deployOptions: {
        stageName: "live",
        throttlingRateLimit: throttles.ofMethod.rateLimit,
        throttlingBurstLimit: throttles.ofMethod.burstLimit,
      },
      cloudWatchRole: false,
    });
    // An output with the API's own address would invite callers to bypass the edge.
    this.restApi.node.tryRemoveChild("Endpoint");
    this.domainName = `${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}`;
    const stage = this.restApi.deploymentStage;
    this.stageName = stage.stageName;
    new EdgeKeys(this, "EdgeKeys", {
      stage,
      secrets: edgeSecrets,
      throttle: throttles.ofApi,
      requestsPerDayMax,
    });
  }

  /** Creates one role instead of a permission for each function. API Gateway may only invoke functions with this name prefix. */
  #invokeRole(): Role {
    const operations = Stack.of(this).formatArn({
      service: "lambda",
      region: Aws.REGION,
      resource: "function",
      resourceName: `${operationFunctionPrefix}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const invoke = new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [operations] });
    // The API definition contains the role's id, so a new id creates a new deployment. "OperationsRole" replaced an earlier id when
    // functions were recreated under the same names, which required a new deployment.
    return new Role(this, "OperationsRole", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: { invoke: new PolicyDocument({ statements: [invoke] }) },
    });
  }
}
