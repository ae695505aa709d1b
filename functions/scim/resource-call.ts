import type { OperationInput } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, isConditionSupported } from "../http/response.ts";
import { parseJson } from "../http/validation.ts";
import { versionOf } from "./entity-tags.ts";
import type { callScimRoute } from "./rows.ts";
import { ScimError, scimHeaders } from "./scim-error.ts";

/** Input of a call of a SCIM client. */
export type ScimInput = OperationInput<typeof callScimRoute>;

/** Handles the calls of one type of resources. @param id of the resource, where the address has one */
export type ResourceCalls = (input: ScimInput, id: string | undefined) => Promise<HttpResponse>;

/** Reads a body of JSON, whatever its media type says. @throws ScimError `invalidSyntax` */
export async function readScimBody(request: HttpRequest): Promise<unknown> {
  try {
    return parseJson(await request.readBody());
  } catch {
    throw new ScimError(400, "The request body must be JSON in UTF-8.", "invalidSyntax");
  }
}

/** A resource with its version, or 304 if the client has it; RFC 7644, section 3.14. */
export function resourceResponse(
  request: HttpRequest,
  resource: { readonly revision: number; readonly createdAtMs: number },
  body: object,
  { status = 200, location }: { readonly status?: 200 | 201; readonly location?: string } = {},
): HttpResponse {
  const version = versionOf(resource);
  const headers = { ...scimHeaders, etag: version, ...(location === undefined ? {} : { location }) };
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && isConditionSupported(request, version.replace(/^W\//, "")))
    return { status: 304, headers: { etag: version, "cache-control": "no-store" }, body: "" };
  return { status, headers, body: JSON.stringify(body) };
}

/** A list. */
export function listResponse(body: object): HttpResponse {
  return { status: 200, headers: scimHeaders, body: JSON.stringify(body) };
}
