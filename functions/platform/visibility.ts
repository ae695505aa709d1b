import { environmentNames, findEnvironment } from "./environment.ts";
import { ApiError } from "./errors.ts";

/** From the most open to the least. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Who may read something, in a word: docs/adr/0040-who-may-read-a-drop.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/** Those that may be chosen: nobody can say yet who they are, so what is for some alone would be for nobody. */
export const offeredVisibilityKinds: readonly VisibilityKind[] = visibilityKinds.slice(0, 2);

/** What something is of which its owner says nothing. */
export function visibilityDefault(): VisibilityKind {
  return (findEnvironment(environmentNames.defaultVisibility) ?? "public") as VisibilityKind;
}

/**
 * Lets a write through that leaves a thing no more open than the operator allows. What was so before stays as it is until it
 * is written.
 *
 * @throws ApiError `invalid_arg`
 */
export function requireAllowed({ kind }: { readonly kind: VisibilityKind }): void {
  const mostOpen = findEnvironment(environmentNames.mostOpenVisibility) as VisibilityKind | undefined;
  const allowed = offeredVisibilityKinds.slice(visibilityKinds.indexOf(mostOpen ?? "public"));
  if (allowed.includes(kind)) return;
  const choice = allowed.map((one) => `"${one}"`).join(", ");
  throw new ApiError("invalid_arg", {
    message: `The drop would be "${kind}", which is more open than this service allows. Send visibility as one of: ${choice}.`,
    details: { field: "visibility", allowed },
  });
}
