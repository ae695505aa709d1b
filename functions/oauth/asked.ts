import { ApiError } from "../platform/errors.ts";
import { patterns } from "../platform/schemas.ts";
import type { Site } from "../platform/site.ts";
import { type AuthorizationRequest, findReturn, readRequest } from "./authorization-request.ts";
import { authorizationRequests } from "./authorization-store.ts";
import { oauthText } from "./text.ts";

/**
 * What a client asks for that waits to be decided: its client, and where it is answered, are looked at each time anew.
 *
 * @throws ApiError `invalid_arg` where it is answered already, or has waited too long
 */
export async function findAsked(id: string, site: Site, nowMs: number): Promise<AuthorizationRequest> {
  const query = patterns.authorizationRequest.test(id)
    ? await authorizationRequests.find(id, nowMs)
    : undefined;
  if (query === undefined) throw requestOver();
  return readRequest(query, await findReturn(query, nowMs), site);
}

/** The refusal of what was decided before, or waits no more. */
export function requestOver(): ApiError {
  return new ApiError("invalid_arg", { message: oauthText.problems.over });
}
