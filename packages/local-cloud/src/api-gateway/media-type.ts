/**
 * True when a `Content-Type`, or the first type of an `Accept` header, is among an API's binary media types.
 * API Gateway developer guide, "Binary media types for REST APIs in API Gateway".
 */
export function matchesMediaType(binaryMediaTypes: readonly string[], header: string | undefined): boolean {
  const type = (header ?? "application/json").split(/[,;]/)[0]?.trim().toLowerCase() ?? "";
  return binaryMediaTypes.some((pattern) => pattern === "*/*" || pattern.toLowerCase() === type);
}
