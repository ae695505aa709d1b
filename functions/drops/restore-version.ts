import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { withSecrets } from "../secrets/secret-review.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { restoreOwnedVersion } from "./version-restoration.ts";
import { restoreVersionRoute } from "./version-rows.ts";

/** POST /api/drops/{slug}/restore: publishes an earlier version's page and context again as the newest version. */
export const restoreVersion = tokenOperation(restoreVersionRoute, async (input) => {
  const { caller, path, body, ifMatch, site } = input;
  const owned = { ownerId: caller.userId, slug: path.slug, ifMatch };
  const { drop, restored, openFeedback, warnings, review } = await restoreOwnedVersion(owned, body, input);
  const response = ok(presentPublication(site, drop, restored, openFeedback), writtenVersion(drop));
  return withSecrets(withWarnings(withEntityTag(response, drop), warnings), review);
});
