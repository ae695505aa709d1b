import { daysMax, environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import {
  type Expiring,
  isExpired,
  isIndexable,
  isOpenToAll,
  type ReaderRule,
  type Visibility,
  type VisibilityKind,
  visibilityKinds,
} from "../policies/access.ts";

/** Possible feedback settings; see docs/adr/0070-feedback.md. */
export const feedbackKinds = ["off", "readers"] as const;

type FeedbackKind = (typeof feedbackKinds)[number];

/** Possible settings for answers to forms with `data-answers`; see docs/adr/0070-feedback.md. */
export const answersKinds = ["off", "readers"] as const;

type AnswersKind = (typeof answersKinds)[number];

/** Access settings of a drop: visibility, search engines, feedback, answers and expiry. */
export interface DropAccess extends Expiring {
  readonly visibility: Visibility;
  /** True if search engines may list the drop. The drop must be public and have no passcode; see docs/adr/0040-visibility-and-indexing.md. */
  readonly indexed: boolean;
  /** The owner's feedback setting. @default - decided by `feedbackOf` */
  readonly feedback?: FeedbackKind | undefined;
  readonly answers?: AnswersKind | undefined;
  /** True if readers can see how often each choice was selected. @default false */
  readonly answersResults?: boolean | undefined;
}

/** Visibility fields that an owner can change; undefined leaves a field as it is. */
export interface VisibilityChange {
  readonly visibility?: VisibilityKind | undefined;
  readonly readers?: readonly ReaderRule[] | undefined;
}

/** Access fields that an owner can change; undefined leaves a field as it is. */
export interface DropAccessChange extends VisibilityChange, ExpiryChange {
  readonly indexed?: boolean | undefined;
  readonly feedback?: FeedbackKind | undefined;
  readonly answers?: AnswersKind | undefined;
  readonly answers_results?: boolean | undefined;
}

/** Fields that set the expiry of a drop or a file. Callers may send only one of the fields. null means never. */
export interface ExpiryChange {
  readonly expires_at?: number | null | undefined;
  readonly expires_in_days?: number | null | undefined;
}

/** Checks if a change sets the expiry. Setting the expiry restores an expired drop. */
export function setsExpiry({ expires_at, expires_in_days }: ExpiryChange): boolean {
  return expires_at !== undefined || expires_in_days !== undefined;
}

/** Returns the owner's feedback setting. By default, readers may comment only if all of them must sign in to read the drop. */
export function feedbackOf({
  visibility,
  feedback,
}: Pick<DropAccess, "visibility" | "feedback">): FeedbackKind {
  return feedback ?? (isOpenToAll({ visibility }) ? "off" : "readers");
}

/** Checks if the operator allows answers to forms. If not, the answers settings of drops have no effect. */
export function areAnswersOn(): boolean {
  return findEnvironment(environmentNames.answers) !== "off";
}

/** Returns the effective answers setting of a drop: the owner's setting, or "off" if the operator has turned answers off. */
export function answersOf({ answers = "off" }: Pick<DropAccess, "answers">): AnswersKind {
  return areAnswersOn() ? answers : "off";
}

/**
 * Applies a change to the answers settings. Default values become undefined, so that they are not stored.
 *
 * @throws ApiError `invalid_arg` if the change turns answers on and the operator has turned them off
 */
function changedAnswers(
  before: Pick<DropAccess, "answers" | "answersResults">,
  { answers = before.answers, answers_results = before.answersResults }: DropAccessChange,
): Pick<DropAccess, "answers" | "answersResults"> {
  if (answers === "readers" && before.answers !== "readers" && !areAnswersOn())
    throw new ApiError("invalid_arg", {
      message:
        'answers is "readers", but this service doesn\'t accept answers to forms. Leave out answers, or send "off".',
      details: { field: "answers" },
    });
  return {
    answers: answers === "readers" ? answers : undefined,
    answersResults: answers_results === true ? true : undefined,
  };
}

/**
 * Applies a change to a drop's access. Indexing ends when a drop is restricted, and does not resume by itself.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` and `newExpiry` do, and for an indexed drop that search engines cannot read
 */
export function changedAccess(
  before: DropAccess,
  changes: DropAccessChange,
  { isLocked, nowMs }: AccessFacts,
): DropAccess {
  const visibility = changedVisibility(before.visibility, changes);
  const indexed = indexedAs(before.indexed, changes.indexed, { visibility, isLocked });
  const expiresAtMs = changedExpiry(before, changes, nowMs);
  const feedback = changes.feedback ?? before.feedback;
  return { visibility, indexed, feedback, ...changedAnswers(before, changes), expiresAtMs };
}

/** Returns a restored drop's expiry: the requested one, or else its earlier expiry unless that has passed. @throws ApiError as `newExpiry` does */
export function returnedExpiry(before: Expiring, changes: ExpiryChange, nowMs: number): number | undefined {
  return setsExpiry(changes) || isExpired(before, nowMs) ? newExpiry(changes, nowMs) : before.expiresAtMs;
}

interface AccessFacts {
  readonly isLocked: boolean;
  readonly nowMs: number;
}

/**
 * Returns the access settings of a new drop: the owner's values, or else the operator's defaults.
 *
 * @throws ApiError `invalid_arg` as `newVisibility` and `newExpiry` do, and for an indexed drop that search engines cannot read
 */
export function newAccess(body: DropAccessChange, { isLocked, nowMs }: AccessFacts): DropAccess {
  const visibility = newVisibility(body);
  const indexed = indexedAs(false, body.indexed, { visibility, isLocked });
  const expiresAtMs = newExpiry(body, nowMs);
  return { visibility, indexed, feedback: body.feedback, ...changedAnswers({}, body), expiresAtMs };
}

const expiryMsMin = 60_000;
const dayMs = 86_400_000;

/**
 * Returns the expiry of a new drop or file: the owner's choice, or else the operator's default.
 *
 * @throws ApiError `invalid_arg` for an expiry that is too early or too late, and for two different expiries
 */
export function newExpiry(body: ExpiryChange, nowMs: number): number | undefined {
  const usual = findEnvironment(environmentNames.defaultExpiryDays);
  return expiryOf(setsExpiry(body) || usual === undefined ? body : { expires_in_days: Number(usual) }, nowMs);
}

/** Returns the expiry after a change. Without expiry fields, the expiry stays. @throws ApiError `invalid_arg` as `newExpiry` does */
export function changedExpiry(before: Expiring, changes: ExpiryChange, nowMs: number): number | undefined {
  return setsExpiry(changes) ? expiryOf(changes, nowMs) : before.expiresAtMs;
}

/** Returns the operator's maximum time until the expiry of a drop, in days. Returns undefined if drops do not have to expire. */
export function maxExpiryDays(): number | undefined {
  const days = findEnvironment(environmentNames.maxExpiryDays);
  return days === undefined ? undefined : Number(days);
}

function expiryOf(
  { expires_at: at, expires_in_days: days }: ExpiryChange,
  nowMs: number,
): number | undefined {
  const inDays = typeof days === "number" ? nowMs + days * dayMs : days;
  if (at !== undefined && inDays !== undefined && at !== inDays) {
    throw refusedExpiry("Send expires_at or expires_in_days, not both.", "expires_in_days");
  }
  const expiresAtMs = at === undefined ? inDays : at;
  const field = at === undefined ? "expires_in_days" : "expires_at";
  const bound = maxExpiryDays();
  const boundMs = nowMs + (bound ?? daysMax) * dayMs;
  if (typeof expiresAtMs !== "number") {
    if (bound === undefined) return undefined;
    const given = expiresAtMs === null ? `${field} is null` : "expires_in_days is missing";
    throw refusedExpiry(
      `${given}. Here, drops and files expire within ${bound} days: send expires_in_days=${bound} or less.`,
      field,
      { expires_at_max: boundMs },
    );
  }
  if (expiresAtMs < nowMs + expiryMsMin)
    throw refusedExpiry(
      `expires_at is ${expiresAtMs}, but must be at least a minute later than now, ${nowMs}. To end access at once, delete the drop or file.`,
      field,
    );
  if (expiresAtMs <= boundMs) return expiresAtMs;
  const most = field === "expires_at" ? boundMs : (bound ?? daysMax);
  throw refusedExpiry(
    `${field} is more than ${bound ?? daysMax} days ahead. Send at most ${most}${bound === undefined ? ", or null for never" : ""}.`,
    field,
    { expires_at_max: boundMs },
  );
}

function refusedExpiry(message: string, field: string, bound: object = {}): ApiError {
  return new ApiError("invalid_arg", { message, details: { field, ...bound } });
}

function indexedAs(
  before: boolean,
  asked: boolean | undefined,
  after: { readonly visibility: Visibility; readonly isLocked: boolean },
): boolean {
  if (isIndexable(after.visibility, after.isLocked)) return asked ?? before;
  if (asked !== true) return false;
  const [what, way] = after.isLocked
    ? ["has a passcode", "remove the passcode first"]
    : [`would be "${after.visibility.kind}"`, 'send "visibility": "public" with it'];
  throw new ApiError("invalid_arg", {
    message: `indexed needs a drop that is "public" and has no passcode, but this drop ${what}. Leave out indexed, or ${way}.`,
    details: { field: "indexed" },
  });
}

type What = "drop" | "file";

/**
 * Returns the visibility after a change. The list of named readers stays until the owner replaces it.
 *
 * @throws ApiError `invalid_arg` for readers with a visibility other than `people`, and for `people` without readers
 */
export function changedVisibility(
  current: Visibility,
  { visibility = current.kind, readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  if (visibility !== "people") {
    if (readers === undefined) return { kind: visibility };
    throw new ApiError("invalid_arg", {
      message: `readers needs visibility "people", but this ${what} has "${visibility}". Send "visibility": "people" too, or leave out readers.`,
      details: { field: "readers", visibility },
    });
  }
  const named = readers ?? (current.kind === "people" ? current.readers : []);
  if (named.length > 0) return { kind: "people", readers: named };
  throw new ApiError("invalid_arg", {
    message: `visibility "people" needs readers. Send 1 to ${limits.readersPerDropMax} e-mail addresses, @domains, user names or groups with it.`,
    details: { field: "readers" },
  });
}

/**
 * Returns the visibility of a new drop or file: the owner's choice, or else the operator's default.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` and `requireAllowed` do
 */
export function newVisibility(
  { visibility = visibilityDefault(), readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  const chosen = changedVisibility({ kind: "public" }, { visibility, readers }, what);
  requireAllowed(chosen, what);
  return chosen;
}

/** Refuses a write that leaves a drop or file more open than the operator allows. @throws ApiError `invalid_arg` */
export function requireAllowed({ kind }: Pick<Visibility, "kind">, what: What = "drop"): void {
  const allowed = allowedVisibilityKinds();
  if (allowed.includes(kind)) return;
  const choice = allowed.map((one) => `"${one}"`).join(", ");
  throw new ApiError("invalid_arg", {
    message: `The ${what} would be "${kind}", which is more open than this service allows. Send visibility as one of: ${choice}.`,
    details: { field: "visibility", allowed },
  });
}

/** Returns the most open visibility that the operator allows. */
export function mostOpenVisibility(): VisibilityKind {
  return (findEnvironment(environmentNames.mostOpenVisibility) ?? "public") as VisibilityKind;
}

/** Kinds of visibility that the operator allows, the most open first. */
export function allowedVisibilityKinds(): readonly VisibilityKind[] {
  return visibilityKinds.slice(visibilityKinds.indexOf(mostOpenVisibility()));
}

/** Returns the default visibility of new drops and files. */
export function visibilityDefault(): VisibilityKind {
  return (findEnvironment(environmentNames.defaultVisibility) ?? "public") as VisibilityKind;
}
