import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCatalog } from "../../../functions/core/errors.ts";
import { apiDefinitionOf, givenStack } from "../given-stack.ts";

// biome-ignore lint/suspicious/noExplicitAny: API Gateway's shape.
const byType: Record<string, any> = apiDefinitionOf(givenStack())["x-amazon-apigateway-gateway-responses"];
const responses = Object.entries(byType).map(([type, response]) => ({ type, response }));

describe.each(responses)("$type", ({ type, response }) => {
  const { error } = JSON.parse(response.responseTemplates["application/json"]);

  test("has an error code and a message, in JSON only", () => {
    expect(Object.keys(response.responseTemplates)).toEqual(["application/json"]);
    expect(Object.keys(errorCatalog)).toContain(error.code);
    expect(error.message).toMatch(/\S/);
  });

  test("has the status of its code", () => {
    // API Gateway refuses bodies that are too large with 413, a status that no error code has.
    const status = type === "REQUEST_TOO_LARGE" ? 413 : errorCatalog[error.code as ErrorCode].status;

    expect(response.statusCode).toBe(String(status));
  });

  test("is never cached, and not readable from other origins", () => {
    expect(response.responseParameters).toMatchObject({
      "gatewayresponse.header.Cache-Control": "'no-store'",
      "gatewayresponse.header.Cross-Origin-Resource-Policy": "'same-origin'",
    });
  });

  test("says when to retry, in header and details alike, if waiting helps", () => {
    const seconds = error.details?.retry_after_seconds;
    const header = response.responseParameters["gatewayresponse.header.Retry-After"];

    expect(Number.isInteger(seconds) && seconds > 0).toBe(["429", "503"].includes(response.statusCode));
    expect(header).toBe(seconds === undefined ? undefined : `'${seconds}'`);
  });

  test("has no variable of API Gateway in its text", () => {
    expect(response.responseTemplates["application/json"]).not.toContain("$");
  });
});

describe("the API's own errors", () => {
  test("cover every type of gateway response", () => {
    const all = Object.values(ResponseType)
      .filter((value): value is ResponseType => value instanceof ResponseType)
      .map(({ responseType }) => responseType);

    expect(responses.map(({ type }) => type).sort()).toEqual(all.sort());
  });

  test.each([
    ["MISSING_AUTHENTICATION_TOKEN", "404", "not_found"],
    ["REQUEST_TOO_LARGE", "413", "invalid_arg"],
    ["INVALID_API_KEY", "403", "forbidden"],
    ["THROTTLED", "429", "rate_limited"],
    ["QUOTA_EXCEEDED", "429", "rate_limited"],
    ["DEFAULT_4XX", "400", "invalid_arg"],
    ["DEFAULT_5XX", "503", "unavailable"],
    ["INTEGRATION_FAILURE", "503", "unavailable"],
    ["INTEGRATION_TIMEOUT", "503", "unavailable"],
  ])("%s is %s %s", (type, status, code) => {
    const found = byType[type];

    expect(found.statusCode).toBe(status);
    expect(found.responseTemplates["application/json"]).toContain(`"code":"${code}"`);
  });

  test("say that the service's daily limit is reached, and when to retry", () => {
    const { responseTemplates, responseParameters } = byType.QUOTA_EXCEEDED;
    const { error } = JSON.parse(responseTemplates["application/json"]);

    expect(error.message).toContain("its request limit for today");
    expect(error.message).toContain("midnight UTC");
    expect(responseParameters["gatewayresponse.header.Retry-After"]).toBe("'3600'");
  });

  test("state the maximum body size", () => {
    expect(byType.REQUEST_TOO_LARGE.responseTemplates["application/json"]).toContain("10 MB");
  });
});
