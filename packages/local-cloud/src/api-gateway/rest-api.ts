import { randomBytes, randomUUID } from "node:crypto";
import { defaultAccountLimits } from "../account-limits.ts";
import { decide } from "../aws/policy.ts";
import { type Role, rolesOf } from "../aws/role-policies.ts";
import type { SecretReader } from "../dynamic-references.ts";
import { type HttpRequest, type HttpResponse, headerBytes, headerValue, readBody } from "../http-message.ts";
import { TooManyRequestsError } from "../lambda/concurrency.ts";
import { type LambdaService, PayloadTooLargeError } from "../lambda/lambda-service.ts";
import { type MetricSink, noMetrics } from "../metrics/metric-store.ts";
import { type Resource, resourcesOfType, type Template } from "../template.ts";
import { withinMs } from "../within-ms.ts";
import { type ApiMethod, apiKeyHeader, type FunctionIntegration, parseDefinition } from "./api-definition.ts";
import { type GatewayFailure, renderFailure } from "./gateway-response.ts";
import { respondWithMock } from "./mock-integration.ts";
import { type EventContext, toProxyEvent } from "./proxy-event.ts";
import { fromProxyResult } from "./proxy-response.ts";
import { buildResourceTree, type Route } from "./resource-tree.ts";
import { createThrottle, createTokenBucket, type TokenBucket } from "./throttling.ts";
import { createUsagePlans } from "./usage-plans.ts";

/** A regional REST API of the template. */
export type RestApi = ReturnType<typeof createRestApi>;

interface RestApisOptions {
  readonly template: Template;
  readonly lambda: LambdaService;
  readonly log: (line: string) => void;
  /** Reads the values of API keys. */
  readonly readSecret: SecretReader;
  /** Maximum number of requests per second to all APIs of the account. @default 10,000 */
  readonly requestsPerSecond?: number;
  /** Receives the API Gateway metrics. @default - values are discarded */
  readonly metrics?: MetricSink | undefined;
}

/** Maximum payload size, and maximum size of the request line and header values; see "Amazon API Gateway quotas". */
const payloadBytesMax = 10_485_760;
const headerBytesMax = 10_240;

/** Creates every REST API of the template. Throws an Error if API Gateway would refuse its definition. */
export function createRestApis(options: RestApisOptions): RestApi[] {
  const { template, requestsPerSecond = defaultAccountLimits.apiRequestsPerSecond } = options;
  for (const part of ["Resource", "Method", "GatewayResponse"]) {
    for (const { logicalId, type } of resourcesOfType(template, `AWS::ApiGateway::${part}`))
      throw new Error(
        `${logicalId}: ${type} is not emulated; write it into the Body of the AWS::ApiGateway::RestApi`,
      );
  }
  // The burst of the account is half of its rate; see "Amazon API Gateway quotas".
  const account = createTokenBucket(requestsPerSecond, requestsPerSecond / 2);
  const takeApiKey = createUsagePlans(template, options.readSecret);
  const restApis = resourcesOfType(template, "AWS::ApiGateway::RestApi");
  return restApis.map((restApi) => createRestApi(restApi, account, takeApiKey, options));
}

