import { publicDrops } from "../drops/public-drops.ts";
import { formProofs } from "../http/form-proof.ts";
import type { Route } from "../http/route.ts";
import { neededTeamRole } from "../http/team-role.ts";
import { withActing } from "../identity/acting.ts";
import { readerSessions } from "../identity/readers.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import type { TeamRole } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { switchAccountRoute } from "./team-rows.ts";

/** Account whose pages a signed-in person manages: their own, or a team's. */
export interface Owner {
  readonly userId: string;
  readonly namespace: string;
  /** The person's role in the team. @default - the account is their own */
  readonly role?: TeamRole | undefined;
}

/** Signed-in person and the account whose pages they manage. */
interface FoundOwner {
  readonly signedIn: SignedIn;
  /** @default - they have no account, or are no longer a member */
  readonly owner: Owner | undefined;
}

/**
 * Finds the account whose pages a person manages. A drop's pages are those of its owner, so that a link from the viewer works
 * without a switch. Other pages are those of the chosen account.
 */
export async function findOwner(
  found: SignedIn,
  { path }: Pick<Route, "path">,
  { slug }: { readonly slug?: string },
): Promise<FoundOwner> {
  const signedIn = await withActing(found);
  const chosen = ownerOf(signedIn);
  const { acting, reader } = signedIn;
  if (!acting?.teams.length || slug === undefined || !path.startsWith("/account/drops/"))
    return { signedIn, owner: chosen };
  const ownerId = (await publicDrops.findPointer(slug))?.ownerId;
  const owner =
    ownerId === reader.userId
      ? ownerOf(found)
      : (acting.teams.find(({ userId }) => userId === ownerId) ?? chosen);
  const dropOwner = owner?.userId === chosen?.userId ? undefined : owner?.namespace;
  return { signedIn: { ...signedIn, acting: { ...acting, dropOwner } }, owner };
}

/**
 * The account that a signed-in member has chosen. Former members keep their account and cannot change it:
 * docs/adr/0045-account-pages.md.
 */
function ownerOf({ reader: { userId, namespace, isMember }, acting }: SignedIn): Owner | undefined {
  if (!isMember) return undefined;
  if (acting?.team !== undefined) return acting.team;
  return userId !== undefined && namespace !== undefined ? { userId, namespace } : undefined;
}

/** Chooses an account for the session, for the pages that follow. */
export function actFor({ session }: SignedIn, { role, ...account }: Owner, act: Act): Promise<void> {
  return readerSessions.actFor(session, role && account, { ...act, action: switchAccountRoute.id });
}

/** Decides if a person may use a form: some forms of a team are for its owners. */
export function mayUse({ role }: Owner, row: Pick<Route, "method" | "teamRole">): boolean {
  return role !== "editor" || neededTeamRole(row) === "editor";
}

/** Session to which the proofs of an owner's forms belong. A form that was shown for one account cannot change another. */
export function proofSession({ session }: SignedIn, { userId, role }: Owner): string {
  return role === undefined ? session.reference : `${session.reference} ${userId}`;
}

/** Makes the proofs of an owner's forms. */
export function ownerProofs({
  signedIn,
  owner,
}: {
  readonly signedIn: SignedIn;
  readonly owner: Owner;
}): Promise<(path: string) => string> {
  return formProofs(proofSession(signedIn, owner));
}
