import { beforeAll, expect, test } from "vitest";
import { readAudit } from "../../functions/administration/audit-reader.ts";
import { compareCounts } from "../../scripts/operator/upkeep/recount.ts";
import { pageOf } from "../support/accounts.ts";
import { longMs } from "../support/patience.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { openStores } from "./given-person.ts";
import { type HistoricWrite, type TeamHistory, writeAsTeam } from "./team-writers.ts";

beforeAll(openStores);

const runs = [
  { writesEach: 6, rounds: 1 },
  { writesEach: 40, rounds: 8 },
];

for (const { cases, options } of slowAndNightly(runs, ({ rounds }) => rounds === 1))
  test.each(cases)(
    "concurrent writes of five people to a team's drops are kept or refused during role changes: $rounds × $writesEach writes each",
    { ...options, timeout: longMs },
    async ({ writesEach, rounds }) => {
      for (let round = 0; round < rounds; round += 1) {
        const fromMs = Date.now();

        const history = await writeAsTeam(writesEach);

        expectOnlyUsualStatuses(history);
        expectNobodyWroteAfterLeaving(history);
        for (const slug of history.slugs) {
          await expectVersionsDense(history, slug);
          await expectLastTitle(history, slug);
        }
        await expectAuditNames(history, fromMs);
        await expectPeopleAndCounts(history);
      }
    },
  );

const accepted = ({ status }: HistoricWrite) => status === 200;

/** Expects only statuses of success, missing access, outdated forms, rate limits and conflicts. */
function expectOnlyUsualStatuses({ writes }: TeamHistory): void {
  for (const { way, status } of writes)
    expect(way === "form" ? [200, 403, 404, 409, 412, 429, 503] : [200, 403, 429, 503], way).toContain(
      status,
    );
  // Every way had at least one accepted write.
  for (const way of ["API", "tool", "form", "raw HTML", "service token"])
    expect([way, writes.filter(accepted).some((write) => write.way === way)]).toEqual([way, true]);
}

/** Expects that writes during a person's absence are refused, and that writes of team members are not refused for access. */
function expectNobodyWroteAfterLeaving({ writes, absences }: TeamHistory): void {
  let triedWhileOut = 0;
  for (const write of writes) {
    const own = absences.filter(({ personId }) => personId === write.personId);
    const isOut = own.some(({ from, until }) => from < write.sentAt && write.answeredAt < until);
    const mayBeOut = own.some(({ endingAt, backAt }) => endingAt < write.answeredAt && write.sentAt < backAt);
    if (isOut) expect(accepted(write), JSON.stringify(write)).toBe(false);
    if (!mayBeOut) expect([403, 404], JSON.stringify(write)).not.toContain(write.status);
    triedWhileOut += isOut ? 1 : 0;
  }
  expect(triedWhileOut).toBeGreaterThanOrEqual(absences.length);
}

/** Expects consecutive versions, one for each accepted write, in the order of the writes and with the pages that were sent. */
async function expectVersionsDense({ writes, api }: TeamHistory, slug: string): Promise<void> {
  const made = writes
    .filter((write) => write.slug === slug && write.version !== undefined)
    .toSorted((one, other) => Number(one.version) - Number(other.version));
  const { versions } = await api.succeed("list-versions", { params: { slug } });

  expect(made.map(({ version }) => version)).toEqual(made.map((_, index) => index + 2));
  expect(versions.map(({ version }) => version).reverse()).toEqual([
    1,
    ...made.map(({ version }) => version),
  ]);
  let sentLast = 0;
  for (const { version = 0, text, sentAt, answeredAt } of made) {
    // This version's response was received after every earlier version was sent.
    expect(answeredAt, `version ${version}`).toBeGreaterThan(sentLast);
    sentLast = Math.max(sentLast, sentAt);
    const page = await api.call("read-html", { params: { slug }, query: { v: version } });
    expect([version, page.status, page.text]).toEqual([version, 200, pageOf(text)]);
  }
}

/** Expects the title of the form's last accepted write, because only the form changes titles. */
async function expectLastTitle({ writes, api }: TeamHistory, slug: string): Promise<void> {
  const last = writes.findLast((write) => write.slug === slug && write.way === "form" && accepted(write));
  const { title } = await api.succeed("get-drop", { params: { slug } });

  expect(title).toBe(last?.text ?? "A page");
}

/** Expects one audit entry with the person for each accepted write, and no others. A service token's entry has no person. */
async function expectAuditNames({ writes, teamId }: TeamHistory, fromMs: number): Promise<void> {
  const lines: string[] = [];
  for await (const { act, subject } of readAudit({ fromMs, untilMs: Date.now() + 1, ownerId: teamId })) {
    if (act.action !== "publish-version" && act.action !== "edit-own-drop") continue;
    const personId = "personId" in act.actor ? act.actor.personId : undefined;
    lines.push(lineOf(subject.slug, subject.version, personId));
  }

  const written = writes.filter(accepted).map((one) => lineOf(one.slug, one.version, one.personId));
  expect(lines.toSorted()).toEqual(written.toSorted());
}

function lineOf(slug = "", version: number | undefined, personId = "no person"): string {
  return `${slug} ${version ?? "title"} by ${personId}`;
}

/** Expects the last acknowledged roles, and correct counters of the quota. */
async function expectPeopleAndCounts({ api, teamId, people }: TeamHistory): Promise<void> {
  const { account } = await api.succeed("get-me");
  const team = await api.succeed("get-team", { params: { namespace: account.namespace } });
  const counts = await compareCounts(teamId, false);

  expect({ owners: team.owners, editors: team.editors }).toEqual(people);
  expect(counts?.stored).toEqual(counts?.counted);
}
