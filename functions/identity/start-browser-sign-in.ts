import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { verificationUrl } from "../http/site.ts";
import { validate } from "../http/validation.ts";
import { browserSignInCookie } from "./cookies.ts";
import { startNewSignIn } from "./new-sign-in.ts";
import { startBrowserSignInRoute } from "./rows.ts";
import { startSignInBody } from "./schemas.ts";

/** POST /login: starts a sign-in whose token only this browser will see, and goes on to its verify page. */
export const startBrowserSignIn = pageOperation(startBrowserSignInRoute, async (input) => {
  const { body, site } = input;
  const { label } = validate(startSignInBody, { label: parseForm(body).get("label")?.trim() || null });
  const { code, pollToken } = await startNewSignIn(label || null, input);
  return seeOther(verificationUrl(site, code), [browserSignInCookie(code, pollToken)]);
});
