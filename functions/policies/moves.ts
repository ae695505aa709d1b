import { type ReaderRights, readerNamesOf, type TeamRole } from "./access.ts";

/** An account that a person may publish for. */
export interface PublishingAccount {
  readonly userId: string;
  readonly namespace: string;
  /** @default - the person's own account */
  readonly role?: TeamRole;
}

/** Decides who may move a drop out of an account: the person whose account it is, and the owners of a team. */
export function canMoveOut({ role }: PublishingAccount): boolean {
  return role !== "editor";
}

/** Decides who may move drops of people who have left: an owner of the receiving team whom the setting `teams.leavers` names. */
export function canMoveLeavers(
  person: ReaderRights,
  { role }: PublishingAccount,
  leavers: readonly string[],
): boolean {
  const names = readerNamesOf(person);
  return role === "owner" && !person.isBarred && leavers.some((name) => names.has(name));
}
