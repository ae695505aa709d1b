import type { Drop } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { editOwnedDrop } from "../drops/owned-drops.ts";
import { editDropBody } from "../drops/schemas.ts";
import { validate } from "../http/validation.ts";
import { pagePath } from "../identity/destination.ts";
import { presentReader } from "../identity/visibility.ts";
import { parseFormRevision, readersText, revisionField } from "./form-revision.ts";
import { alreadyDone, rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { editOwnDropRoute } from "./page-rows.ts";
import { readerLines } from "./problem.ts";

/** POST /account/drops/{slug}: title, description, who may read it, who finds it and whether readers may write, as a form says them. */
export const editOwnDrop = ownerForm(editOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const visibility = fields.get("visibility");
    const seen = parseFormRevision(fields.get(revisionField));
    const feedback = fields.get("feedback") === null ? "off" : "readers";
    const { title, description, ...who } = validate(editDropBody, {
      title: fields.get("title") ?? "",
      // Forms send line ends as CRLF (HTML Standard, "Constructing the entry list").
      description: (fields.get("description") ?? "").replaceAll("\r\n", "\n").trim() || null,
      visibility,
      // As with the people: of what search engines cannot read, the tick counts for nothing, as the form says.
      indexed: visibility === "public" && fields.get("indexed") !== null,
      // Leaves out ticks that follow from the visibility, so that they change with it.
      ...(feedback === seen.feedback ? {} : { feedback }),
      // Keeps the named readers while another visibility is selected.
      ...(visibility === "people" ? { readers: readerLines(fields) } : {}),
    });
    return { tag: seen.tag, asked: { title, description, ...who } };
  },
  change: async ({ owner, path, act }, { tag, asked }) => {
    const { slug } = path;
    const owned = { ownerId: owner.userId, slug, ifMatch: [tag] };
    const isAsAsked = (drop: Drop) =>
      drop.title === asked.title &&
      drop.description === (asked.description ?? null) &&
      drop.visibility.kind === asked.visibility &&
      drop.indexed === asked.indexed &&
      (asked.feedback === undefined || feedbackOf(drop) === asked.feedback) &&
      readersText(drop) === (asked.readers ?? []).map(presentReader).join("\n");
    await editOwnedDrop(owned, asked, act).catch((error) => alreadyDone(error, owner, slug, isAsAsked));
    return { path: `${pagePath({ page: "drop", slug })}?done=saved`, wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("about"),
});
