import { stringifySetCookie } from "cookie";

/**
 * The `Set-Cookie` value of a cookie that no script reads and, by `__Host-`, no other host sets or gets (RFC 6265bis,
 * section 4.1.3.2). It comes along with links from elsewhere, and with nothing else that another site's page sends.
 *
 * @param maxAge in seconds; 0 takes the cookie back
 */
export function hostCookie(name: `__Host-${string}`, value: string, maxAge: number): string {
  return stringifySetCookie({
    name,
    value,
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge,
  });
}