/** Prepares one REST API from its definition. All APIs of the account share the token bucket `account`. */
function createRestApi(
  restApi: Resource,
  account: TokenBucket,
  takeApiKey: ReturnType<typeof createUsagePlans>,
  { template, lambda, log, metrics = noMetrics }: RestApisOptions,
) {
  const apiId = restApi.physicalId;
  const domainName = `${apiId}.execute-api.us-east-1.amazonaws.com`;
  const { methods, gatewayResponses, binaryMediaTypes } = parseDefinition(restApi);
  const findRoute = buildResourceTree(methods);
  const measure = createMeasures(restApi, metrics);
  const roles = rolesOf(template);
  const stages = new Map(
    resourcesOfType(template, "AWS::ApiGateway::Stage")
      .filter((stage) => stage.properties.RestApiId === apiId)
      .map((stage) => [stage.physicalId, stage]),
  );
  const throttles = new Map([...stages].map(([name, stage]) => [name, createThrottle(stage, account)]));
  const refusals = new Map(methods.map((method) => [method, invokeRefusal(roles, method)]));

  function eventContext(stage: Resource | undefined): EventContext {
    return {
      apiId,
      domainName,
      stage: stage?.physicalId ?? "",
      stageVariables: (stage?.properties.Variables as Record<string, string> | undefined) ?? null,
      deploymentId: String(stage?.properties.DeploymentId ?? ""),
      requestId: randomUUID(),
      extendedRequestId: `${randomBytes(11).toString("base64url")}=`,
      startedAtMs: Date.now(),
      binaryMediaTypes,
    };
  }

  async function invoke(
    { functionName, timeoutMs }: FunctionIntegration,
    request: HttpRequest,
    route: Route,
    body: Buffer,
    context: EventContext,
  ) {
    const event = JSON.stringify(toProxyEvent(request, route, body, context));
    const integration = lambda.invoke(functionName, event);
    const result = await measure.integration(withinMs(timeoutMs, integration));
    if (result === undefined) return "INTEGRATION_TIMEOUT";
    if (result.isFunctionError) return "DEFAULT_5XX";
    const response = fromProxyResult(result.payload, binaryMediaTypes, request.headers);
    if (response !== undefined) return { ...response, servedBy: functionName };
    log(
      `[${functionName}] Malformed Lambda proxy response: expected statusCode, headers, multiValueHeaders, body and isBase64Encoded only`,
    );
    return "DEFAULT_5XX";
  }

  async function respond(
    request: HttpRequest,
    context: EventContext,
  ): Promise<HttpResponse | GatewayFailure> {
    const route = stages.has(context.stage) ? findRoute(request.method, request.path) : undefined;
    if (route === undefined) return "MISSING_AUTHENTICATION_TOKEN";
    const apiKey = route.method.isKeyRequired
      ? takeApiKey(apiId, context.stage, headerValue(request.headers, apiKeyHeader))
      : undefined;
    if (typeof apiKey === "string") return apiKey;
    if (throttles.get(context.stage)?.(route.method) === false) return "THROTTLED";
    const refusal = refusals.get(route.method);
    if (refusal !== undefined) {
      log(`API ${apiId}, ${request.method} ${route.method.resourcePath}: ${refusal}`);
      return "API_CONFIGURATION_ERROR";
    }
    const { integration } = route.method;
    if (integration.type === "mock") return respondWithMock(integration, request);
    const body = await readBody(request.body, payloadBytesMax);
    if (body === undefined) return "CONTENT_LENGTH_EXCEEDED";
    try {
      return await invoke(integration, request, route, body, { ...context, apiKey });
    } catch (error) {
      if (error instanceof PayloadTooLargeError) return "REQUEST_TOO_LARGE";
      // API Gateway does not respond 429 if Lambda throttles the function of a proxy integration. The integration has then failed, and the
      // gateway response may be INTEGRATION_FAILURE or its fallback, DEFAULT_5XX. See "How can I troubleshoot the 'internal server' error
      // with status code 500 for API Gateway endpoints that integrate with Lambda?", AWS re:Post.
      if (error instanceof TooManyRequestsError) return "INTEGRATION_FAILURE";
      throw error;
    }
  }

  function fail(failure: GatewayFailure, request: HttpRequest, context: EventContext): HttpResponse {
    const { requestId, extendedRequestId, stage } = context;
    const variables = {
      ...{ requestId, extendedRequestId, apiId, domainName, stage },
      httpMethod: request.method,
      path: `/${stage}${request.path}`,
      "identity.sourceIp": request.peer.address,
    };
    return renderFailure(gatewayResponses, failure, { requestHeaders: request.headers, variables });
  }

  return {
    /** Host name, such as `<id>.execute-api.us-east-1.amazonaws.com`. */
    domainName,
    /** Responds to a request whose path starts with the stage. */
    async handle(incoming: HttpRequest): Promise<HttpResponse> {
      const refusal = refuseAtTheFront(incoming, domainName);
      if (refusal !== undefined) return refusal;
      const [, stageName = "", path = "/"] = /^\/([^/]*)(\/.*)?$/s.exec(incoming.path) ?? [];
      const context = eventContext(stages.get(stageName));
      const request = { ...incoming, path };
      const result = await respond(request, context);
      const response = typeof result === "string" ? fail(result, request, context) : result;
      measure.response(response.statusCode, Date.now() - context.startedAtMs);
      const headers: [string, string][] = [
        ["x-amzn-RequestId", context.requestId],
        ["x-amz-apigw-id", context.extendedRequestId],
        ["Date", new Date().toUTCString()],
      ];
      return { ...response, headers: [...response.headers, ...headers] };
    },
  };
}

