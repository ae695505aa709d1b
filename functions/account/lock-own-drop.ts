import type { Drop } from "../drops/drop.ts";
import { lockOwnedDrop } from "../drops/owned-drops.ts";
import { setPasscodeBody } from "../drops/schemas.ts";
import { ApiError } from "../http/errors.ts";
import { matchesPasscode } from "../http/passcode.ts";
import { validate } from "../http/validation.ts";
import { pagePath } from "../identity/destination.ts";
import { parseFormRevision, revisionField } from "./form-revision.ts";
import { alreadyDone, rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { lockOwnDropRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/passcode: lock a drop of an owner's, or unlock it by the form's other button. */
export const lockOwnDrop = ownerForm(lockOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const { tag } = parseFormRevision(fields.get(revisionField));
    if (fields.get("unlock") !== null) return { tag, passcode: "" };
    const { passcode } = validate(setPasscodeBody, { passcode: fields.get("passcode") ?? "" });
    // The API unlocks with the empty string; a button pressed with an empty field is a slip.
    if (passcode === "") throw new ApiError("passcode_required", { details: { field: "passcode" } });
    return { tag, passcode };
  },
  change: async ({ owner, path, act }, { tag, passcode }) => {
    const { slug } = path;
    const owned = { ownerId: owner.userId, slug, ifMatch: [tag] };
    const isAsAsked = async ({ gate }: Drop) =>
      gate.kind === "open" ? passcode === "" : matchesPasscode(passcode, gate.passcodeHash);
    await lockOwnedDrop(owned, passcode, act).catch((error) => alreadyDone(error, owner, slug, isAsAsked));
    const done = passcode === "" ? "unlocked" : "locked";
    return { path: `${pagePath({ page: "drop", slug })}?done=${done}`, wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("passcode"),
});
