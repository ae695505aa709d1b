import { startSignInBody } from "../../contract/requests.ts";
import { startOwnSignInRoute } from "../../contract/sign-in-routes.ts";
import { verificationUrl } from "../../domain/addresses.ts";
import { seeOther } from "../../http/answer.ts";
import { parseForm } from "../../http/form.ts";
import { startNewSignIn } from "../../http/new-sign-in.ts";
import { ownSignInCookie } from "../../http/own-sign-in-cookie.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { validate } from "../../http/validation.ts";

/** POST /login: starts a sign-in whose token only this browser will see, and goes on to its verify page. */
export const startOwnSignIn = pageOperation(startOwnSignInRoute, async (input) => {
  const { body, request, site, nowMs, randomInt } = input;
  const { label } = validate(startSignInBody, { label: parseForm(body).get("label")?.trim() || null });
  const by = { network: request.network, nowMs, randomInt };
  const { code, pollToken } = await startNewSignIn(label ?? null, by);
  return seeOther(verificationUrl(site, code), [ownSignInCookie(code, pollToken)]);
});
