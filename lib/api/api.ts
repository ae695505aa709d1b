import { ApiDefinition, EndpointType, SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { ArnFormat, Aws, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { functionOf, operationFunctionPrefix } from "../lambda/operations.ts";
import { defineApi } from "./api-definition.ts";

export interface ApiProps {
  /** The functions that answer, each by the ids of its operations. */
  readonly functions: ReadonlyMap<OperationId, IFunction>;
}

/**
 * Rate limit of each method of each path; API Gateway answers 429 above it. A viral page can use 400 of an account's
 * 1,000 concurrent executions while its functions start cold, and serves 1,000 requests a second once they are warm.
 * The other methods have limits of their own, and most executions remain for them.
 *
 * Sources: API Gateway developer guide, "Throttle requests to your REST APIs for better throughput"; AWS Lambda
 * developer guide, "Lambda quotas" and "Understanding Lambda function scaling".
 */
const throttling = { throttlingRateLimit: 1_000, throttlingBurstLimit: 400 };

/** Answers every method and address that no other operation has. */
const notFoundId: OperationId = "answer-not-found";

/**
 * The regional REST API behind the edge: docs/adr/0027-api-gateway-from-openapi.md. Its deployment's id is made of the
 * document, so that another document is another deployment.
 */
export class Api extends Construct {
  readonly restApi: SpecRestApi;
  /** Its host; the edge is the only one who should ask it. */
  readonly domainName: string;
  /** The only stage. Who refers to it waits until it can be asked. */
  readonly stageName: string;

  constructor(scope: Construct, id: string, { functions }: ApiProps) {
    super(scope, id);
    const { stackName, region, partition, urlSuffix } = Stack.of(this);
    const invokeRole = this.#invokeRole();
    this.restApi = new SpecRestApi(this, "Definition", {
      // Metrics go by it: two APIs of one name would be counted together.
      restApiName: stackName,
      apiDefinition: ApiDefinition.fromInline(
        defineApi({
          title: stackName,
          routes: operationIds
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
      // Without it, what is imported is made for the edge first. API Gateway API reference, "ImportRestApi".
      parameters: { endpointConfigurationTypes: "REGIONAL" },
      deployOptions: { stageName: "live", ...throttling },
      cloudWatchRole: false,
    });
    // An output of the API's own address would invite callers past the edge.
    this.restApi.node.tryRemoveChild("Endpoint");
    this.domainName = `${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.stageName = this.restApi.deploymentStage.stageName;
  }

  /** One role instead of a permission for each function: API Gateway may invoke the functions of this prefix, and nothing else. */
  #invokeRole(): Role {
    const operations = Stack.of(this).formatArn({
      service: "lambda",
      region: Aws.REGION,
      resource: "function",
      resourceName: `${operationFunctionPrefix}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const invoke = new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [operations] });
    // Its id is in the document: with another one, functions that were replaced by others of these names got another deployment.
    return new Role(this, "OperationsRole", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: { invoke: new PolicyDocument({ statements: [invoke] }) },
    });
  }
}
