import { accessRequests } from "../access-requests/store.ts";
import { listPage } from "../account/list-page.ts";
import type { Blob } from "../blobs/blob.ts";
import { publicFiles } from "../blobs/public-files.ts";
import { hasAccessRequests } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { drops } from "../drops/store.ts";
import { patterns } from "../http/schemas.ts";
import { ownerUrl } from "../http/site.ts";
import { findAccountReader } from "../people/find-reader.ts";
import { findTeam, findTeamsOf } from "../people/teams.ts";
import { canSeeName } from "../policies/access.ts";
import { heldAttribute } from "../table/legal-hold.ts";
import { tokens } from "../table/tokens.ts";
import { type AccountRow, findAccountRow, isBanned } from "./accounts.ts";
import type { AdministratorInput } from "./administrator.ts";
import { heldSlugsOf } from "./legal-holds.ts";
import type { showAdminAccountRoute } from "./rows.ts";

/** Finds the account of a namespace. @throws ApiError `not_found` for a namespace without an account */
export async function requireAccountRow(namespace: string): Promise<AccountRow> {
  const account = await findAccountRow(namespace);
  if (account === undefined) throw new ApiError("not_found");
  return account;
}

/** Account data that administrators see. */
export type AccountFacts = Awaited<ReturnType<typeof readAccountFacts>>;

/**
 * Reads the data for an account's administration page. Includes titles only of pages that the administrator may read.
 *
 * @param file namespace and id of the file that was searched for, joined by a dot. Empty if the search was not for a file
 * @throws ApiError `not_found` for a namespace without an account
 */
export async function readAccountFacts(
  input: Pick<AdministratorInput<typeof showAdminAccountRoute>, "path" | "signedIn" | "site" | "nowMs">,
  file: string,
  pageNumber = 1,
) {
  const { path, signedIn, site, nowMs } = input;
  const { reader } = signedIn;
  const account = await requireAccountRow(path.namespace);
  const { userId, item } = account;
  const [team, person, banned, list, all, found, waiting] = await Promise.all([
    findTeam(userId),
    findAccountReader(userId),
    isBanned(account),
    tokens.list(userId),
    drops.list(userId),
    findFile(file),
    hasAccessRequests() ? accessRequests.countByDrop(userId, nowMs) : [],
  ]);
  const latest = all.toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
  const { shown, ...paging } = listPage(latest, pageNumber);
  return {
    account,
    /** The team. Undefined if the account belongs to a person. */
    team,
    teams: team === undefined && person !== undefined ? await findTeamsOf(person) : [],
    /** Drops with open access requests. */
    waiting,
    isBanned: banned,
    isHeld: item[heldAttribute] !== undefined,
    heldSlugs: heldSlugsOf(item),
    tokens: list,
    drops: { ...paging, shown: shown.map((drop) => ({ drop, isReadable: canSeeName(drop, reader, nowMs) })) },
    ownerUrl: ownerUrl(site, account.namespace),
    /** The file whose URL the administrator searched for. */
    file: found?.ownerId === userId ? { ...found, isReadable: canSeeName(found, reader, nowMs) } : undefined,
  };
}

/** Finds a file by its namespace and id, joined by a dot. Returns undefined if the file does not exist. */
export async function findFile(text: string): Promise<Blob | undefined> {
  const [namespace = "", id = ""] = text.split(".");
  if (!patterns.namespace.test(namespace) || !patterns.slug.test(id)) return undefined;
  return publicFiles.find(namespace, id);
}
