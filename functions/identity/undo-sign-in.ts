import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import type { Act } from "../table/audit.ts";
import { tokens } from "../table/tokens.ts";
import { renderUndonePage } from "./confirmation-page.tsx";
import { requireContinued } from "./cookies.ts";
import { deviceCodeSearch, deviceCodes } from "./device-codes.ts";
import { undoSignInRoute } from "./rows.ts";

/** POST /login/undo: undoes the sign-in that this browser just completed. Revokes the token if it was already claimed. */
export const undoSignIn = pageOperation(undoSignInRoute, async ({ body, request, nowMs, act }) => {
  const code = parseForm(body).get("code") ?? "";
  await requireContinued(request, code, nowMs);
  const found = await deviceCodeSearch.find(code);
  const isUndone = found?.state === "verified" && (await deviceCodes.undo(code, found.userId, act));
  // Revokes the token if the agent has already claimed it.
  if (!isUndone) await revokeTokenOf(code, act);
  return page("sign-in", (nonce) => renderUndonePage({ nonce }));
});

async function revokeTokenOf(code: string, act: Act): Promise<void> {
  const found = await deviceCodeSearch.find(code);
  if (found?.state !== "claimed") throw new ApiError("expired_code");
  // Does nothing if the token was already revoked, for example by a double click.
  await tokens.revoke(found.userId, found.tokenId, act);
}
