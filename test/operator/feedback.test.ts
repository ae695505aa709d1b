import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { pageTextKey } from "../../functions/feedback/feedback.ts";
import { toThreadItem } from "../../functions/feedback/items.ts";
import { feedback } from "../../functions/feedback/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { exportAccount, makeCopyFolder } from "../../scripts/operator/export.ts";
import { feedbackCommand } from "../../scripts/operator/feedback-command.ts";
import { raiseNumbers } from "../../scripts/operator/restore/restored-items.ts";
import { findUser, readPartition } from "../../scripts/operator/table-reads.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { givenComment } from "../support/given-feedback.ts";
import { newOwner, type Owner, openGivenService, runCommand, scratchFolder } from "./given-service.ts";

const given = await openGivenService();
const scratch = scratchFolder();

const rowsOf = (pk: string) => readPartition(given.service.tableName, pk);

async function ownerWithThread(name: string): Promise<{ readonly owner: Owner; readonly slug: string }> {
  const owner = await newOwner(given.service, name);
  const slug = await owner.publish("<p>Words</p>");
  await givenComment(owner.userId, slug, { text: "Why?", quote: "Words" });
  return { owner, slug };
}

describe("a feedback thread", () => {
  test("is deleted with the owner's account", async () => {
    const { owner, slug } = await ownerWithThread("ada");

    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });

    expect(await rowsOf(keys.account(owner.userId).pk)).toEqual([]);
    expect((await rowsOf(keys.pointer(slug).pk)).map(({ sk }) => sk)).toEqual(["SLUG"]);
  });

  test("moves with a transferred drop, and the former owner gets no more notifications", {
    tags: "slow",
  }, async () => {
    const { owner: ada, slug } = await ownerWithThread("ada");
    const grace = await newOwner(given.service, "grace");

    await runCommand(transferCommand, given, [ada.userId, grace.userId], { yes: true });
    await givenComment(grace.userId, slug, { text: "And now?", thread: 1 });

    expect(await ada.json("GET", "/api/feedback")).toMatchObject({ comments: [], next_since: 1 });
    const { comments } = await grace.json("GET", "/api/feedback");
    expect(comments).toMatchObject([{ number: 1, text: "And now?", thread: { id: 1, comment_count: 2 } }]);
    const path = `/api/drops/${slug}/feedback/1`;
    expect((await ada.call("PATCH", path, { state: "resolved" })).status).toBe(404);
    expect((await grace.json("PATCH", path, { state: "resolved" })).thread.state).toBe("resolved");
  });

  test("is compared with the page's text, which is stored at the first read", async () => {
    const { owner, slug } = await ownerWithThread("ada");
    const stateNow = async () => (await owner.json("GET", "/api/feedback")).comments[0].thread.passage.state;
    const found = await publicDrops.findVersion(slug, 1);
    const place = { Bucket: given.service.pagesBucket, Key: pageTextKey(found?.pageKey ?? "") };

    const first = await stateNow();
    await s3.send(new PutObjectCommand({ ...place, Body: "OTHER\0" }));
    const stored = await stateNow();
    await s3.send(new DeleteObjectCommand(place));
    const again = await stateNow();

    expect([first, stored, again]).toEqual(["kept", "unknown", "kept"]);
  });

  test("is shown to an operator, who can remove it", async () => {
    const { owner, slug } = await ownerWithThread("ada");
    const run = (options: Record<string, string> = {}) => runCommand(feedbackCommand, given, [slug], options);

    const listed = await run();
    const removed = await run({ remove: "1" });
    const again = await run({ remove: "1" });

    expect(listed.lines).toEqual([
      '1  open  about "Words"',
      expect.stringMatching(/^ {3}20[\d: -]+ {2}named "Grace": "Why\?"$/),
      `Threads of ${slug}: 1.`,
    ]);
    expect([removed.isWell, again.isWell]).toEqual([true, false]);
    expect(await owner.json("GET", "/api/feedback")).toMatchObject({ comments: [], next_since: 1 });
    await expect(run({ remove: "one" })).rejects.toThrow("Use the number of the thread");
  });

  test("is part of an operator's export of the account", async () => {
    const { owner, slug } = await ownerWithThread("ada");
    const folder = join(mkdtempSync(join(scratch, "copy-")), "ada");

    await exportAccount(given.service, await findUser(owner.userId), await makeCopyFolder(folder));

    const copied = JSON.parse(readFileSync(join(folder, "drops", slug, "feedback.json"), "utf8"));
    expect(copied).toMatchObject([{ id: 1, quote: "Words", comments: [{ number: 1, text: "Why?" }] }]);
  });

  test("never gets a number twice, even after older items are restored", async () => {
    const { owner, slug } = await ownerWithThread("ada");
    const earlier = [keys.feedback(slug), keys.feedbackLog(owner.userId)];
    const rows = await Promise.all(earlier.map(async (key) => ({ ...(await getItem(key)), ...key })));
    const { thread } = await givenComment(owner.userId, slug, { text: "Later" });
    await feedback.setState({ ownerId: owner.userId, slug }, 2, "resolved", {
      action: "test",
      actor: { kind: "visitor" },
      atMs: Date.now(),
    });
    // A restored thread is not counted yet.
    await transact([{ put: toThreadItem({ ...thread, thread: 5, state: "open" }) }]);

    await raiseNumbers(rows);
    const next = await givenComment(owner.userId, slug, { text: "Next" });

    expect([next.comment.sequence, next.thread.thread]).toEqual([3, 6]);
    expect(await feedback.count(slug)).toEqual({ threads: 4, openThreads: 3 });
  });
});
