import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { verificationUrl } from "../http/site.ts";
import { validate } from "../http/validation.ts";
import { browserSignInCookie } from "./cookies.ts";
import { startNewSignIn } from "./new-sign-in.ts";
import { startBrowserSignInRoute } from "./rows.ts";
import { startSignInBody } from "./schemas.ts";

/** POST /login: starts a sign-in without an agent, and redirects to the verification page. Only this browser can show the token. */
export const startBrowserSignIn = pageOperation(startBrowserSignInRoute, async (input) => {
  const { body, site } = input;
  const form = parseForm(body);
  const sent = { label: form.get("label")?.trim() || null, scope: form.get("scope") ?? undefined };
  const { label, scope = "all" } = validate(startSignInBody, sent);
  const { code, pollToken } = await startNewSignIn({ label: label || null, scope }, input);
  return seeOther(verificationUrl(site, code), [browserSignInCookie(code, pollToken)]);
});