/** Publishes the metrics of one API; see "Amazon API Gateway dimensions and metrics", API Gateway developer guide. */
function createMeasures({ properties: { Name, Body } }: Resource, metrics: MetricSink) {
  const { info } = Body as { readonly info: { readonly title: string } };
  const dimensions = { ApiName: String(Name ?? info.title) };
  const put = (name: string, value: number) =>
    metrics.put({ namespace: "AWS/ApiGateway", name, dimensions }, value);
  return {
    /** Measures a call to an integration. Requests that the gateway refuses are not measured. */
    async integration<Result>(call: Promise<Result>): Promise<Result> {
      const startedAtMs = performance.now();
      return call.finally(() => put("IntegrationLatency", performance.now() - startedAtMs));
    },
    response(statusCode: number, latencyMs: number): void {
      put("Count", 1);
      put("4XXError", statusCode >= 400 && statusCode < 500 ? 1 : 0);
      put("5XXError", statusCode >= 500 ? 1 : 0);
      put("Latency", latencyMs);
    },
  };
}

/** Refuses requests before the API handles them. The API's gateway responses do not apply to these refusals. */
function refuseAtTheFront(request: HttpRequest, domainName: string): HttpResponse | undefined {
  const host = headerValue(request.headers, "host") ?? "";
  // The host selects the API, so API Gateway refuses a request that CloudFront forwards with the viewer's Host.
  if (host.split(":")[0] !== domainName) return plainFailure(403, "Forbidden", "ForbiddenException");
  if (headerBytes(request.headers) + request.path.length + (request.query?.length ?? 0) > headerBytesMax) {
    return plainFailure(431, "Request Header Fields Too Large", "RequestHeaderFieldsTooLarge");
  }
  return undefined;
}

function plainFailure(statusCode: number, message: string, errorType: string): HttpResponse {
  const headers: [string, string][] = [
    ["Content-Type", "application/json"],
    ["x-amzn-ErrorType", errorType],
    ["x-amzn-RequestId", randomUUID()],
    ["Date", new Date().toUTCString()],
  ];
  return { statusCode, headers, body: Buffer.from(JSON.stringify({ message })) };
}

/**
 * Explains why the role of an integration does not allow API Gateway to invoke the function. Returns undefined if the role allows it. API
 * Gateway responds 500 to refused invocations; see "API Gateway permissions model for invoking an API" and "x-amazon-apigateway-integration
 * object" (credentials), API Gateway developer guide.
 */
function invokeRefusal(roles: readonly Role[], { integration }: ApiMethod): string | undefined {
  if (integration.type === "mock") return undefined;
  const { roleArn, functionArn } = integration;
  const role = roles.find(({ arn }) => arn === roleArn);
  if (role === undefined) return `there is no role ${roleArn}`;
  if (!role.trustedServices.includes("apigateway.amazonaws.com"))
    return `the role ${roleArn} cannot be assumed by apigateway.amazonaws.com`;
  const decision = decide(role.statements, { action: "lambda:InvokeFunction", resourceArn: functionArn });
  return decision === "allowed"
    ? undefined
    : `the role ${roleArn} may not invoke ${functionArn}: ${decision}`;
}
