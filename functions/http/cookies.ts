import { parseCookie } from "cookie";
import type { HttpRequest } from "./request.ts";

/** The cookies of a request, by name. HTTP/2 may send several Cookie headers (RFC 9113, section 8.2.3). */
export function readCookies(request: HttpRequest): Readonly<Record<string, string | undefined>> {
  return parseCookie((request.headers.cookie ?? []).join("; "));
}
