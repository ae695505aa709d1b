/// <reference types="aws-cloudfront-function" />

/** The leaf from `functions/html/icons.tsx` as an .ico file with 16 and 32 pixels, in base64. */
const icon =
  "AAABAAIAEBAAAAEABAC5AAAAJgAAACAgAAABAAQA+QAAAN8AAACJUE5HDQoaCgAAAA1JSERSAAAAEAAAABAEAwAAAO3d4lIAAAAVUExURQAAAC+KWy+KWy+KW2OnhJfFrf///1lZxJ4AAAAHdFJOUwD/v4D////O0E54AAAATElEQVR42mNgwASCgoJCBlCGoBCY4SooKKgAYoQFCgoKgxiiqRA5QbAQmAESYmBgUAQLMTAwGIKFGBgYmARBQgwQOdFUEIMZpAqL3QBbTQjYULqDPAAAAABJRU5ErkJggolQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAABtQTFRFAAAAL4pbL4pbL4pbL4pbY6eEy+LW////l8WtAH3zrAAAAAl0Uk5TAP+/gED/////G+rOfAAAAIRJREFUeNqt0bENwyAQhWEUs8CzIytlkBewMwEewZVHIW2qrG3peMdhaq789elA4FyXQZ4lNgFjbAKmNmAt4bgRYP6SRIYz/XJ4M7wSyVN3/EkmDUrGcqySEpTYxUgskEgIFZGwVUTCDiMSHjAiwcOIq5YIyWEw4lrC4IMSfXj/IenzsRfY1iYZfznzEAAAAABJRU5ErkJggg==";

/** Base domain of the hosts of owners and folders, inserted by the bundler. Empty on stacks without such hosts. */
declare const BASE_DOMAIN: string;

/**
 * Serves `/favicon.ico`, which browsers request for responses that name no icon, such as raw pages, JSON and files. On a published folder's
 * own host, serves the folder's file with this name instead.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(
  event: AWSCloudFrontFunction.Event,
): AWSCloudFrontFunction.Request | AWSCloudFrontFunction.Response {
  const request = event.request;
  const method = request.method;
  if (method !== "GET" && method !== "HEAD") return refuse(method, event.context.requestId);
  const host = request.headers.host ? request.headers.host.value.toLowerCase() : "";
  if (BASE_DOMAIN !== "" && host.startsWith("f--") && host.endsWith(`.${BASE_DOMAIN}`))
    return toFolder(request, host, event.viewer.ip);
  return {
    statusCode: 200,
    statusDescription: "OK",
    headers: {
      "content-type": { value: "image/x-icon" },
      // Allows the style that browsers add when an image is opened directly.
      "content-security-policy": {
        value: "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
      },
      "x-content-type-options": { value: "nosniff" },
      "cache-control": { value: "public, max-age=86400" },
    },
    body: { encoding: "base64", data: icon },
  };
}

/** Forwards a request for a folder's file to the API, like functions/edge/viewer-request.ts. */
function toFolder(
  request: AWSCloudFrontFunction.Request,
  host: string,
  address: string,
): AWSCloudFrontFunction.Request {
  const headers = request.headers;
  // Removes headers with this service's prefix, which a viewer must have forged, and headers that override the method.
  Object.keys(headers).forEach((name) => {
    if (/^x-(dropleaf-|method|http-method)/.test(name)) delete headers[name];
  });
  headers["x-dropleaf-host"] = { value: host };
  headers["x-dropleaf-address"] = { value: address };
  headers["x-dropleaf-path"] = { value: "/p/1234567/raw/favicon.ico" };
  request.cookies = {};
  request.uri = "/p/1234567/raw/file";
  return request;
}

/** Returns an error response (section "Errors" of the specification) without forwarding the request to an origin. */
function refuse(method: string, requestId: string): AWSCloudFrontFunction.Response {
  const message = `This address supports GET and HEAD, not ${method}.`;
  const error = { code: "method_not_allowed", message, details: { allow: ["GET", "HEAD"] } };
  return {
    statusCode: 405,
    statusDescription: "Method Not Allowed",
    headers: {
      allow: { value: "GET, HEAD" },
      "content-type": { value: "application/json; charset=utf-8" },
      "content-security-policy": { value: "default-src 'none'; frame-ancestors 'none'" },
      "cross-origin-resource-policy": { value: "same-origin" },
      "x-content-type-options": { value: "nosniff" },
      "cache-control": { value: "no-store" },
      "x-request-id": { value: requestId },
    },
    body: { encoding: "text", data: JSON.stringify({ error }) },
  };
}
