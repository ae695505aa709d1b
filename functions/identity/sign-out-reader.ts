import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { parseDestination } from "./destination.ts";
import { renderSignedOutPage } from "./reader-pages.tsx";
import { endedSessionCookie, readerSessions } from "./readers.ts";
import { signOutReaderRoute } from "./rows.ts";

/** POST /login/sign-out: ends the reader's session, and thereby the reader's access on all hosts. */
export const signOutReader = pageOperation(signOutReaderRoute, async ({ body, request, nowMs, act }) => {
  const session = await readerSessions.ofRequest(request, nowMs);
  if (session !== undefined) await readerSessions.end(session, act);
  const destination = parseDestination(parseForm(body).get("to") ?? "");
  return page("sign-in", (nonce) => renderSignedOutPage({ destination, nonce }), {
    cookies: [endedSessionCookie()],
  });
});
