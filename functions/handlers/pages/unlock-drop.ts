import { ApiError } from "../../contract/api-error.ts";
import { unlockDropRoute } from "../../contract/page-routes.ts";
import { normalizePasscode } from "../../contract/passcode-text.ts";
import type { Drop } from "../../domain/drop.ts";
import { matchesPasscode } from "../../domain/passcode.ts";
import { gateDropRule, gateVisitorRule } from "../../domain/rate-window.ts";
import { seeOther } from "../../http/answer.ts";
import { parseForm } from "../../http/form.ts";
import { gateCookie, gatedPath, gatePage } from "../../http/gate.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { requireSameOrigin } from "../../http/same-origin.ts";
import { requireDrop } from "../../http/served-version.ts";
import { rateLimiter } from "../../store/rate-limiter.ts";

/** POST /p/{slug}/unlock: a right passcode sets the cookie and leads back; a wrong one shows the form again. */
export const unlockDrop = pageOperation(unlockDropRoute, async (input) => {
  const { request, host, path, query, body, site, nowMs } = input;
  requireSameOrigin(request, site);
  const drop = await requireDrop(host, path.slug);
  const address = { host, slug: path.slug, ...query };
  if (drop.gate.kind === "open") return seeOther(gatedPath(address));
  const visitor = `${path.slug}#${request.network}`;
  try {
    // Before the key derivation, which costs 32 MiB and tens of milliseconds: guesses must not.
    await rateLimiter.spend(gateVisitorRule, visitor, nowMs);
    await rateLimiter.spend(gateDropRule, path.slug, nowMs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined || error.status !== 429)
      throw error;
    return gatePage(address, { status: 429, waitSeconds: error.retryAfterSeconds });
  }
  if (!(await isRight(drop, body))) return gatePage(address, { status: 403 });
  await Promise.all([
    rateLimiter.refund(gateVisitorRule, visitor),
    rateLimiter.refund(gateDropRule, path.slug),
  ]);
  return seeOther(gatedPath(address), [await gateCookie(request, drop, nowMs)]);
});

async function isRight({ gate }: Drop, form: Uint8Array): Promise<boolean> {
  const passcode = normalizePasscode(parseForm(form).get("passcode") ?? "");
  if (gate.kind === "open" || passcode === undefined) return false;
  return matchesPasscode(passcode, gate.passcodeHash);
}
