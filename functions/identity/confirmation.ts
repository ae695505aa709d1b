import { page } from "../html/page.ts";
import type { OperationInput } from "../http/operation.ts";
import type { HttpResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { ownerUrl } from "../http/site.ts";
import { renderConfirmationPage } from "./confirmation-page.tsx";
import { isBrowserSignIn } from "./cookies.ts";
import type { DeviceCode } from "./device-codes.ts";

/** Responds with the last page of a sign-in, after the device code was verified for an account. */
export function confirmed(
  { request, site }: Pick<OperationInput<Route>, "request" | "site">,
  code: DeviceCode,
  { userId, namespace, username }: Readonly<Record<"userId" | "namespace" | "username", string>>,
): HttpResponse {
  const shown = page("sign-in", (nonce) =>
    renderConfirmationPage({
      username,
      namespace,
      ownerUrl: ownerUrl(site, namespace),
      label: code.label,
      code: code.code,
      ownCode: isBrowserSignIn(request, code) ? code.code : null,
      nonce,
    }),
  );
  return { ...shown, wrote: { ownerId: userId } };
}
