import { ApiError } from "../../contract/api-error.ts";
import { publishDropRoute } from "../../contract/routes.ts";
import { createDrop } from "../../domain/drop.ts";
import { createObjectId, createSlug } from "../../domain/identifiers.ts";
import { toStoredPage } from "../../domain/page-content.ts";
import { hashPasscode } from "../../domain/passcode.ts";
import { created } from "../../http/answer.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";
import { pages } from "../../store/pages.ts";

/** POST /api/drops: publish a page and return its permanent URL. */
export const publishDrop = tokenOperation(
  publishDropRoute,
  async ({ caller, body, site, nowMs, randomInt }) => {
    const slug = createSlug(randomInt);
    const page = toStoredPage(slug, createObjectId(randomInt), body);
    const passcodeHash = body.passcode ? await hashPasscode(body.passcode) : undefined;
    const { drop, version } = createDrop(caller, body, page, { slug, passcodeHash, nowMs });
    await pages.put(page); // page first: a row never points at a missing object
    const isInserted = await drops.insert(drop, version);
    if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    return created(presentDrop(site, drop));
  },
);
