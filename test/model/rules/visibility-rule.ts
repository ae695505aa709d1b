import type { VisibilityKind } from "../../../functions/policies/access.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call, Observation } from "../call.ts";
import { type AccountState, type DropState, tokenOf, withToken } from "../state.ts";

/** Fields that determine the readers of a drop or a file. */
export interface VisibilityBody {
  readonly visibility?: VisibilityKind;
  readonly readers?: readonly string[];
}

/** Readers of a drop or a file. */
export type WhoMayRead = Pick<DropState, "visibility" | "readers">;

/** The default: anyone may read. */
export const forAnybody: WhoMayRead = { visibility: "public", readers: [] };

/** Checks if a visitor who is not signed in can read it. */
export function isOpenToAll({ visibility }: WhoMayRead): boolean {
  return visibility === "public" || visibility === "unlisted";
}

/** Returns the readers after a call, or undefined if the call is refused: docs/adr/0040-visibility-and-indexing.md. */
export function whoMayRead(
  before: WhoMayRead,
  { visibility = before.visibility, readers }: VisibilityBody,
): WhoMayRead | undefined {
  if (visibility !== "people") return readers === undefined ? { visibility, readers: [] } : undefined;
  const named = readers ?? before.readers;
  return named.length === 0 ? undefined : { visibility, readers: named };
}

/** Describes readers like the responses do: at most three people, domains or user names in the model. */
export function readableBy({ visibility, readers }: WhoMayRead): string {
  switch (visibility) {
    case "public":
      return "anyone";
    case "unlisted":
      return "anyone with the link";
    case "members":
      return "members of this service";
    case "people":
      return listed(
        readers.map((reader) => {
          if (reader.startsWith("@")) return `anyone at ${reader.slice(1)}`;
          return reader.includes("@") ? reader : `the user ${reader.replace(/^username:/, "")}`;
        }),
      );
  }
}

function listed(words: readonly string[]): string {
  const [last, ...others] = words.toReversed();
  if (last === undefined) return "only the owner";
  const comma = others.length > 1 ? "," : "";
  return others.length === 0 ? last : `${others.toReversed().join(", ")}${comma} and ${last}`;
}

/** Checks the refusal of readers without `people`, or `people` without readers. Its write is refunded. */
export function refuseVisibility(state: AccountState, { call, response }: Observation): AccountState {
  expectError(response, "invalid_arg");
  return withWriteRefunded(state, call);
}

/** Refunds the counted write of an invalid call. */
export function withWriteRefunded(state: AccountState, call: Call): AccountState {
  const token = tokenOf(state, call);
  if (token?.minute === undefined) return state;
  return withToken(state, { ...token, minute: { ...token.minute, count: token.minute.count - 1 } });
}
