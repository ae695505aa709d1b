import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { exportAccount, makeCopyFolder } from "../../scripts/operator/export.ts";
import { feedbackCommand } from "../../scripts/operator/feedback-command.ts";
import { addHoldCommand, removeHoldCommand } from "../../scripts/operator/hold.ts";
import { raiseNumbers } from "../../scripts/operator/restore/restored-items.ts";
import { findUser, readPartition, type StoredItem } from "../../scripts/operator/table-reads.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { newOwner, type Owner, openGivenService, runCommand, scratchFolder } from "./given-service.ts";

const given = await openGivenService();
const scratch = scratchFolder();

const rowsOf = (slug: string) => readPartition(given.service.tableName, keys.pointer(slug).pk);

async function ownerWithAnswer(name: string): Promise<{ readonly owner: Owner; readonly slug: string }> {
  const owner = await newOwner(given.service, name);
  const slug = await owner.publish("<p>Vote</p>");
  await givenAnswer(owner.userId, slug, { person: "reader" });
  return { owner, slug };
}

describe("a reader's answer", () => {
  test("is deleted with the owner's account", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");

    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });

    expect((await rowsOf(slug)).map(({ sk }) => sk)).toEqual(["SLUG"]);
  });

  test("is deleted by a takedown of its page", { tags: "slow" }, async () => {
    const { slug } = await ownerWithAnswer("ada");

    await runCommand(takedownCommand, given, [slug], { yes: true, "no-copy": true });

    expect((await rowsOf(slug)).filter(({ sk }) => sk.startsWith("ANSWER"))).toEqual([]);
  });

  test("moves with a transferred drop, and the former owner cannot read it", {
    tags: "slow",
  }, async () => {
    const { owner: ada, slug } = await ownerWithAnswer("ada");
    const grace = await newOwner(given.service, "grace");
    const path = `/api/drops/${slug}/answers`;

    await runCommand(transferCommand, given, [ada.userId, grace.userId], { yes: true });

    expect((await ada.call("GET", path)).status).toBe(404);
    expect(await grace.json("GET", path)).toMatchObject({ answers: [{ number: 1 }] });
    await givenAnswer(grace.userId, slug, { person: "reader" });
    expect(await grace.json("GET", path)).toMatchObject({ answers: [{ number: 2 }] });
  });

  test("is shown to an operator, who can remove it", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    const author = { kind: "reader", name: "grace", identity: "local#7" } as const;
    await givenAnswer(owner.userId, slug, { author, fields: [["days", ["mon", "tue"]]] });
    const run = (options: Record<string, string | true> = {}) =>
      runCommand(feedbackCommand, given, [slug], { answers: true, ...options });

    const listed = await run();
    const removed = await run({ remove: "1" });
    const again = await run({ remove: "1" });

    expect(listed.lines).toEqual([
      expect.stringMatching(/^1 {2}vote {2}20[\d: -]+ {2}version 1 {2}stranger$/),
      '   "choice": "yes"',
      expect.stringMatching(/^2 {2}vote {2}20[\d: -]+ {2}version 1 {2}reader "grace"$/),
      '   "days": "mon", "tue"',
      `Answers to the forms of ${slug}: 2.`,
    ]);
    expect([removed.isWell, again.isWell]).toEqual([true, false]);
    expect(again.lines).toEqual([`${slug} has no answer 1. It may already have been removed.`]);
    expect(await owner.json("GET", `/api/drops/${slug}/answers`)).toMatchObject({ answers: [{ number: 2 }] });
    await expect(run({ remove: "one" })).rejects.toThrow("Use the number of the answer, such as --remove 3.");
  });

  test("is counted by an operator, who can correct the counters", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    await givenAnswer(owner.userId, slug, { form: "poll" });
    const recount = (options: Record<string, true> = {}) =>
      runCommand(recountCommand, given, [owner.namespace], options);
    const right = await recount();
    const counters = async () => (await answers.last(slug)).counts;

    const found = [];
    for (const wrong of [
      [["vote", 1]],
      [
        ["vote", 2],
        ["poll", 1],
      ],
    ]) {
      await updateItem({
        key: keys.answers(slug),
        update: "SET #counts = :counts",
        condition: "attribute_exists(pk)",
        names: { "#counts": "counts" },
        values: { ":counts": JSON.stringify(wrong) },
      });
      found.push((await recount()).lines[0]);
      expect((await recount({ fix: true })).isWell).toBe(true);
      expect(await counters()).toEqual([
        ["vote", 1],
        ["poll", 1],
      ]);
    }

    expect(right.isWell).toBe(true);
    expect(found).toEqual([
      `${slug} counts 0 answers to the form poll, but has 1.`,
      `${slug} counts 2 answers to the form vote, but has 1.`,
    ]);
    expect((await recount()).isWell).toBe(true);
  });

  test("is part of an operator's export of the account", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    const folder = join(mkdtempSync(join(scratch, "copy-")), "ada");

    await exportAccount(given.service, await findUser(owner.userId), await makeCopyFolder(folder));

    const copied = JSON.parse(readFileSync(join(folder, "drops", slug, "answers.json"), "utf8"));
    expect(copied).toMatchObject([{ number: 1, form: "vote", fields: { choice: "yes" } }]);
  });

  test("cannot be deleted under legal hold, and a reader's change then keeps the earlier answer", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    const path = `/api/drops/${slug}/answers`;
    await runCommand(addHoldCommand, given, [slug]);

    const deleted = await Promise.all([owner.call("DELETE", `${path}/1`), owner.call("DELETE", path)]);
    await givenAnswer(owner.userId, slug, { person: "reader", fields: [["choice", "no"]] });

    expect(deleted.map(({ status }) => status)).toEqual([403, 403]);
    expect(await owner.json("GET", path)).toMatchObject({ answers: [{ number: 2 }] });
    expect((await answers.listAll(slug)).map(({ number }) => number)).toEqual([1, 2]);
    await runCommand(removeHoldCommand, given, [slug], {}, slug);
    expect((await owner.call("DELETE", path)).status).toBe(204);
    expect((await rowsOf(slug)).filter(({ sk }) => sk.startsWith("ANSWER")).map(({ sk }) => sk)).toEqual([
      "ANSWERS",
    ]);
  });

  test("gets a number above all earlier ones after older counters are restored", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    const counters = async () =>
      (await rowsOf(slug)).filter(({ sk }) => sk === keys.answers(slug).sk) as StoredItem[];
    const earlier = await counters();
    await givenAnswer(owner.userId, slug, { person: "other" });

    await raiseNumbers(earlier);

    expect(await answers.last(slug)).toMatchObject({ last: 2, counts: [["vote", 2]] });
    expect((await givenAnswer(owner.userId, slug)).number).toBe(3);
  });
});
