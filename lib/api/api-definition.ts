import { apiKeyHeader } from "../../functions/core/environment.ts";
import { ApiError } from "../../functions/core/errors.ts";
import type { Route } from "../../functions/http/route.ts";
import { type GatewayError, gatewayErrors, originTimeout, originTimeoutPath } from "./gateway-errors.ts";

/** API definition for API Gateway: OpenAPI 3.0 with API Gateway's extensions. */
export type ApiDefinition = Readonly<Record<string, unknown>>;

export interface ApiDefinitionProps {
  readonly title: string;
  /** Definitions of all operations in the API. */
  readonly routes: readonly Route[];
  /** Definition of the operation that responds to all other methods and paths. */
  readonly notFound: Route;
  /** Returns the URI with which API Gateway invokes an operation's function. */
  readonly invokeUriOf: (route: Route) => string;
  /** ARN of the role with which API Gateway invokes functions. */
  readonly invokeRoleArn: string;
}

const keyScheme = "edge";

/** Defines the API for the given operations: their paths and methods, and API Gateway's own error responses. */
export function defineApi(props: ApiDefinitionProps): ApiDefinition {
  const { title, routes, notFound } = props;
  const paths = new Map<string, Record<string, object>>();
  const at = (path: string) => {
    const item = paths.get(path) ?? {};
    paths.set(path, item);
    return item;
  };
  for (const route of routes) {
    for (const path of [route.path, ...(route.alsoAt ? [route.alsoAt.path] : [])]) {
      const item = at(path);
      for (const method of methodsOf(route)) {
        if (method.toLowerCase() in item)
          throw new Error(
            `${method} ${path} of the operation "${route.id}" is already used by another operation.`,
          );
        item[method.toLowerCase()] = operationAt(path, route, props);
      }
    }
  }
  at(originTimeoutPath).get = constantOperation(originTimeout);
  for (const path of nodesOf([notFound.path, ...paths.keys()])) {
    // Without this catch-all method, API Gateway refuses an unknown method with an Authorization header as an unsigned request.
    at(path)["x-amazon-apigateway-any-method"] = operationAt(path, notFound, props);
  }
  return {
    openapi: "3.0.1",
    info: { title, description: "Dropleaf, behind CloudFront", version: "1" },
    components: { securitySchemes: { [keyScheme]: { type: "apiKey", name: apiKeyHeader, in: "header" } } },
    "x-amazon-apigateway-api-key-source": "HEADER",
    // All media types are binary, so that functions receive every body byte for byte.
    "x-amazon-apigateway-binary-media-types": ["*/*"],
    "x-amazon-apigateway-gateway-responses": Object.fromEntries(
      Object.entries(gatewayErrors).map(([type, error]) => [type, presentGatewayError(error)]),
    ),
    paths: Object.fromEntries([...paths].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Returns the HTTP methods of an operation. GET operations that programs call also respond to HEAD. */
function methodsOf({ method, caller, otherMethods = [] }: Route): readonly string[] {
  return [method, ...otherMethods, ...(method === "GET" && caller !== "session" ? ["HEAD"] : [])];
}

/** Returns every path and its parents, because a path such as `/api/auth` can be requested too. */
function nodesOf(paths: readonly string[]): readonly string[] {
  const nodes = paths.flatMap((path) => {
    const segments = path.split("/").slice(1);
    return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
  });
  return [...new Set(["/", ...nodes])];
}

function operationAt(path: string, route: Route, { invokeUriOf, invokeRoleArn }: ApiDefinitionProps): object {
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    ...(parameters.length > 0 && { parameters }),
    // Each method has its own security requirement, because API Gateway ignores a requirement at the top of the document.
    security: [{ [keyScheme]: [] }],
    // OpenAPI requires a response; the function's response passes through unchanged.
    responses: { "200": { description: "The function's response" } },
    "x-amazon-apigateway-integration": {
      type: "aws_proxy",
      // Method of the call to Lambda, not of the client's request.
      httpMethod: "POST",
      uri: invokeUriOf(route),
      credentials: invokeRoleArn,
    },
  };
}

/**
 * Returns an operation that responds with an error's headers and body, but with status 200, because CloudFront accepts only a successful
 * response as an error page. CloudFront then sets the error's status. The operation runs no function, because a function has just timed
 * out.
 *
 * Source: "x-amazon-apigateway-integration object", API Gateway developer guide.
 */
function constantOperation(constant: GatewayError): object {
  const { responseParameters, responseTemplates } = presentGatewayError(constant);
  const headers = Object.entries(responseParameters).map(
    ([name, value]) => [name.slice("gatewayresponse.header.".length), value] as const,
  );
  return {
    security: [{ [keyScheme]: [] }],
    responses: {
      "200": {
        description: "The error's body",
        headers: Object.fromEntries(headers.map(([name]) => [name, { schema: { type: "string" } }])),
      },
    },
    "x-amazon-apigateway-integration": {
      type: "mock",
      requestTemplates: { "application/json": '{"statusCode": 200}' },
      passthroughBehavior: "never",
      // Converts the body, because all bodies in this API are binary and a template can process only text.
      contentHandling: "CONVERT_TO_TEXT",
      responses: {
        default: {
          statusCode: "200",
          responseParameters: Object.fromEntries(
            headers.map(([name, value]) => [`method.response.header.${name}`, value]),
          ),
          responseTemplates,
        },
      },
    },
  };
}

/**
 * Returns an error response of API Gateway in the format of the specification's section "Errors". The edge adds the
 * Content-Security-Policy, because API Gateway does not document how to escape a quote in a header value.
 */
function presentGatewayError({ code, status, message, retryAfterSeconds }: GatewayError) {
  const error = new ApiError(code, { message, retryAfterSeconds });
  return {
    statusCode: String(status ?? error.status),
    responseParameters: {
      "gatewayresponse.header.Cache-Control": "'no-store'",
      "gatewayresponse.header.Cross-Origin-Resource-Policy": "'same-origin'",
      ...(retryAfterSeconds === undefined
        ? {}
        : { "gatewayresponse.header.Retry-After": `'${retryAfterSeconds}'` }),
    },
    responseTemplates: { "application/json": JSON.stringify(error.toBody()) },
  };
}
