import { environmentNames, findEnvironment } from "./environment.ts";
import { ApiError } from "./errors.ts";
import { limits } from "./limits.ts";
import { presentReader, type ReaderRule, toReaderRule } from "./reader-rules.ts";

/** From the most open to the least. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Who may read something, in a word: docs/adr/0040-who-may-read-a-drop.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/**
 * Who may read a drop or a file. `public`: anybody, as specified. `unlisted`: the same, by its address alone, which the owner's
 * page does not tell. `members`: whoever may publish here. `people`: whom a reader rule names. The owner always may.
 */
export type Visibility =
  | { readonly kind: "public" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "members" }
  | { readonly kind: "people"; readonly readers: readonly ReaderRule[] };

/** What an owner may say of who may read something; undefined leaves it as it is. */
export interface VisibilityChange {
  readonly visibility?: VisibilityKind | undefined;
  readonly readers?: readonly ReaderRule[] | undefined;
}

/** What refusals speak of. */
type What = "drop" | "file";

/** Whether anybody may read it who has its address: nobody has to say who they are. A drop's passcode is another matter. */
export function isOpenToAll({ visibility }: { readonly visibility: Visibility }): boolean {
  return visibility.kind === "public" || visibility.kind === "unlisted";
}

/**
 * Who may read something after a change. Named people stay named as long as nothing else is said.
 *
 * @throws ApiError `invalid_arg` for readers that would mean nothing, and for people of whom none is named
 */
export function changedVisibility(
  current: Visibility,
  { visibility = current.kind, readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  if (visibility !== "people") {
    if (readers === undefined) return { kind: visibility };
    throw new ApiError("invalid_arg", {
      message: `readers go with visibility "people", but this ${what}'s is "${visibility}": send "visibility": "people" with them, or leave readers out.`,
      details: { field: "readers", visibility },
    });
  }
  const named = readers ?? (current.kind === "people" ? current.readers : []);
  if (named.length > 0) return { kind: "people", readers: named };
  throw new ApiError("invalid_arg", {
    message: `visibility "people" needs readers: send 1 to ${limits.readersPerDropMax} e-mail addresses, @domains or user names with it.`,
    details: { field: "readers" },
  });
}

/**
 * Who may read something new: as its owner says, or where that is nothing, as the operator does.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` does, and for what is more open than the operator allows
 */
export function newVisibility(
  { visibility = visibilityDefault(), readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  const chosen = changedVisibility({ kind: "public" }, { visibility, readers }, what);
  requireAllowed(chosen, what);
  return chosen;
}

/**
 * Lets a write through that leaves something no more open than the operator allows. What was so before stays as it is until
 * it is written.
 *
 * @throws ApiError `invalid_arg`
 */
export function requireAllowed({ kind }: Pick<Visibility, "kind">, what: What = "drop"): void {
  const allowed = visibilityKinds.slice(visibilityKinds.indexOf(mostOpenVisibility()));
  if (allowed.includes(kind)) return;
  const choice = allowed.map((one) => `"${one}"`).join(", ");
  throw new ApiError("invalid_arg", {
    message: `The ${what} would be "${kind}", which is more open than this service allows. Send visibility as one of: ${choice}.`,
    details: { field: "visibility", allowed },
  });
}

/** The most open that the operator lets anything be. */
export function mostOpenVisibility(): VisibilityKind {
  return (findEnvironment(environmentNames.mostOpenVisibility) ?? "public") as VisibilityKind;
}

/** What something is of which its owner says nothing. */
export function visibilityDefault(): VisibilityKind {
  return (findEnvironment(environmentNames.defaultVisibility) ?? "public") as VisibilityKind;
}

/** What is public says nothing of it, as what is from before there was a choice. */
export function visibilityAttributes(visibility: Visibility): Record<string, unknown> {
  switch (visibility.kind) {
    case "public":
      return {};
    case "people":
      return { visibility: "people", readers: visibility.readers.map(presentReader) };
    case "unlisted":
    case "members":
      return { visibility: visibility.kind };
  }
}

/** Who may read what an item is of. What this version of the service does not know is read by nobody but the owner. */
export function toVisibility({
  visibility = "public",
  readers,
}: Readonly<Record<string, unknown>>): Visibility {
  switch (visibility) {
    case "public":
    case "unlisted":
    case "members":
      return { kind: visibility };
    default:
      return { kind: "people", readers: ((readers ?? []) as string[]).map(toReaderRule) };
  }
}

/** The fields that say on the wire who may read something. */
export function presentVisibility(visibility: Visibility): {
  readonly visibility: VisibilityKind;
  readonly readers?: string[];
} {
  if (visibility.kind !== "people") return { visibility: visibility.kind };
  return { visibility: "people", readers: visibility.readers.map(presentReader) };
}
