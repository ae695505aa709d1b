import { served } from "../drops/served.ts";
import { cookieKeys } from "../platform/cookie-keys.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { type HttpResponse, redirect } from "../platform/response.ts";
import { callbackUrl, entranceUrl, type Site } from "../platform/site.ts";
import {
  type Destination,
  type DropDestination,
  entranceQuery,
  type FileDestination,
  isFileDestination,
  isPageDestination,
  pagePath,
  parseDestination,
} from "../readers/destination.ts";
import { findReader } from "../readers/find-reader.ts";
import { mayRead } from "../readers/may-read.ts";
import { claimedSession, type ReaderSession } from "../readers/session.ts";
import { readerSessions } from "../readers/session-store.ts";
import { fileAddress, findShownFile } from "../readers/shown-file.ts";
import { startReaderSignIn } from "../readers/sign-in-state.ts";
import { signTicket } from "../readers/ticket.ts";
import { authorizationUrl } from "./identity-provider.ts";
import { renderNotSharedPage, renderSignedInPage, renderSignedOutPage } from "./reader-pages.tsx";
import { admitReaderRoute } from "./rows.ts";

/**
 * GET /login/read: somebody on the way to a drop, a file, or a page of their own. Who has signed in goes back there, to a drop with a
 * ticket, or learns that there is nothing for them; everybody else goes on to the identity provider, whether there is such a
 * thing or not.
 */
export const admitReader = pageOperation(admitReaderRoute, async ({ request, query, site, nowMs }) => {
  const reference = claimedSession(request);
  const session = reference === undefined ? undefined : await readerSessions.find(reference, nowMs);
  if (!query.isGoing) return standingPage(session);
  const destination = parseDestination(request.rawQuery);
  if (destination === undefined) throw notFromHere();
  // Nobody has asked for it: they only came to what is not there.
  if (session === undefined && query.account === "known" && !isPageDestination(destination))
    return notSharedPage(undefined, destination);
  if (session === undefined || query.account === "other") {
    const asksWho = query.account === "other";
    return toProvider({ destination, asksWho, site, nowMs });
  }
  // This host has the session's cookie itself: no ticket is needed.
  if (isPageDestination(destination)) return redirect(`${site.baseUrl}${pagePath(destination)}`);
  if (isFileDestination(destination)) return toFile(destination, session, site);
  const namespace = await findNamespace(destination, session);
  if (namespace === undefined) return notSharedPage(session, destination);
  const url = new URL(
    entranceUrl(site, destination.at === "owner" ? namespace : undefined, destination.slug),
  );
  const { slug, bind } = destination;
  const ticket = { host: url.host, slug, bind, session: session.reference };
  url.search = entranceQuery(destination).toString();
  url.searchParams.set("ticket", signTicket(await cookieKeys.signing(), ticket, nowMs));
  return redirect(url.href);
});

async function toProvider(to: {
  readonly destination: Destination;
  readonly asksWho: boolean;
  readonly site: Site;
  readonly nowMs: number;
}): Promise<HttpResponse> {
  const { destination, asksWho, site, nowMs } = to;
  const { state, codeVerifier, cookie } = await startReaderSignIn(destination, nowMs);
  const url = await authorizationUrl({ state, codeVerifier, redirectUrl: callbackUrl(site), asksWho });
  return redirect(url.href, [cookie]);
}

/** To the bytes of a file; no ticket and no pass, so that nothing of a right to read is on the owner's host. */
async function toFile(
  destination: FileDestination,
  session: ReaderSession,
  site: Site,
): Promise<HttpResponse> {
  const [file, reader] = await Promise.all([
    findShownFile(destination.of, destination.file),
    findReader(session),
  ]);
  if (file === undefined || !mayRead(file, reader)) return notSharedPage(session, destination);
  const response = redirect(await fileAddress(site, file));
  // A page that has opened this window must not see whether it went on, by whether it can still close it.
  return { ...response, headers: { ...response.headers, "cross-origin-opener-policy": "same-origin" } };
}

/** Whose the drop is that somebody may read; undefined where there is none, and where it is not for them. */
async function findNamespace({ slug }: DropDestination, session: ReaderSession): Promise<string | undefined> {
  const [pointer, reader] = await Promise.all([served.findPointer(slug), findReader(session)]);
  const drop = await served.findShownDrop(pointer, slug);
  return drop !== undefined && mayRead(drop, reader) ? drop.namespace : undefined;
}

function notSharedPage(
  session: ReaderSession | undefined,
  destination: DropDestination | FileDestination,
): HttpResponse {
  const identity = session?.identity;
  return page("sign-in", (nonce) => renderNotSharedPage({ identity, destination, nonce }), { status: 404 });
}

/** For who comes to see as whom they are signed in. */
function standingPage(session: ReaderSession | undefined): HttpResponse {
  return page("sign-in", (nonce) =>
    session === undefined
      ? renderSignedOutPage({ destination: undefined, nonce })
      : renderSignedInPage({ identity: session.identity, nonce }),
  );
}

function notFromHere(): ApiError {
  return new ApiError("invalid_arg", {
    message:
      "This address is one step of a sign-in. Open the page that you want to read, and sign in from there.",
  });
}
