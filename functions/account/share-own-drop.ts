import { ApiError } from "../core/errors.ts";
import { matchesPasscode } from "../core/passcode.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { areAnswersOn, feedbackOf } from "../drops/drop-access.ts";
import { shareOwnedDrop } from "../drops/owned-drops.ts";
import { editDropBody, setPasscodeBody } from "../drops/schemas.ts";
import { validate } from "../http/validation.ts";
import { pagePath } from "../identity/destination.ts";
import { presentReader } from "../policies/access.ts";
import { parseFormRevision, readersText, revisionField } from "./form-revision.ts";
import { alreadyDone, rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { shareOwnDropRoute } from "./page-rows.ts";
import { type FormFields, readerLines } from "./problem.ts";
import { parsePlace, placeField, placeQuery } from "./viewer-place.ts";

/** POST /account/drops/{slug}/share: changes readers, listing, comments and the passcode in one write. */
export const shareOwnDrop = ownerForm(shareOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const visibility = fields.get("visibility");
    const seen = parseFormRevision(fields.get(revisionField));
    if (visibility === null) throw new ApiError("invalid_arg", { details: { field: "visibility" } });
    const feedback = fields.get("feedback") === null ? "off" : "readers";
    const answers = fields.get("answers") === null ? "off" : "readers";
    const results = fields.get("results") !== null;
    const passcode = readPasscode(fields);
    const asked = validate(editDropBody, {
      visibility,
      // Ignores the checkbox unless the page is public, because search engines can index only public pages.
      indexed: visibility === "public" && fields.get("indexed") !== null,
      // Omits an unchanged `feedback`, so that its default can follow the new visibility.
      ...(feedback === seen.feedback ? {} : { feedback }),
      ...(areAnswersOn() ? { answers, answers_results: results } : {}),
      // Ignores the list of readers for all visibilities except `people`.
      ...(visibility === "people" ? { readers: readerLines(fields) } : {}),
      ...readExpiry(fields),
    });
    return { seen, asked, passcode };
  },
  change: async ({ owner, path, act }, { seen, asked, passcode }, fields) => {
    const { slug } = path;
    const owned = { ownerId: owner.userId, slug, ifMatch: [seen.tag] };
    const isAsAsked = async (drop: Drop) =>
      drop.visibility.kind === asked.visibility &&
      drop.indexed === (asked.indexed === true && !isLocked(drop)) &&
      hasExpiry(drop, asked, act.atMs) &&
      (asked.feedback === undefined || feedbackOf(drop) === asked.feedback) &&
      (asked.answers === undefined || (drop.answers ?? "off") === asked.answers) &&
      (asked.answers_results === undefined || (drop.answersResults === true) === asked.answers_results) &&
      readersText(drop) === (asked.readers ?? []).map(presentReader).join("\n") &&
      (await hasPasscode(drop, passcode));
    await shareOwnedDrop(owned, { ...asked, passcode }, act).catch((error) =>
      alreadyDone(error, owner, slug, isAsAsked),
    );
    const done = doneOf(passcode, seen.lock !== "open");
    const query = placeQuery(parsePlace(fields.get(placeField) ?? ""), done);
    return { path: pagePath({ page: "drop", slug, query }), wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("share"),
});

/** Reads the new passcode. An empty string unlocks the drop, and undefined keeps the current passcode. @throws ApiError */
function readPasscode(fields: FormFields): string | undefined {
  switch (fields.get("lock")) {
    case "keep":
      return undefined;
    case "remove":
      return "";
    default: {
      const { passcode } = validate(setPasscodeBody, { passcode: fields.get("passcode") ?? "" });
      // Refuses an empty field, because an empty passcode would unlock the drop.
      if (passcode === "") throw new ApiError("passcode_required", { details: { field: "passcode" } });
      return passcode;
    }
  }
}

/** Reads the new expiry. Without an expiry field in the form, the drop's expiry stays unchanged. */
function readExpiry(fields: FormFields): { readonly expires_in_days?: unknown } {
  switch (fields.get("expiry")) {
    case "days":
      return { expires_in_days: Number(fields.get("days") || Number.NaN) };
    case "never":
      return { expires_in_days: null };
    default:
      return {};
  }
}

/** Maximum time between two submissions of the same form, in milliseconds. A later submission is a new change. */
const sentTwiceMs = 600_000;

function hasExpiry(
  { expiresAtMs }: Drop,
  { expires_in_days: days }: { readonly expires_in_days?: number | null | undefined },
  nowMs: number,
): boolean {
  if (days === undefined) return true;
  if (days === null || expiresAtMs === undefined) return days === null && expiresAtMs === undefined;
  return Math.abs(expiresAtMs - nowMs - days * 86_400_000) < sentTwiceMs;
}

async function hasPasscode({ gate }: Drop, passcode: string | undefined): Promise<boolean> {
  if (gate.kind === "open") return passcode === "";
  return passcode === undefined || (await matchesPasscode(passcode, gate.passcodeHash));
}

function doneOf(passcode: string | undefined, wasLocked: boolean) {
  if (passcode) return "locked";
  return passcode === "" && wasLocked ? "unlocked" : "shared";
}
