import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { patterns } from "../http/schemas.ts";
import type { AuditLine } from "../table/audit.ts";
import { isUserId } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { findAccountRow, toAccountRow } from "./accounts.ts";
import { administratorPage } from "./administrator.ts";
import { type AuditSubject, type NamedAccounts, renderAuditPage } from "./audit-page.tsx";
import { readAuditBefore } from "./audit-reader.ts";
import { showAdminAuditRoute } from "./rows.ts";

/** GET /admin/audit: shows all audit entries, or only the entries about an account and its holder, or about a drop. */
export const showAdminAudit = administratorPage(
  showAdminAuditRoute,
  () => "/admin/audit",
  async (input) => {
    const { query, nowMs } = input;
    const subject = await findSubject(query);
    const untilMs = Math.min(query.until ?? nowMs + 1, nowMs + 1);
    const part = await readAuditBefore(untilMs, (line) => isAbout(line, subject), nowMs);
    const names = await findAccounts(part.lines);
    return page("signed-in", (nonce) => renderAuditPage({ ...input, ...part, subject, names, nonce }));
  },
);

/** Finds the account or drop that the listed entries are about. @throws ApiError `not_found` for an unknown account or an invalid slug */
async function findSubject({
  account,
  drop: slug,
}: Readonly<Record<"account" | "drop", string>>): Promise<AuditSubject> {
  if (account !== "") {
    const found = await findAccountRow(account);
    if (found !== undefined) return { kind: "account", userId: found.userId, namespace: found.namespace };
    // The audit entries of a deleted account can still be found by its user id.
    if (isUserId(account)) return { kind: "account", userId: account, namespace: account };
    throw new ApiError("not_found");
  }
  if (slug === "") return { kind: "all" };
  // Does not check that the drop exists, because a deleted drop's audit entries remain.
  if (!patterns.slug.test(slug)) throw new ApiError("not_found");
  return { kind: "drop", slug };
}

function isAbout({ act: { actor }, subject }: AuditLine, wanted: AuditSubject): boolean {
  switch (wanted.kind) {
    case "all":
      return true;
    case "drop":
      return subject.slug === wanted.slug;
    case "account": {
      const personId = "personId" in actor ? actor.personId : undefined;
      return [subject.ownerId, subject.newOwnerId, personId].includes(wanted.userId);
    }
  }
}

/** Finds the accounts that audit entries mention, by user id. */
async function findAccounts(lines: readonly AuditLine[]): Promise<NamedAccounts> {
  const ids = lines.flatMap(({ act: { actor }, subject }) => [
    subject.ownerId,
    "personId" in actor ? actor.personId : undefined,
  ]);
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const items = await getItems(known.map(keys.account));
  return new Map(items.map(toAccountRow).map((account) => [account.userId, account]));
}
