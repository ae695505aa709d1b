/// <reference types="aws-cloudfront-function" />

/** Challenge of a refused tool call. `edgeHeaders.challenge` has the same name. */
const challengeHeader = "x-dropleaf-challenge";

/**
 * Runs on every successful response of `/mcp`. A tool call that needs more than the token's scope comes with 200 and its challenge, since
 * edge functions do not run for errors and API Gateway renames WWW-Authenticate. It leaves with 403 and the challenge: RFC 6750, section 3.1;
 * Model Context Protocol, revision 2025-11-25, "Runtime Insufficient Scope Errors".
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
