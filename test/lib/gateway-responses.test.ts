import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCatalog } from "../../functions/contract/errors.ts";
import { givenStack, resourcesOf } from "./given-stack.ts";

const responses = Object.values(resourcesOf(givenStack(), "AWS::ApiGateway::GatewayResponse"))
  .map(({ Properties }) => Properties)
  .map((properties) => ({ type: String(properties.ResponseType), properties }));

describe.each(responses)("$type", ({ type, properties }) => {
  const { error } = JSON.parse(properties.ResponseTemplates["application/json"]);

  test("has the shape of the section Errors, in JSON only", () => {
    expect(Object.keys(properties.ResponseTemplates)).toEqual(["application/json"]);
    expect(Object.keys(errorCatalog)).toContain(error.code);
    expect(error.message).toMatch(/\S/);
  });

  test("has the status of its code", () => {
    // 413 is what it is called when a body is too large for anyone to look at; no code of ours has that status.
    const status = type === "REQUEST_TOO_LARGE" ? 413 : errorCatalog[error.code as ErrorCode].status;

    expect(properties.StatusCode).toBe(String(status));
  });

  test("is kept by no cache and read by no other origin", () => {
    expect(properties.ResponseParameters).toMatchObject({
      "gatewayresponse.header.Cache-Control": "'no-store'",
      "gatewayresponse.header.Cross-Origin-Resource-Policy": "'same-origin'",
    });
  });

  test("says when to come back, in header and details alike, where waiting helps", () => {
    const seconds = error.details?.retry_after_seconds;
    const header = properties.ResponseParameters["gatewayresponse.header.Retry-After"];

    expect(Number.isInteger(seconds) && seconds > 0).toBe(["429", "503"].includes(properties.StatusCode));
    expect(header).toBe(seconds === undefined ? undefined : `'${seconds}'`);
  });

  test("has no variable of API Gateway's in its text", () => {
    expect(properties.ResponseTemplates["application/json"]).not.toContain("$");
  });
});

describe("the API's own errors", () => {
  test("are all there are", () => {
    const all = Object.values(ResponseType)
      .filter((value): value is ResponseType => value instanceof ResponseType)
      .map(({ responseType }) => responseType);

    expect(responses.map(({ type }) => type).sort()).toEqual(all.sort());
  });

  test.each([
    ["MISSING_AUTHENTICATION_TOKEN", "404", "not_found"],
    ["REQUEST_TOO_LARGE", "413", "invalid_arg"],
    ["THROTTLED", "429", "rate_limited"],
    ["DEFAULT_4XX", "400", "invalid_arg"],
    ["DEFAULT_5XX", "503", "unavailable"],
    ["INTEGRATION_FAILURE", "503", "unavailable"],
    ["INTEGRATION_TIMEOUT", "503", "unavailable"],
  ])("%s is %s %s", (type, status, code) => {
    const found = responses.find((response) => response.type === type);

    expect(found?.properties.StatusCode).toBe(status);
    expect(found?.properties.ResponseTemplates["application/json"]).toContain(`"code":"${code}"`);
  });

  test("say how large a body may be", () => {
    const tooLarge = responses.find(({ type }) => type === "REQUEST_TOO_LARGE");

    expect(tooLarge?.properties.ResponseTemplates["application/json"]).toContain("10 MB");
  });
});
