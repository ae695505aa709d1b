import { toProxyEvent } from "@dropleaf/local-cloud/api-gateway/proxy-event";
import type { APIGatewayProxyEvent } from "aws-lambda";

interface GivenRequest {
  readonly body?: string;
  readonly headers?: readonly [string, string][];
  readonly query?: string;
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Builds the event that API Gateway makes of a request. */
export function givenProxyEvent({ body = "", headers = [], query, path = "/api/me", ...said }: GivenRequest) {
  const { pathParameters = {} } = said;
  const request = { method: "POST", path, query, headers, peer: { address: "192.0.2.1" } };
  const route = { method: { resourcePath: path }, pathParameters };
  const event = toProxyEvent(request as never, route as never, Buffer.from(body), {
    apiId: "api",
    domainName: "api.example.com",
    stage: "live",
    stageVariables: null,
    deploymentId: "deployment",
    requestId: "11111111-2222-3333-4444-555555555555",
    extendedRequestId: "extended",
    startedAtMs: 0,
    binaryMediaTypes: ["*/*"],
  });
  return event as APIGatewayProxyEvent;
}
