import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { presentPageError } from "../html/page.ts";
import { defineOperation } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { errorHeaders, type HttpResponse } from "../http/response.ts";
import type { Actor } from "../table/audit.ts";
import { hashSecret } from "../table/identifiers.ts";
import { callGroups } from "./group-calls.ts";
import { presentList } from "./list.ts";
import { isRead, type ResourceCalls, type ScimInput, scimResponse } from "./resource-call.ts";
import { describeProvider, describeResourceTypes, describeSchemas } from "./resources.ts";
import { callScimRoute, scimPath } from "./rows.ts";
import { notFound, presentScimError, ScimError } from "./scim-error.ts";
import { scimTokens } from "./scim-tokens.ts";
import { callUsers } from "./user-calls.ts";

/** Handles all requests below /scim/v2 (RFC 7644). Responds with 404 until the operator has created a SCIM token. */
export const callScim = defineOperation(callScimRoute, {
  identify: (request) => async () => ({ tokenId: await authenticate(request) }),
  actorOf: ({ tokenId }): Actor => ({ kind: "scim", tokenId }),
  presentError: (error, route, request) =>
    error.code === "not_found"
      ? presentPageError(error, route, request)
      : presentScimError(error, errorHeaders(error)),
  run: async (input) => {
    try {
      return await call(input);
    } catch (error) {
      if (error instanceof ScimError) return presentScimError(error);
      throw error;
    }
  },
});

/**
 * Authenticates a SCIM client. Returns the id of its token.
 *
 * @throws ApiError `not_found` if there are no SCIM tokens, because SCIM is then turned off; `unauthorized` for an unknown token
 */
async function authenticate({ headers }: HttpRequest): Promise<string> {
  const all = await scimTokens.list();
  if (all.length === 0) throw new ApiError("not_found", { message: "Nothing was found at this address." });
  const [value = "", ...others] = headers.authorization ?? [];
  const [, plaintext = ""] = /^Bearer +(\S+) *$/i.exec(value) ?? [];
  const given = Buffer.from(hashSecret(plaintext));
  const found = all.find(({ hash }) => timingSafeEqual(given, Buffer.from(hash)));
  if (found !== undefined && others.length === 0) return found.id;
  throw new ApiError("unauthorized", {
    message: "Send Authorization: Bearer with a SCIM token of this service.",
  });
}

const resources: Readonly<Record<string, ResourceCalls>> = {
  Users: callUsers,
  Groups: callGroups,
  ServiceProviderConfig: async ({ request, site }, id) => {
    if (id !== undefined) throw notFound(request.path);
    requireRead(request);
    return scimResponse(describeProvider(site.baseUrl));
  },
  ResourceTypes: (input, id) => describe(input, id, describeResourceTypes(input.site.baseUrl)),
  Schemas: (input, id) => describe(input, id, describeSchemas(input.site.baseUrl)),
};

async function call(input: ScimInput): Promise<HttpResponse> {
  const { path } = input.request;
  const [type = "", id, ...more] = path.slice(scimPath.length + 1).split("/");
  if (type === "Me" || type === "Bulk") throw new ScimError(501, `/${type} is not supported.`);
  const calls = Object.hasOwn(resources, type) ? resources[type] : undefined;
  if (calls === undefined || more.length > 0) throw notFound(path);
  return calls(input, id);
}

async function describe(
  { request }: ScimInput,
  id: string | undefined,
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<HttpResponse> {
  requireRead(request);
  if (id === undefined) return scimResponse(presentList(all, { startIndex: 1, totalResults: all.length }));
  const found = all.find((one) => one.id === decodeURIComponent(id));
  if (found === undefined) throw notFound(id);
  return scimResponse(found);
}

function requireRead(request: HttpRequest): void {
  if (!isRead(request)) throw new ScimError(405, "Use GET.");
}
