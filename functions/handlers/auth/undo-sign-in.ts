import { ApiError } from "../../contract/api-error.ts";
import { undoSignInRoute } from "../../contract/sign-in-routes.ts";
import type { Act } from "../../domain/audit.ts";
import { parseForm } from "../../http/form.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { requireContinued } from "../../http/sign-in-cookies.ts";
import { deviceCodeSearch } from "../../store/device-code-search.ts";
import { deviceCodes } from "../../store/device-codes.ts";
import { tokens } from "../../store/tokens.ts";
import { renderUndonePage } from "../../views/undone-page.tsx";

/** POST /login/undo: the sign-in that this browser just confirmed gives no token, or its token is good no longer. */
export const undoSignIn = pageOperation(undoSignInRoute, async ({ body, request, nowMs, act }) => {
  const code = parseForm(body).get("code") ?? "";
  await requireContinued(request, code, nowMs);
  const found = await deviceCodeSearch.find(code);
  const isTakenBack = found?.state === "verified" && (await deviceCodes.takeBack(code, found.userId, act));
  // The agent may have claimed its token in this very moment: then there is a token to revoke.
  if (!isTakenBack) await revokeTokenOf(code, act);
  return page("sign-in", (nonce) => renderUndonePage({ nonce }));
});

async function revokeTokenOf(code: string, act: Act): Promise<void> {
  const found = await deviceCodeSearch.find(code);
  if (found?.state !== "claimed") throw new ApiError("expired_code");
  // A second click finds it gone.
  await tokens.revoke(found.userId, found.tokenId, act);
}
