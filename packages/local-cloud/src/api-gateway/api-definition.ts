import type { Resource } from "../template.ts";
import { type GatewayResponse, gatewayResponseTypes } from "./gateway-response.ts";
import { type MockIntegration, parseMockIntegration } from "./mock-integration.ts";
import { requireResourcePaths } from "./resource-path.ts";

/** One method of one path, with its integration. */
export interface ApiMethod {
  /** HTTP method, or `ANY` for every method that the path does not define. */
  readonly httpMethod: string;
  /** Path such as `/api/drops/{slug}`. */
  readonly resourcePath: string;
  readonly integration: FunctionIntegration | MockIntegration;
  /** True if the method requires a usage plan's key in the header `x-api-key`. */
  readonly isKeyRequired: boolean;
}

/** Integration with a Lambda function. */
export interface FunctionIntegration {
  readonly type: "aws_proxy";
  readonly functionName: string;
  readonly functionArn: string;
  /** ARN of the role that API Gateway assumes to invoke the function. */
  readonly roleArn: string;
  readonly timeoutMs: number;
}

/** A REST API, parsed from its OpenAPI body. */
export interface ApiDefinition {
  readonly methods: readonly ApiMethod[];
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
  readonly binaryMediaTypes: readonly string[];
}

/** Maximum size of a definition, and integration timeouts of a regional REST API; see "Amazon API Gateway quotas". */
const bodyBytesMax = 6 * 1024 * 1024;
const integrationTimeoutMs = { min: 50, max: 29_000 };

const anyMethod = "x-amazon-apigateway-any-method";
const methodNames = ["get", "head", "post", "put", "patch", "delete", "options", anyMethod];
const integrationName = "x-amazon-apigateway-integration";
const keySourceName = "x-amazon-apigateway-api-key-source";

/** The header from which API Gateway reads API keys. */
export const apiKeyHeader = "x-api-key";

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the body of an `AWS::ApiGateway::RestApi`; see "OpenAPI extensions for API Gateway", "Amazon API Gateway important notes" and
 * "Quotas for configuring and running a REST API in API Gateway", API Gateway developer guide.
 *
 * @throws Error that names the path of an element that API Gateway would refuse, or that the local cloud does not emulate
 */
export function parseDefinition({ logicalId, properties }: Resource): ApiDefinition {
  const at = `${logicalId}.Properties.Body`;
  const body = objectAt(properties.Body, at);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > bodyBytesMax)
    throw new Error(`${at} is ${bytes} bytes; API Gateway imports at most ${bodyBytesMax}`);
  if (body.security !== undefined)
    throw new Error(`${at}.security is ignored by API Gateway: declare it on each method`);
  requireOnly(body, at, [
    "openapi",
    "info",
    "components",
    "paths",
    keySourceName,
    "x-amazon-apigateway-binary-media-types",
    "x-amazon-apigateway-gateway-responses",
  ]);
  if (!/^3\.0\.\d$/.test(String(body.openapi)))
    throw new Error(`${at}.openapi is ${JSON.stringify(body.openapi)}; write 3.0.1`);
  const info = objectAt(body.info, `${at}.info`);
  for (const name of ["title", "version"]) {
    if (typeof info[name] !== "string")
      throw new Error(`${at}.info.${name} is missing; OpenAPI requires a string`);
  }
  if (!["HEADER", undefined].includes(body[keySourceName] as string | undefined))
    throw new Error(`${at}.${keySourceName}: only HEADER is emulated, not ${String(body[keySourceName])}`);
  const schemes = parseSecuritySchemes(body.components, `${at}.components`);
  const paths = objectAt(body.paths, `${at}.paths`);
  requireResourcePaths(Object.keys(paths), `${at}.paths`);
  return {
    methods: Object.entries(paths).flatMap(([path, item]) =>
      parseMethods(path, objectAt(item, `${at}.paths.${path}`), schemes, `${at}.paths.${path}`),
    ),
    gatewayResponses: parseGatewayResponses(body["x-amazon-apigateway-gateway-responses"], at),
    binaryMediaTypes: ((body["x-amazon-apigateway-binary-media-types"] ?? []) as unknown[]).map(String),
  };
}

