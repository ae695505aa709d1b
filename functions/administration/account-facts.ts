import { accessRequests } from "../access-requests/store.ts";
import { listPage } from "../account/list-page.ts";
import type { Blob } from "../blobs/blob.ts";
import { publicFiles } from "../blobs/public-files.ts";
import { hasAccessRequests } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { drops } from "../drops/store.ts";
import { patterns } from "../http/schemas.ts";
import { ownerUrl, type Site } from "../http/site.ts";
import { findAccountReader } from "../people/find-reader.ts";
import { findTeam, findTeamsOf } from "../people/teams.ts";
import { canSeeName, type ReaderRights } from "../policies/access.ts";
import { heldAttribute } from "../table/legal-hold.ts";
import { tokens } from "../table/tokens.ts";
import type { AccountFacts } from "./account-page.tsx";
import { type AccountRow, findAccountRow, isBanned } from "./accounts.ts";
import { heldSlugsOf } from "./legal-holds.ts";

/**
 * Finds the account of a namespace.
 *
 * @throws ApiError `not_found` for a namespace without an account
 */
export async function requireAccountRow(namespace: string): Promise<AccountRow> {
  const account = await findAccountRow(namespace);
  if (account === undefined) throw new ApiError("not_found");
  return account;
}

/**
 * Reads an account for its page.
 *
 * @param reader the administrator, who sees the titles of the pages that they may read
 * @throws ApiError `not_found` for a namespace without an account
 */
export async function readAccountFacts({
  namespace,
  pageNumber,
  file,
  reader,
  site,
  nowMs,
}: {
  readonly namespace: string;
  readonly pageNumber: number;
  /** Namespace and id of a file, joined by a dot. Empty for none. */
  readonly file: string;
  readonly reader: ReaderRights;
  readonly site: Site;
  readonly nowMs: number;
}): Promise<AccountFacts> {
  const account = await requireAccountRow(namespace);
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
    team,
    teams: team === undefined && person !== undefined ? await findTeamsOf(person) : [],
    waiting,
    isBanned: banned,
    isHeld: item[heldAttribute] !== undefined,
    heldSlugs: heldSlugsOf(item),
    tokens: list,
    drops: { ...paging, shown: shown.map((drop) => ({ drop, isReadable: canSeeName(drop, reader, nowMs) })) },
    ownerUrl: ownerUrl(site, account.namespace),
    file: found?.ownerId === userId ? { ...found, isReadable: canSeeName(found, reader, nowMs) } : undefined,
  };
}

/** Finds the file of its namespace and id, joined by a dot; undefined for other texts. */
export async function findFile(text: string): Promise<Blob | undefined> {
  const [namespace = "", id = ""] = text.split(".");
  if (!patterns.namespace.test(namespace) || !patterns.slug.test(id)) return undefined;
  return publicFiles.find(namespace, id);
}
