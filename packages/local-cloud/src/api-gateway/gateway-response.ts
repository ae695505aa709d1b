import { type HeaderFields, type HttpResponse, headerValue, withHeader } from "../http-message.ts";

/** A failure to which API Gateway itself responds; see "Gateway response types for API Gateway", API Gateway developer guide. */
export type GatewayFailure = keyof typeof failures;

const failures = {
  MISSING_AUTHENTICATION_TOKEN: [403, "Missing Authentication Token", "MissingAuthenticationTokenException"],
  REQUEST_TOO_LARGE: [413, "Request Too Long", "BadRequestException"],
  CONTENT_LENGTH_EXCEEDED: [413, "HTTP content length exceeded 10485760 bytes.", "BadRequestException"],
  INVALID_API_KEY: [403, "Forbidden", "ForbiddenException"],
  THROTTLED: [429, "Too Many Requests", "TooManyRequestsException"],
  QUOTA_EXCEEDED: [429, "Limit Exceeded", "LimitExceededException"],
  INTEGRATION_TIMEOUT: [504, "Endpoint request timed out", "InternalServerErrorException"],
  INTEGRATION_FAILURE: [504, "Internal server error", "InternalServerErrorException"],
  API_CONFIGURATION_ERROR: [500, "Internal server error", "InternalServerErrorException"],
  UNSUPPORTED_MEDIA_TYPE: [415, "Unsupported Media Type", "BadRequestException"],
  // A malformed result of a Lambda proxy integration gets 502. Only DEFAULT_5XX customizes this response.
  DEFAULT_5XX: [502, "Internal server error", "InternalServerErrorException"],
  DEFAULT_4XX: [400, "Bad Request", "BadRequestException"],
} as const;

/** A gateway response that an API defines. */
export interface GatewayResponse {
  readonly statusCode?: string;
  readonly responseParameters?: Readonly<Record<string, string>>;
  readonly responseTemplates?: Readonly<Record<string, string>>;
}

/** Values for the templates and parameters of a gateway response. */
interface FailureContext {
  readonly requestHeaders: HeaderFields;
  /** Values of `$context`, such as `requestId` and `identity.sourceIp`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Response types that an API may define; see "Gateway response types for API Gateway". */
export const gatewayResponseTypes: readonly string[] = [
  "ACCESS_DENIED",
  "API_CONFIGURATION_ERROR",
  "AUTHORIZER_CONFIGURATION_ERROR",
  "AUTHORIZER_FAILURE",
  "BAD_REQUEST_BODY",
  "BAD_REQUEST_PARAMETERS",
  "DEFAULT_4XX",
  "DEFAULT_5XX",
  "EXPIRED_TOKEN",
  "INTEGRATION_FAILURE",
  "INTEGRATION_TIMEOUT",
  "INVALID_API_KEY",
  "INVALID_SIGNATURE",
  "MISSING_AUTHENTICATION_TOKEN",
  "QUOTA_EXCEEDED",
  "REQUEST_TOO_LARGE",
  "RESOURCE_NOT_FOUND",
  "THROTTLED",
  "UNAUTHORIZED",
  "UNSUPPORTED_MEDIA_TYPE",
  "WAF_FILTERED",
];

/** Renders a failure with the API's gateway responses, which are given by their type. */
export function renderFailure(
  byType: ReadonlyMap<string, GatewayResponse>,
  failure: GatewayFailure,
  context: FailureContext,
): HttpResponse {
  // The documented default response to this failure is plain text, so DEFAULT_4XX does not apply.
  if (failure === "CONTENT_LENGTH_EXCEEDED") {
    const response = byType.get("REQUEST_TOO_LARGE");
    return response === undefined ? plainText(failure) : render(failure, response, context);
  }
  const fallback = failures[failure][0] < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX";
  return render(failure, byType.get(failure) ?? byType.get(fallback), context);
}

function render(
  failure: GatewayFailure,
  response: GatewayResponse | undefined,
  context: FailureContext,
): HttpResponse {
  const [defaultStatus, message, errorType] = failures[failure];
  const { statusCode = defaultStatus, responseTemplates = {}, responseParameters = {} } = response ?? {};
  const [contentType, body] = selectTemplate(responseTemplates, context.requestHeaders);
  const variables: Record<string, string> = {
    ...context.variables,
    "error.message": message,
    "error.messageString": JSON.stringify(message),
    "error.responseType": failure === "CONTENT_LENGTH_EXCEEDED" ? "REQUEST_TOO_LARGE" : failure,
    "error.validationErrorString": "",
  };
  const lookUp = (name: string) => {
    const [, place, inPlace = ""] = /^(context|method\.request\.header)\.([\w.-]+)$/.exec(name) ?? [];
    if (place === undefined) return undefined;
    return place === "context" ? variables[inPlace] : headerValue(context.requestHeaders, inPlace);
  };
  let headers: HeaderFields = [
    ["Content-Type", contentType],
    ["x-amzn-ErrorType", errorType],
  ];
  for (const [target, source] of Object.entries(responseParameters)) {
    const name = target.replace(/^gatewayresponse\.header\./, "");
    const value = /^'(.*)'$/.exec(source)?.[1] ?? lookUp(source);
    if (value !== undefined) headers = withHeader(headers, name, value);
  }
  return { statusCode: Number(statusCode), headers, body: Buffer.from(substitute(body, lookUp)) };
}

function plainText(failure: GatewayFailure): HttpResponse {
  const [statusCode, message] = failures[failure];
  return { statusCode, headers: [["Content-Type", "text; charset=utf-8"]], body: Buffer.from(message) };
}

/** Returns the content type and the template for the request's `Accept` header. */
function selectTemplate(
  templates: Readonly<Record<string, string>>,
  requestHeaders: HeaderFields,
): [string, string] {
  const accepted = headerValue(requestHeaders, "accept")?.split(/[,;]/)[0]?.trim() ?? "";
  for (const type of [accepted, "application/json", ...Object.keys(templates)]) {
    const template = templates[type];
    if (template !== undefined) return [type, template];
  }
  return ["application/json", '{"message":$context.error.messageString}'];
}

/** Substitutes variables. Gateway responses support no other Velocity syntax. */
function substitute(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(
    /\$(context\.\w+(?:\.\w+)*|method\.request\.header\.[\w-]+)/g,
    (_, name: string) => lookUp(name) ?? "",
  );
}