function parseMethods(path: string, item: Values, schemes: readonly string[], at: string): ApiMethod[] {
  requireOnly(item, at, methodNames);
  return Object.entries(item).map(([name, value]) => {
    const operation = objectAt(value, `${at}.${name}`);
    return {
      httpMethod: name === anyMethod ? "ANY" : name.toUpperCase(),
      resourcePath: path,
      integration: parseIntegration(path, operation, `${at}.${name}`),
      isKeyRequired: parseSecurity(operation.security, schemes, `${at}.${name}.security`),
    };
  });
}

/** Returns the names of the API keys' security schemes; see "Configure a method to use API keys with an OpenAPI definition". */
function parseSecuritySchemes(value: unknown, at: string): readonly string[] {
  if (value === undefined) return [];
  const components = objectAt(value, at);
  requireOnly(components, at, ["securitySchemes"]);
  const schemes = Object.entries(objectAt(components.securitySchemes, `${at}.securitySchemes`));
  for (const [name, scheme] of schemes) {
    const { type, name: header, in: place } = objectAt(scheme, `${at}.securitySchemes.${name}`);
    if (type !== "apiKey" || place !== "header" || String(header).toLowerCase() !== apiKeyHeader)
      throw new Error(
        `${at}.securitySchemes.${name}: only { type: "apiKey", name: "${apiKeyHeader}", in: "header" } is emulated`,
      );
  }
  return schemes.map(([name]) => name);
}

/** Returns true if a method requires an API key; see "Security Requirement Object", OpenAPI 3.0. */
function parseSecurity(value: unknown, schemes: readonly string[], at: string): boolean {
  const names = ((value ?? []) as unknown[]).flatMap((one, index) =>
    Object.keys(objectAt(one, `${at}.${index}`)),
  );
  for (const name of names) {
    if (!schemes.includes(name)) throw new Error(`${at}: components.securitySchemes has no ${name}`);
  }
  return names.length > 0;
}

function parseIntegration(resourcePath: string, operation: Values, at: string): ApiMethod["integration"] {
  requireOnly(operation, at, ["parameters", "responses", "security", integrationName]);
  requireParameters(operation.parameters, resourcePath, at);
  const declared = parseResponses(operation.responses, `${at}.responses`);
  if (operation[integrationName] === undefined)
    throw new Error(`${at} has no ${integrationName}: API Gateway would import this API, but not deploy it`);
  const integrationAt = `${at}.${integrationName}`;
  const given = objectAt(operation[integrationName], integrationAt);
  if (given.type !== "mock") return parseFunction(given, integrationAt);
  const known = ["type", "requestTemplates", "passthroughBehavior", "contentHandling", "responses"];
  requireOnly(given, integrationAt, known);
  return parseMockIntegration(given, declared, integrationAt);
}

function parseFunction(integration: Values, at: string): FunctionIntegration {
  requireOnly(integration, at, ["type", "httpMethod", "uri", "credentials", "timeoutInMillis"]);
  const { type, httpMethod, uri, credentials, timeoutInMillis = integrationTimeoutMs.max } = integration;
  if (type !== "aws_proxy")
    throw new Error(`${at}.type: only aws_proxy and mock are emulated, not ${String(type)}`);
  // Lambda functions are invoked with POST; see "x-amazon-apigateway-integration object", API Gateway developer guide.
  if (httpMethod !== "POST")
    throw new Error(
      `${at}.httpMethod is ${JSON.stringify(httpMethod)}; a Lambda function is invoked by POST`,
    );
  const functionArn =
    /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:[^/]+)\/invocations$/.exec(
      String(uri),
    )?.[1];
  if (functionArn === undefined)
    throw new Error(`${at}.uri is not a Lambda function of this account: ${String(uri)}`);
  if (!/^arn:aws:iam::\d{12}:role\/.+$/.test(String(credentials)))
    throw new Error(
      `${at}.credentials is ${JSON.stringify(credentials)}; give the ARN of a role that may invoke the function; function permissions are not emulated`,
    );
  const timeoutMs = Number(timeoutInMillis);
  if (!(timeoutMs >= integrationTimeoutMs.min && timeoutMs <= integrationTimeoutMs.max))
    throw new Error(
      `${at}.timeoutInMillis is ${String(timeoutInMillis)}; write a number from ${integrationTimeoutMs.min} to ${integrationTimeoutMs.max}`,
    );
  const functionName = functionArn.split(":")[6] ?? "";
  return { type, functionArn, functionName, roleArn: String(credentials), timeoutMs };
}

