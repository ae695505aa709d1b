import { ApiError } from "../core/errors.ts";
import { matchesPasscode, normalizePasscode } from "../core/passcode.ts";
import type { Drop } from "../drops/drop.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { requireSameOrigin } from "../http/site.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { findGateBrowser, gateCookie, gatePage, openedGateCookie } from "./gate.ts";
import { countPasscodeAttempt } from "./gate-tries.ts";
import { findReadableDrop } from "./readable-version.ts";
import { unlockDropRoute } from "./rows.ts";

/** POST /p/{slug}/unlock: checks a passcode. A right passcode sets the cookie and redirects back. A wrong passcode shows the form again. */
export const unlockDrop = pageOperation(unlockDropRoute, async (input) => {
  const { request, path, query, body, site, nowMs } = input;
  requireSameOrigin(request, site);
  const to = parseDropDestination(query.to, path.slug);
  const address = { slug: path.slug, to };
  const { drop } = await findReadableDrop({ request, slug: path.slug, to, nowMs });
  if (drop.gate.kind === "open") return seeOther(site.baseUrl + to);
  const browser = await findGateBrowser(request, drop);
  let refund: () => Promise<unknown>;
  try {
    // Counts the attempt before the key derivation, so that the limit also protects this costly step, which takes 32 MiB and tens of
    // milliseconds.
    refund = await countPasscodeAttempt(path.slug, request.network, browser, nowMs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined || error.status !== 429)
      throw error;
    const seconds = error.retryAfterSeconds;
    return gatePage(address, { status: 429, wait: { seconds, untilMs: nowMs + seconds * 1000 } });
  }
  if (!(await isRight(drop, body))) return gatePage(address, { status: 403 });
  await refund();
  await cookieKeys.ensure();
  return seeOther(site.baseUrl + to, [
    await gateCookie(request, drop, nowMs),
    await openedGateCookie(request, drop, browser),
  ]);
});

async function isRight({ gate }: Drop, form: Uint8Array): Promise<boolean> {
  const passcode = normalizePasscode(parseForm(form).get("passcode") ?? "");
  if (gate.kind === "open" || passcode === undefined) return false;
  return matchesPasscode(passcode, gate.passcodeHash);
}
