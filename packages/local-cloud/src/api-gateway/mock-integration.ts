import { type HeaderFields, type HttpRequest, type HttpResponse, headerValue } from "../http-message.ts";

/** A response that API Gateway returns without a backend; see "Set up mock integrations in API Gateway", API Gateway developer guide. */
export interface MockIntegration {
  readonly type: "mock";
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: string;
}

type Values = Readonly<Record<string, unknown>>;

const jsonType = "application/json";

/**
 * Reads a mock integration with a single, constant response.
 *
 * @param declared status codes of the method's responses, each with its header names
 * @throws Error that names the path of an element that would fail in API Gateway, or that the local cloud does not emulate
 */
export function parseMockIntegration(
  integration: Values,
  declared: ReadonlyMap<string, readonly string[]>,
  at: string,
): MockIntegration {
  const { requestTemplates = {}, contentHandling, passthroughBehavior, responses = {} } = integration;
  // With binary media types, templates fail on bodies that are not text; see "Content type conversions in API Gateway".
  if (contentHandling !== "CONVERT_TO_TEXT")
    throw new Error(`${at}.contentHandling must be CONVERT_TO_TEXT: templates accept only text`);
  if (passthroughBehavior !== "never")
    throw new Error(`${at}.passthroughBehavior: only never is emulated, not ${String(passthroughBehavior)}`);
  const status = readStatus((requestTemplates as Values)[jsonType]);
  const { default: response, ...others } = responses as Record<string, Values | undefined>;
  const { statusCode, responseParameters = {}, responseTemplates = {} } = response ?? {};
  const names = declared.get(String(statusCode));
  if (names === undefined || String(status) !== statusCode || Object.keys(others).length > 0)
    throw new Error(
      `${at}: use the same status in requestTemplates.${jsonType}, responses.default and the method's responses`,
    );
  const body = (responseTemplates as Values)[jsonType];
  if (typeof body !== "string" || /[$#]/.test(body))
    throw new Error(`${at}.responses.default.responseTemplates.${jsonType}: only constant text is emulated`);
  const headers = Object.entries(responseParameters as Values).map(([target, source]): [string, string] => {
    const name = /^method\.response\.header\.([\w-]+)$/.exec(target)?.[1];
    const value = /^'(.*)'$/.exec(String(source))?.[1];
    if (name === undefined || value === undefined || !names.includes(name))
      throw new Error(
        `${at}.responses.default.responseParameters.${target}: use a quoted value, and a header that the method's response declares`,
      );
    return [name, value];
  });
  return { type: "mock", statusCode: status, headers: [["Content-Type", jsonType], ...headers], body };
}

function readStatus(template: unknown): number {
  try {
    return Number(JSON.parse(String(template)).statusCode);
  } catch {
    return Number.NaN;
  }
}

/** Returns the mock response, or UNSUPPORTED_MEDIA_TYPE for another type of body; see "Integration passthrough behaviors". */
export function respondWithMock(
  { statusCode, headers, body }: MockIntegration,
  request: HttpRequest,
): HttpResponse | "UNSUPPORTED_MEDIA_TYPE" {
  const [type = ""] = (headerValue(request.headers, "content-type") ?? jsonType).split(";");
  if (type.trim().toLowerCase() !== jsonType) return "UNSUPPORTED_MEDIA_TYPE";
  return { statusCode, headers, body: Buffer.from(body) };
}
