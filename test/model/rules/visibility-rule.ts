import type { VisibilityKind } from "../../../functions/policies/access.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call, Observation } from "../call.ts";
import { type AccountState, type DropState, tokenOf, withToken } from "../state.ts";

/** What the owner may send of who may read a drop or a file. */
export interface VisibilityBody {
  readonly visibility?: VisibilityKind;
  readonly readers?: readonly string[];
}

/** Who may read a drop, or a file. */
export type WhoMayRead = Pick<DropState, "visibility" | "readers">;

/** What nothing is said of. */
export const forAnybody: WhoMayRead = { visibility: "public", readers: [] };

/** Tells whether a visitor without a sign-in can read it. */
export function isOpenToAll({ visibility }: WhoMayRead): boolean {
  return visibility === "public" || visibility === "unlisted";
}

/** Who may read a drop or a file after a call; undefined where the call is refused: docs/adr/0040-visibility-and-indexing.md. */
export function whoMayRead(
  before: WhoMayRead,
  { visibility = before.visibility, readers }: VisibilityBody,
): WhoMayRead | undefined {
  if (visibility !== "people") return readers === undefined ? { visibility, readers: [] } : undefined;
  const named = readers ?? before.readers;
  return named.length === 0 ? undefined : { visibility, readers: named };
}

/** The readers in words, as responses have them: at most three people, domains or user names in the model. */
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

/** Checks the refusal of a call that would leave readers without people, or people without readers: it spends nothing. */
export function refuseVisibility(state: AccountState, { call, response }: Observation): AccountState {
  expectError(response, "invalid_arg");
  return withWriteRefunded(state, call);
}

/** The account after a call that turned out to be invalid after its write was counted. */
export function withWriteRefunded(state: AccountState, call: Call): AccountState {
  const token = tokenOf(state, call);
  if (token?.minute === undefined) return state;
  return withToken(state, { ...token, minute: { ...token.minute, count: token.minute.count - 1 } });
}
