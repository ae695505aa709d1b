import type { OperationInput } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, isConditionSupported } from "../http/response.ts";
import { parseJson } from "../http/validation.ts";
import { versionOf } from "./entity-tags.ts";
import type { callScimRoute } from "./rows.ts";
import { ScimError, scimHeaders } from "./scim-error.ts";

/** A SCIM client's request, with its parsed path and body. */
export type ScimInput = OperationInput<typeof callScimRoute>;

/** Handles the requests for resources of one type. @param id the resource's id, if the path contains one */
export type ResourceCalls = (input: ScimInput, id: string | undefined) => Promise<HttpResponse>;

/** Parses a JSON body, regardless of its media type. @throws ScimError `invalidSyntax` */
export async function readScimBody(request: HttpRequest): Promise<unknown> {
  try {
    return parseJson(await request.readBody());
  } catch {
    throw new ScimError(400, "The request body must be JSON in UTF-8.", "invalidSyntax");
  }
}

/** Recognizes GET and HEAD requests. */
export function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Responds with a resource and its version, or with 304 if the client already has this version (RFC 7644, section 3.14).
 *
 * @param location URL of a created resource, for a response with status 201
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

/** Responds with status 200 and a JSON body. */
export function scimResponse(body: object): HttpResponse {
  return { status: 200, headers: scimHeaders, body: JSON.stringify(body) };
}
