import { admit } from "../members/store.ts";
import { ApiError } from "../platform/errors.ts";
import type { OperationInput } from "../platform/operation.ts";
import { type HttpResponse, seeOther } from "../platform/response.ts";
import { callbackUrl } from "../platform/site.ts";
import { findUserId } from "../readers/find-reader.ts";
import { claimedSession, sessionCookie } from "../readers/session.ts";
import { readerSessions } from "../readers/session-store.ts";
import { fetchIdentity } from "./identity-provider.ts";
import { endedReaderSignInCookie, findReaderSignIn } from "./reader-sign-in-state.ts";
import type { completeSignInRoute } from "./rows.ts";

/**
 * The end of a reader's sign-in, which comes back to the same address as an agent's human: a session in this browser, and on
 * to where it was going. It gives nobody else anything, so that no page of ours has to be passed on the way:
 * docs/adr/0075-guarded-drops-on-the-base-host.md.
 *
 * @throws ApiError `invalid_arg` where this browser did not begin it.
 */
export async function completeReaderSignIn(
  input: OperationInput<typeof completeSignInRoute>,
): Promise<HttpResponse> {
  const { query, request, site, nowMs, act } = input;
  const started = await findReaderSignIn(request, query.state, nowMs);
  if (started === undefined) throw notBegunHere();
  if (query.refused !== undefined) {
    throw new ApiError("invalid_arg", {
      message: "The identity provider says that the sign-in was not completed.",
    });
  }
  const identity = await fetchIdentity(callbackUrl(site), query, started.codeVerifier);
  // Reading is no right that needs it, but a user name that lets in is theirs from now on who come first.
  const [userId] = await Promise.all([findUserId(identity), admit(identity)]);
  const who = { identity, userId };
  const id = await readerSessions.start(who, claimedSession(request), act);
  return seeOther(site.baseUrl + started.destination, [
    sessionCookie(id),
    endedReaderSignInCookie(query.state),
  ]);
}

function notBegunHere(): ApiError {
  return new ApiError("invalid_arg", {
    message:
      "This sign-in was not begun in this browser, or was begun more than 10 minutes ago. Open the page that you want to read, and sign in from there.",
  });
}
