import { type IResource, LambdaIntegration, type RestApi } from "aws-cdk-lib/aws-apigateway";
import type { Code } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { environmentNames } from "../functions/contract/environment.ts";
import type { Route } from "../functions/contract/route.ts";
import { grantsOf, type OperationId, operationIds, routeOf } from "../functions/contract/routes.ts";
import { constructId, handlerSource, servedOperationIds } from "./function-source.ts";
import { baseDomainEnvironment, type GrantTargets, grantEnvironment, grantStatements } from "./grants.ts";
import { OperationFunction } from "./operation-function.ts";

export interface OperationsProps extends GrantTargets {
  readonly restApi: RestApi;
  readonly baseUrl: string;
  /** How many functions of each operation for visitors may work at once. @default - as many as are left */
  readonly visitorConcurrencyMax?: number | undefined;
  /** The code of an operation's function. */
  readonly codeOf: (id: OperationId) => Code;
}

/** What everybody asks for who was given a drop's address. */
const visitorOperations: readonly OperationId[] = ["view-drop", "read-raw-page"];

/** The operations of the contract: a function for each row that has one, and the API's methods that lead to it. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const integrations = new Map(
      servedOperationIds.map((operation) => [operation, this.#integrate(operation, props)]),
    );
    const notFound = integrations.get("answer-not-found");
    if (notFound === undefined)
      throw new Error("The contract has no row answer-not-found, which answers everything else.");
    for (const operation of operationIds) {
      if (operation === "answer-not-found" || routeOf(operation).servedBy === "bucket") continue;
      addMethods(props.restApi, routeOf(operation), integrations.get(operation) ?? notFound);
    }
    props.restApi.root.resourceForPath(routeOf("answer-not-found").path);
    answerEverythingElse(props.restApi.root, notFound);
  }

  #integrate(id: OperationId, props: OperationsProps): LambdaIntegration {
    const grants = grantsOf(id);
    const operation = new OperationFunction(this, constructId(id), {
      description: routeOf(id).summary,
      code: props.codeOf(id),
      exportName: handlerSource(id).exportName,
      environment: {
        [environmentNames.baseUrl]: props.baseUrl,
        ...baseDomainEnvironment(props),
        [environmentNames.originSecret]: props.secrets.acceptedOrigins,
        ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
      },
      statements: grants.flatMap((grant) => grantStatements(grant, props)),
      memoryMegabytes: routeOf(id).memoryMegabytes,
      reservedConcurrency: visitorOperations.includes(id) ? props.visitorConcurrencyMax : undefined,
    });
    // One permission for the API: one for each method would outgrow the size of a function's policy.
    return new LambdaIntegration(operation.function, { scopePermissionToMethod: false });
  }
}

/** What is public by GET answers HEAD as well. */
function addMethods(restApi: RestApi, route: Route, integration: LambdaIntegration): void {
  for (const path of [route.path, ...(route.alsoAt ? [route.alsoAt.path] : [])]) {
    const resource = restApi.root.resourceForPath(path);
    for (const method of [route.method, ...(route.refusedMethods ?? [])]) {
      resource.addMethod(method, integration);
    }
    if (route.method === "GET" && route.caller === "anyone") resource.addMethod("HEAD", integration);
  }
}

/**
 * Answers any other method on every path that has a node in the tree. Left to API Gateway, such a request with an
 * Authorization header is refused as an unsigned one.
 */
function answerEverythingElse(resource: IResource, notFound: LambdaIntegration): void {
  resource.addMethod("ANY", notFound);
  for (const child of resource.node.children) {
    if (isResource(child)) answerEverythingElse(child, notFound);
  }
}

function isResource(construct: object): construct is IResource {
  return "resourceForPath" in construct;
}
