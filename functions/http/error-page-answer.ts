import type { ApiError } from "../contract/api-error.ts";
import { errorCatalog } from "../contract/errors.ts";
import type { Route } from "../contract/route.ts";
import { classifyHost, seenPath } from "../domain/addresses.ts";
import { renderErrorPage } from "../views/error-page.tsx";
import { text } from "../views/text.ts";
import type { HttpAnswer } from "./answer.ts";
import { errorHeaders } from "./error-answer.ts";
import { page } from "./page-answer.ts";
import type { HttpRequest } from "./request.ts";
import { readSite } from "./site.ts";

/** A refusal that people see: what is missing or wrong, and where to go. */
export function errorPage(error: ApiError, route: Route, request: HttpRequest): HttpAnswer {
  const { status } = error;
  const answer = page(
    "sign-in",
    (nonce) =>
      renderErrorPage({
        status,
        heading: headingFor(error),
        message: adviceFor(error),
        way: wayOn(route, request),
        nonce,
      }),
    { status },
  );
  return { ...answer, headers: { ...answer.headers, ...errorHeaders(error) } };
}

/** What is barred is named; for the rest, the status says enough. */
function headingFor(error: ApiError): string {
  const reason = error.toBody().error.details?.reason;
  return text.error.reasons[String(reason)] ?? text.error.heading(error.status);
}

/** A message that says more than its code's own is meant for whoever reads it; the codes' own speak to programs. */
function adviceFor({ code, message, retryAfterSeconds }: ApiError): string {
  if (message !== errorCatalog[code].message) return message;
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return text.error.wait(Math.max(1, Math.ceil(retryAfterSeconds / 60)));
  }
  return text.error.advice[code] ?? message;
}

/** Of a missing page, its owner's others; of a failed sign-in, a fresh one; else the start page. */
function wayOn(route: Route, request: HttpRequest): { href: string; label: string } {
  const site = readSite(request);
  const host = classifyHost(site, request.host, request.owner);
  if (host.kind === "base" && route.resource === "auth") return { href: "/login", label: text.error.signIn };
  if (host.kind === "owner" && route.id !== "show-owner-page")
    return { href: seenPath(host, "/"), label: text.error.owner(host.namespace) };
  return { href: `${site.baseUrl}/`, label: text.error.home };
}
