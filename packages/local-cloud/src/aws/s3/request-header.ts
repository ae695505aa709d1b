import type { AwsRequest } from "../aws-service.ts";

/** Returns a header of the request. In a presigned URL, the x-amz headers are query parameters. */
export function requestHeader(request: AwsRequest, name: string): string | undefined {
  const header = request.headers[name];
  if (header !== undefined) return Array.isArray(header) ? header.join(",") : header;
  return name.startsWith("x-amz-") ? presignedHeaders(request).get(name) : undefined;
}

/** Returns every x-amz header in the request's headers and query, with lower-case names. */
export function amzHeaders(request: AwsRequest): ReadonlyMap<string, string> {
  const headers = new Map(presignedHeaders(request));
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith("x-amz-")) headers.set(name, String(value));
  }
  return headers;
}

function presignedHeaders(request: AwsRequest): ReadonlyMap<string, string> {
  return new Map(
    [...request.query]
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name.startsWith("x-amz-")),
  );
}
