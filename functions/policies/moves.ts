import { type ReaderRights, readerNamesOf, type TeamRole } from "./access.ts";

/** An account that a person may publish for. */
export interface PublishingAccount {
  readonly userId: string;
  readonly namespace: string;
  /** The person's role in a team. @default - the account is the person's own */
  readonly role?: TeamRole;
}

/** Decides if a person may move a drop out of an account: their own account, or that of a team that they own. */
export function canMoveOut({ role }: PublishingAccount): boolean {
  return role !== "editor";
}

/** Decides if a person may move drops of people who have left. Only for owners of the receiving team whom `teams.leavers` names. */
export function canMoveLeavers(
  person: ReaderRights,
  { role }: PublishingAccount,
  leavers: readonly string[],
): boolean {
  const names = readerNamesOf(person);
  return role === "owner" && !person.isBarred && leavers.some((name) => names.has(name));
}
