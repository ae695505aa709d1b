import type { Drop } from "../drops/drop.ts";
import { editOwnedDrop } from "../drops/owned-drops.ts";
import { editDropBody } from "../drops/schemas.ts";
import { validate } from "../http/validation.ts";
import { pagePath } from "../identity/destination.ts";
import { parseFormRevision, revisionField } from "./form-revision.ts";
import { alreadyDone, rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { editOwnDropRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}: changes a drop's title and description. */
export const editOwnDrop = ownerForm(editOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const { tag } = parseFormRevision(fields.get(revisionField));
    const { title, description } = validate(editDropBody, {
      title: fields.get("title") ?? "",
      // Replaces CRLF, which browsers send for each line break (HTML Standard, "Constructing the entry list").
      description: (fields.get("description") ?? "").replaceAll("\r\n", "\n").trim() || null,
    });
    return { tag, asked: { title, description } };
  },
  change: async ({ owner, path, act }, { tag, asked }) => {
    const { slug } = path;
    const owned = { ownerId: owner.userId, slug, ifMatch: [tag] };
    const isAsAsked = (drop: Drop) =>
      drop.title === asked.title && drop.description === (asked.description ?? null);
    await editOwnedDrop(owned, asked, act).catch((error) => alreadyDone(error, owner, slug, isAsAsked));
    return { path: `${pagePath({ page: "drop", slug })}?done=saved`, wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("about"),
});
