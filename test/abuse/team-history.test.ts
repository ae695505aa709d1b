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
    "five people's writes to a team's drops are not lost during role changes, and none succeeds after its person left: $rounds × $writesEach writes each",
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

/** Accepted, not in the team, outdated (the form alone), over the rate, or busy: then nothing was written. */
function expectOnlyUsualStatuses({ writes }: TeamHistory): void {
  for (const { way, status } of writes)
    expect(way === "form" ? [200, 403, 404, 409, 412, 429, 503] : [200, 403, 429, 503], way).toContain(
      status,
    );
  // Otherwise a way was not tried.
  for (const way of ["API", "tool", "form", "raw HTML", "service token"])
    expect([way, writes.filter(accepted).some((write) => write.way === way)]).toEqual([way, true]);
}

/** A write that began after its person was removed, and ended before they came back, is refused; one of a person in the team is not. */
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

/** Versions 2 to the latest are the accepted ones, in the order of their responses, each with the page that was sent. */
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
    // No later version was answered before this one was sent.
    expect(answeredAt, `version ${version}`).toBeGreaterThan(sentLast);
    sentLast = Math.max(sentLast, sentAt);
    const page = await api.call("read-html", { params: { slug }, query: { v: version } });
    expect([version, page.status, page.text]).toEqual([version, 200, pageOf(text)]);
  }
}

/** Only the form changes titles, so the title is that of its last accepted write. */
async function expectLastTitle({ writes, api }: TeamHistory, slug: string): Promise<void> {
  const last = writes.findLast((write) => write.slug === slug && write.way === "form" && accepted(write));
  const { title } = await api.succeed("get-drop", { params: { slug } });

  expect(title).toBe(last?.text ?? "A page");
}

/** Each accepted write has one line with its person, and no other write has one. A service token's line has no person. */
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
