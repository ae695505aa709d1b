import { ApiError } from "../core/errors.ts";
import { withoutDerivedFields } from "./page-content.ts";
import { addVersionTo, publicationOperation } from "./publish.ts";
import { publishVersionRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** PUT /api/drops/{slug}: publishes a new version at the same URL. The body may also have the fields that PATCH accepts. */
export const publishVersion = publicationOperation(publishVersionRoute, {
  content: ({ path, body }) => ({ slug: path.slug, content: withoutDerivedFields(body) }),
  async publish(input, keep) {
    const { caller, path, body, nowMs } = input;
    const found = await drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs, body);
    const response = await addVersionTo({ found }, input, keep);
    if (response === undefined) throw new ApiError("not_found");
    return response;
  },
});
