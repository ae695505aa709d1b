import { ApiError } from "../core/errors.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { formatMinute } from "../html/format.tsx";
import { text } from "../html/text.ts";
import { entityTag } from "../http/response.ts";
import { presentReader } from "../policies/access.ts";
import { accountText } from "./account-text.ts";

/** Name of the hidden form field that contains the drop's state when the form was shown. */
export const revisionField = "seen";

const fieldNames = [
  "tag",
  "title",
  "description",
  "visibility",
  "readers",
  "indexed",
  "feedback",
  "answers",
  "results",
  "lock",
  "expiry",
  "latest",
  "versions",
] as const;

/** Editable fields of a drop as strings. A form submits them as they were when it was rendered, so that an error can list later changes. */
type FormRevision = Readonly<Record<(typeof fieldNames)[number], string>>;

/** Converts a drop to the revision for a form. */
export function toFormRevision(drop: Drop): FormRevision {
  return {
    tag: entityTag(drop),
    title: drop.title,
    description: drop.description ?? "",
    visibility: drop.visibility.kind,
    readers: readersText(drop),
    indexed: String(drop.indexed),
    feedback: feedbackOf(drop),
    answers: drop.answers ?? "off",
    results: String(drop.answersResults === true),
    // Includes the epoch, which differs for each passcode.
    lock: isLocked(drop) ? `locked ${drop.gate.epoch}` : "open",
    expiry: String(drop.expiresAtMs ?? ""),
    latest: String(drop.latest.version),
    versions: String(drop.versionCount),
  };
}

/** Lists the readers whom the drop's owner has named, one per line. */
export function readersText({ visibility }: Pick<Drop, "visibility">): string {
  return visibility.kind === "people" ? visibility.readers.map(presentReader).join("\n") : "";
}

/** Serializes a drop's revision for a hidden form field. */
export function presentFormRevision(drop: Drop): string {
  return JSON.stringify(toFormRevision(drop));
}

/** Parses a drop's revision from the hidden form field. @throws ApiError `invalid_arg` unless `presentFormRevision` wrote the value */
export function parseFormRevision(sent: string | null): FormRevision {
  try {
    const seen = JSON.parse(sent ?? "") as FormRevision;
    if (fieldNames.every((name) => typeof seen[name] === "string")) return seen;
  } catch {
    // Invalid JSON is refused below, like JSON without the required fields.
  }
  throw new ApiError("invalid_arg", { message: accountText.problems.incomplete });
}

/** A field of the drop that changed since the form was shown, with the current value. */
export type Change = Pick<ReturnType<typeof changesSince>[number], "what" | "now">;

/** Lists the drop's fields that changed since the form was shown, with their current values. */
export function changesSince(seen: FormRevision, drop: Drop) {
  const words = accountText.drop;
  const now = toFormRevision(drop);
  const facts = [
    { name: "title", what: words.title, now: now.title },
    { name: "description", what: words.description, now: now.description || "–" },
    { name: "visibility", what: text.sharing.readers, now: text.sharing.kinds[drop.visibility.kind] },
    { name: "readers", what: text.sharing.people, now: now.readers.replaceAll("\n", ", ") || "–" },
    { name: "indexed", what: words.indexed, now: drop.indexed ? "yes" : "no" },
    { name: "feedback", what: words.feedback, now: now.feedback === "readers" ? "yes" : "no" },
    { name: "answers", what: words.answers, now: now.answers === "readers" ? "yes" : "no" },
    { name: "results", what: words.results, now: drop.answersResults ? "yes" : "no" },
    { name: "lock", what: words.lockHeading, now: isLocked(drop) ? "A passcode is set" : words.noPasscode },
    {
      name: "expiry",
      what: words.expiryHeading,
      now: drop.expiresAtMs === undefined ? words.never : formatMinute(drop.expiresAtMs),
    },
    { name: "latest", what: "Latest version", now: now.latest },
    { name: "versions", what: words.versionsHeading, now: now.versions },
  ] as const;
  return facts.filter(({ name }) => seen[name] !== now[name]);
}