/** Requires a parameter with `required: true` for each name in braces; see "Parameter Object", OpenAPI 3.0. */
function requireParameters(value: unknown, path: string, at: string): void {
  const parameters = ((value ?? []) as unknown[]).map((one, index) =>
    objectAt(one, `${at}.parameters.${index}`),
  );
  const inPath = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  for (const { name, in: place, required } of parameters) {
    if (place !== "path" || required !== true || !inPath.includes(String(name)))
      throw new Error(
        `${at}.parameters: ${JSON.stringify(name)} is not a required parameter of the path; other parameters are not emulated`,
      );
  }
  const missing = inPath.filter((name) => !parameters.some((one) => one.name === name));
  if (missing.length > 0)
    throw new Error(`${at}.parameters is missing ${missing.join(", ")}, which the path contains`);
}

/** Returns the status codes of a method's responses, each with its header names. */
function parseResponses(value: unknown, at: string): ReadonlyMap<string, readonly string[]> {
  const responses = Object.entries(objectAt(value, at));
  if (responses.length === 0) throw new Error(`${at} is empty; OpenAPI requires at least one response`);
  for (const [status] of responses) {
    if (!/^[1-5]\d\d$/.test(status))
      throw new Error(`${at}.${status} is not a status code; write a code such as 200`);
  }
  return new Map(
    responses.map(([status, response]) => {
      const { headers = {} } = objectAt(response, `${at}.${status}`);
      return [status, Object.keys(headers as object)];
    }),
  );
}

/** Reads the gateway responses; see "x-amazon-apigateway-gateway-responses object", API Gateway developer guide. */
function parseGatewayResponses(value: unknown, bodyAt: string): ReadonlyMap<string, GatewayResponse> {
  const name = "x-amazon-apigateway-gateway-responses";
  const entries = Object.entries(value === undefined ? {} : objectAt(value, `${bodyAt}.${name}`));
  return new Map(
    entries.map(([type, given]) => {
      const at = `${bodyAt}.${name}.${type}`;
      if (!gatewayResponseTypes.includes(type))
        throw new Error(`${at}: unknown type; known types are ${gatewayResponseTypes.join(", ")}`);
      const response = objectAt(given, at);
      requireOnly(response, at, ["statusCode", "responseParameters", "responseTemplates"]);
      if (response.statusCode !== undefined && !/^[1-5]\d\d$/.test(String(response.statusCode)))
        throw new Error(
          `${at}.statusCode is ${JSON.stringify(response.statusCode)}; write a status code such as "404"`,
        );
      for (const parameter of Object.keys(response.responseParameters ?? {})) {
        if (!/^gatewayresponse\.header\.[\w-]+$/.test(parameter))
          throw new Error(
            `${at}.responseParameters.${parameter}: only gatewayresponse.header.<name> is emulated`,
          );
      }
      return [type, response as GatewayResponse];
    }),
  );
}

function objectAt(value: unknown, at: string): Values {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Values;
  throw new Error(`${at} must be an object, not ${JSON.stringify(value)}`);
}

function requireOnly(values: Values, at: string, known: readonly string[]): void {
  for (const name of Object.keys(values)) {
    if (!known.includes(name))
      throw new Error(`${at}.${name} is not supported by the local cloud. Supported: ${known.join(", ")}`);
  }
}
