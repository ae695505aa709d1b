import type { OperationInput } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, isConditionSupported } from "../http/response.ts";
import { parseJson } from "../http/validation.ts";
import { versionOf } from "./entity-tags.ts";
import type { callScimRoute } from "./rows.ts";
import { ScimError, scimHeaders } from "./scim-error.ts";

/** Input of a call of a SCIM client. */
export type ScimInput = OperationInput<typeof callScimRoute>;

/** Handles the calls of one type of resources. @param id of the resource, if the address has one */
export type ResourceCalls = (input: ScimInput, id: string | undefined) => Promise<HttpResponse>;

/** Reads a body of JSON, whatever its media type says. @throws ScimError `invalidSyntax` */
export async function readScimBody(request: HttpRequest): Promise<unknown> {
  try {
    return parseJson(await request.readBody());
  } catch {
    throw new ScimError(400, "The request body must be JSON in UTF-8.", "invalidSyntax");
  }
}

/** Recognizes requests that change nothing. */
export function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * A resource with its version, or 304 if the client has it; RFC 7644, section 3.14.
 *
 * @param location address of a resource that the request has created: the response is 201 then
 */
export function resourceResponse(
  request: HttpRequest,
  resource: { readonly revision: number; readonly createdAtMs: number },
  body: object,
  location?: string,
): HttpResponse {
  const etag = versionOf(resource);
  if (isRead(request) && isConditionSupported(request, etag.replace(/^W\//, "")))
    return { status: 304, headers: { etag, "cache-control": "no-store" }, body: "" };
  return {
    status: location === undefined ? 200 : 201,
    headers: { ...scimHeaders, etag, ...(location === undefined ? {} : { location }) },
    body: JSON.stringify(body),
  };
}

/** 200 with JSON. */
export function scimResponse(body: object): HttpResponse {
  return { status: 200, headers: scimHeaders, body: JSON.stringify(body) };
}
