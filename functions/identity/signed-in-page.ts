import type { ApiError } from "../core/errors.ts";
import { presentPageError } from "../html/page.ts";
import { formProofs } from "../http/form-proof.ts";
import { defineOperation, type Operation, type OperationInput } from "../http/operation.ts";
import { compressed } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { findReader, type Reader } from "../people/find-reader.ts";
import { findTeamsOf, type TeamOfPerson } from "../people/teams.ts";
import { readerActor, visitor } from "../table/audit.ts";
import { refusal } from "../table/suspension.ts";
import { type PageDestination, pagePath, signInPath } from "./destination.ts";
import { type ReaderSession, readerSessions } from "./readers.ts";

/** Path of the form for choosing the account to publish as. */
export const switchPath = "/account/switch";

/** Teams of a signed-in person, and the account that the person has chosen in this browser. */
interface Acting {
  /** Teams of the person, ordered by name. */
  readonly teams: readonly TeamOfPerson[];
  /** Team that the person publishes for. @default - the person's own account */
  readonly team?: TeamOfPerson | undefined;
  /** Namespace of the chosen team if the person has left it, for a notice. @default - the person has not left the chosen team */
  readonly leftTeam?: string | undefined;
  /** Namespace of the account that owns the shown drop. @default - the chosen account owns the drop, or the page shows no drop */
  readonly dropOwner?: string | undefined;
  /** CSRF token of the form for choosing another account. */
  readonly proof: string;
}

/** The person who is signed in with this browser. */
export interface SignedIn {
  readonly session: ReaderSession;
  readonly reader: Reader;
  /** Accounts that the person may publish as. @default - not read, or the person has no team */
  readonly acting?: Acting | undefined;
}

/** Input of an operation for a signed-in page. */
export type SignedInInput<Row extends Route> = OperationInput<Row> & { readonly signedIn: SignedIn };

/**
 * Defines a page for signed-in people. Other visitors are redirected to sign in, and then back to the page. Every request reads the
 * session, bans, suspensions and membership, so changes take effect at the next request.
 *
 * @param pageOf returns the page to open after sign-in
 */
export function signedInPage<Row extends Route>(
  route: Row,
  pageOf: (input: OperationInput<Row>) => PageDestination,
  run: (input: SignedInInput<Row>) => Promise<HttpResponse>,
): Operation {
  return sessionOperation(route, async (input) => {
    const { signedIn, site } = input;
    if (signedIn !== undefined) return run({ ...input, signedIn });
    return redirect(site.baseUrl + signInPath(pagePath(pageOf(input))));
  });
}

/** Defines an operation that reads the browser's session, if there is one. */
export function sessionOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row> & { readonly signedIn: SignedIn | undefined }) => Promise<HttpResponse>,
): Operation {
  return defineOperation(route, {
    identify: (request) => async (_, nowMs) => ({ signedIn: await findSignedIn(request, nowMs) }),
    idsOf: ({ signedIn }) => (signedIn?.reader.userId ? { ownerId: signedIn.reader.userId } : {}),
    actorOf: ({ signedIn }) => (signedIn === undefined ? visitor : readerActor(signedIn.reader)),
    presentError: presentPageError,
    run: async (input: OperationInput<Row> & { readonly signedIn: SignedIn | undefined }) => {
      if (input.signedIn?.reader.isBarred) throw barred();
      return compressed(await run(input), input.request);
    },
  });
}

async function findSignedIn(request: HttpRequest, nowMs: number): Promise<SignedIn | undefined> {
  const session = await readerSessions.ofRequest(request, nowMs);
  const reader = session && (await findReader(session));
  return session && reader && !reader.isSessionOver ? { session, reader } : undefined;
}

/** Adds the current teams of a signed-in person, if any. If the person has left the chosen team, selects the person's own account. */
export async function withActing(signedIn: SignedIn): Promise<SignedIn> {
  const { session, reader } = signedIn;
  const teams = reader.isMember ? await findTeamsOf(reader) : [];
  if (teams.length === 0 && session.team === undefined) return signedIn;
  const team = teams.find(({ userId }) => userId === session.team?.userId);
  const leftTeam = team === undefined ? session.team?.namespace : undefined;
  const teamIds = new Set(teams.map(({ userId }) => userId));
  const proof = (await formProofs(session.reference))(switchPath);
  return { ...signedIn, reader: { ...reader, teamIds }, acting: { teams, team, leftTeam, proof } };
}

/** Error for a barred person. The page has a link to sign out, because the person may be allowed with another account. */
export function barred(): ApiError {
  const message = "This account can’t see or change anything here at the moment. Nothing was deleted.";
  const way = { href: "/login/read", label: "See who you are signed in as" };
  return refusal("account_barred", message, { way });
}
