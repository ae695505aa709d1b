import * as z from "zod/mini";
import { environmentNames, findEnvironment } from "./environment.ts";
import { ApiError } from "./errors.ts";
import { describe } from "./metadata.ts";
import { accepts, problem } from "./schemas.ts";

/** From the most open to the least. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Who may read something, in a word: docs/adr/0040-who-may-read-a-drop.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/** What something is of which its owner says nothing. */
export function visibilityDefault(): VisibilityKind {
  return (findEnvironment(environmentNames.defaultVisibility) ?? "public") as VisibilityKind;
}

/** The most open that the operator lets anything be. */
export function mostOpenVisibility(): VisibilityKind {
  return (findEnvironment(environmentNames.mostOpenVisibility) ?? "public") as VisibilityKind;
}

/** The refusal of what would be more open than the operator allows. */
export function refuseVisibility(
  what: "drop" | "file",
  kind: VisibilityKind,
  allowed: readonly VisibilityKind[],
): ApiError {
  const choice = allowed.map((one) => `"${one}"`).join(", ");
  return new ApiError("invalid_arg", {
    message: `The ${what} would be "${kind}", which is more open than this service allows. Send visibility as one of: ${choice}.`,
    details: { field: "visibility", allowed },
  });
}

/** The field `visibility` of a request body: one of the kinds. */
export function visibilityField<Kind extends VisibilityKind>(kinds: readonly Kind[]) {
  return accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, context): Kind => {
        const kind = kinds.find((one) => one === value);
        if (kind !== undefined) return kind;
        const came = typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : describe(value);
        const choice = kinds.map((one) => `"${one}"`).join(", ");
        const message = `visibility must be one of ${choice}, but ${came} came.`;
        const found = problem("invalid_arg", message, { field: "visibility", allowed: kinds });
        context.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    { type: "string", enum: kinds },
  );
}
