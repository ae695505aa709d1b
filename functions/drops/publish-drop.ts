import { ApiError } from "../core/errors.ts";
import { withoutDerivedFields } from "./page-content.ts";
import { createStoredDrop, publicationOperation } from "./publish.ts";
import { publishDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** POST /api/drops: publishes a page and returns its permanent URL. */
export const publishDrop = publicationOperation(publishDropRoute, {
  content: ({ body: { passcode: _, ...content } }) => withoutDerivedFields(content),
  async publish(input, keep) {
    const { drop, version, passcodeHash, response } = await createStoredDrop(input, input.body);
    const isInserted = await drops.insert(drop, version, input.act, keep(response, passcodeHash));
    if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    return response;
  },
});
