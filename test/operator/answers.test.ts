import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { exportAccount, makeCopyFolder } from "../../scripts/operator/export.ts";
import { addHoldCommand, removeHoldCommand } from "../../scripts/operator/hold.ts";
import { raiseNumbers } from "../../scripts/operator/restore/restored-rows.ts";
import { findUser, readPartition, type StoredItem } from "../../scripts/operator/table-reads.ts";
import { takedownCommand } from "../../scripts/operator/takedown/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
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

describe("what readers have answered", () => {
  test("goes with the account that is deleted", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");

    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });

    expect((await rowsOf(slug)).map(({ sk }) => sk)).toEqual(["SLUG"]);
  });

  test("goes with the page that is taken down", { tags: "slow" }, async () => {
    const { slug } = await ownerWithAnswer("ada");

    await runCommand(takedownCommand, given, [slug], { yes: true, "no-copy": true });

    expect((await rowsOf(slug)).filter(({ sk }) => sk.startsWith("ANSWER"))).toEqual([]);
  });

  test("goes along with a drop to another account, and its owner before cannot read it any more", {
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

  test("is in the copy that an operator makes of an account", async () => {
    const { owner, slug } = await ownerWithAnswer("ada");
    const folder = join(mkdtempSync(join(scratch, "copy-")), "ada");

    await exportAccount(given.service, await findUser(owner.userId), await makeCopyFolder(folder));

    const copied = JSON.parse(readFileSync(join(folder, "drops", slug, "answers.json"), "utf8"));
    expect(copied).toMatchObject([{ number: 1, form: "vote", fields: { choice: "yes" } }]);
  });

  test("cannot be deleted on legal hold, and a reader's change then keeps the answer before it", async () => {
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

  test("keeps the higher numbers when earlier counters are restored", async () => {
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
