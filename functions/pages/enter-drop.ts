import { cookieKeys } from "../platform/cookie-keys.ts";
import { ApiError } from "../platform/errors.ts";
import { pageOperation } from "../platform/page-operation.ts";
import { joinQuery } from "../platform/page-query.ts";
import type { HttpRequest } from "../platform/request.ts";
import { fetchDestination, isPrefetched, isUntellingBrowser } from "../platform/request-origin.ts";
import { redirect } from "../platform/response.ts";
import { entranceUrl, hasOwnOrigin } from "../platform/site.ts";
import { bindingOf, bindOf, endedBindingCookie, startBinding } from "../readers/bind.ts";
import { entranceQuery, presentDestination } from "../readers/destination.ts";
import { knownReaderCookie, passCookie } from "../readers/pass.ts";
import { readerSessionSeconds } from "../readers/session.ts";
import { type FoundTicket, readTicket, useTicket } from "../readers/ticket.ts";
import { gatedPath } from "./gate-address.ts";
import { enterDropRoute } from "./rows.ts";

/**
 * GET /p/{slug}/read: out to sign in at the service's own host, whether there is such a drop or not; and back in with a ticket,
 * which becomes this browser's pass. A ticket that is not good leads back as well, without one.
 */
export const enterDrop = pageOperation(enterDropRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  const { from, version, pageQuery } = query;
  const to = fetchDestination(request);
  // Only what a person opens: a ticket is good once, and a page's script is to begin nothing.
  if (to === "frame" || to === "part" || isPrefetched(request)) throw new ApiError("not_found");
  if (query.ticket !== undefined) {
    const asked = bindingOf(request, slug)?.pageQuery;
    const cookies = await exchange(request, slug, query.ticket, nowMs);
    return redirect(gatedPath({ host, slug, from, version, pageQuery: asked }), cookies);
  }
  // Where such a browser may read what is not open to all: docs/adr/0020-a-locked-page-is-out-of-its-neighbours-reach.md.
  if (hasOwnOrigin(host) && isUntellingBrowser(request)) {
    const onBaseHost = entranceQuery({ from: from === "d" ? "p" : from, version, pageQuery });
    return redirect(entranceUrl(site, undefined, slug) + joinQuery(onBaseHost.toString()));
  }
  const { cookie, bind } = startBinding(slug, pageQuery);
  const at = host.kind === "owner" ? "owner" : "base";
  const destination = presentDestination({ slug, at, from, version, bind });
  return redirect(`${site.baseUrl}/login/read?${destination}&account=${query.account}`, [cookie]);
});

/**
 * The pass for a ticket, in the browser that it was made for. It is used up first, whoever brings it: in another browser it has
 * been seen by somebody for whom it is not.
 */
async function exchange(request: HttpRequest, slug: string, value: string, nowMs: number): Promise<string[]> {
  const ticket = await findTicket(request, slug, value, nowMs);
  if (ticket === undefined || !(await useTicket(ticket, request.requestId))) return [];
  const binding = bindingOf(request, slug);
  if (binding === undefined || bindOf(binding.secret) !== ticket.bind) return [];
  const seconds = readerSessionSeconds();
  const pass = { host: request.host, slug, session: ticket.session, expiresAtMs: nowMs + seconds * 1000 };
  return [await passCookie(pass, nowMs), endedBindingCookie(slug), knownReaderCookie(seconds)];
}

async function findTicket(
  { host }: HttpRequest,
  slug: string,
  value: string,
  nowMs: number,
): Promise<FoundTicket | undefined> {
  let ticket: FoundTicket | undefined;
  await cookieKeys.holds((key) => {
    ticket = readTicket(key, { host, slug }, value, nowMs);
    return ticket !== undefined;
  });
  return ticket;
}
