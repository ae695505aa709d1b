/// <reference types="aws-cloudfront-function" />

/** Header with the `WWW-Authenticate` challenge of a refused tool call. Must have the same name as `edgeHeaders.challenge`. */
const challengeHeader = "x-dropleaf-challenge";

/**
 * Runs on every successful response of `/mcp`. If a tool call exceeds the token's scope, the Lambda function responds 200 with the
 * challenge in a header of its own, because edge functions do not run for errors and API Gateway renames WWW-Authenticate. This edge
 * function changes the response to 403 with WWW-Authenticate (RFC 6750, section 3.1; Model Context Protocol, revision 2025-11-25, "Runtime
 * Insufficient Scope Errors").
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const response = event.response;
  const headers = response.headers || {};
  const challenge = headers[challengeHeader];
  if (!challenge) return response;
  delete headers[challengeHeader];
  headers["www-authenticate"] = { value: challenge.value };
  response.headers = headers;
  response.statusCode = 403;
  response.statusDescription = "Forbidden";
  return response;
}
