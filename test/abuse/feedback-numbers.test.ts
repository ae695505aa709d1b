import { randomUUID } from "node:crypto";
import type { BatchGetCommandOutput, QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { NewComment } from "../../functions/feedback/feedback.ts";
import { readPart } from "../../functions/feedback/shown-threads.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { Written } from "../../functions/feedback/write-comment.ts";
import { dynamodb } from "../../functions/table/table.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { givenAct } from "../support/given-act.ts";
import { race } from "../support/race.ts";
import { openStores } from "./given-person.ts";

const act = givenAct();
const words = (text: string): NewComment => ({
  author: { kind: "named", name: "A reader" },
  text,
  version: 1,
  atMs: Date.now(),
});

let account: Account;
let about: { readonly ownerId: string; readonly slug: string };

beforeAll(async () => {
  await openStores();
  account = await newAccount("feedback");
});

async function lastNumber(): Promise<number> {
  return (await feedback.last(account.userId)).sequence;
}

async function newDrop(): Promise<typeof about> {
  const { slug } = await account.api.succeed("publish-drop", { body: { html: "<p>Words", title: "Words" } });
  return { ownerId: account.userId, slug };
}

/** Counts the items read from the table from now on. The returned function stops counting and returns the number. */
function countReadRows(): () => number {
  let count = 0;
  const name = "countReadRows";
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { Items = [], Responses = {} } = result.output as Partial<
        QueryCommandOutput & BatchGetCommandOutput
      >;
      count += Items.length + Object.values(Responses).flat().length;
      return result;
    },
    { step: "initialize", name },
  );
  return () => {
    dynamodb.middlewareStack.remove(name);
    return count;
  };
}

describe("readers' comments", () => {
  test("are numbered without gaps when 100 are sent concurrently, and a poller reads each once", {
    tags: "nightly",
  }, async () => {
    const drops = [await newDrop(), await newDrop()] as const;
    const first = await lastNumber();
    const read: Written[] = [];
    let isOver = false;
    const reading = (async () => {
      for (let cursor = first; !isOver || cursor < (await lastNumber()); ) {
        const next = await feedback.listAfter(account.userId, cursor, 7);
        read.push(...next);
        cursor = next.at(-1)?.comment.sequence ?? cursor;
      }
    })();

    const outcomes = await race(100, (index) =>
      feedback.begin(drops[index % 2 === 0 ? 0 : 1], words(`Word ${index}`), act),
    );
    isOver = true;
    await reading;

    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(100).fill("written"));
    expect(read.map(({ comment }) => comment.sequence)).toEqual(
      Array.from({ length: 100 }, (_, index) => first + 1 + index),
    );
    expect(new Set(read.map(({ comment }) => comment.text)).size).toBe(100);
    for (const { slug } of drops)
      expect(await feedback.count(slug)).toEqual({ threads: 50, openThreads: 50 });
  });

  test("are stored once however often their form is sent", async () => {
    const drop = await newDrop();
    const formId = randomUUID();

    const outcomes = await race(20, () => feedback.begin(drop, words("Twice"), act, { formId }));

    expect(outcomes.filter(({ kind }) => kind === "written")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "repeated")).toHaveLength(19);
    expect(await feedback.list(drop.slug)).toHaveLength(1);
  });

  test("reopen a resolved thread, unlike the owner's comments", async () => {
    const drop = await newDrop();
    await feedback.begin(drop, words("There is a word missing."), act);
    await feedback.setState(drop, 1, "resolved", act);
    const owner = { ...words("Mended."), author: { kind: "owner", name: "feedback" } } as const;

    await feedback.reply(drop, 1, owner, act);
    const afterOwner = await feedback.find(drop.slug, 1);
    const openAfterOwner = await feedback.count(drop.slug);
    await feedback.reply(drop, 1, words("Still missing."), act);

    expect(afterOwner?.thread.state).toBe("resolved");
    expect(openAfterOwner.openThreads).toBe(0);
    expect(await feedback.find(drop.slug, 1)).toMatchObject({
      thread: { state: "open", commentCount: 3 },
      comments: [{ comment: 1 }, { comment: 2, author: { kind: "owner" } }, { comment: 3 }],
    });
    expect(await feedback.count(drop.slug)).toEqual({ threads: 1, openThreads: 1 });
  });

  test("leave unused numbers when their thread is deleted, and no thread gets its number again", async () => {
    const drop = await newDrop();
    const first = await lastNumber();
    await feedback.begin(drop, words("One"), act);
    await feedback.begin(drop, words("Two"), act);

    const removed = await feedback.remove(drop, 2, act);
    const again = await feedback.remove(drop, 2, act);
    await feedback.begin(drop, words("Three"), act);

    expect([removed, again]).toEqual([true, false]);
    const left = await feedback.listAfter(account.userId, first, 10);
    expect(left.map(({ comment, thread }) => [comment.sequence - first, thread.thread])).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(await feedback.count(drop.slug)).toEqual({ threads: 2, openThreads: 2 });
  });

  test("that are not shown are not read from the table", async () => {
    const drop = await newDrop();
    for (const text of ["One", "Two"]) await feedback.begin(drop, words(text), act);
    for (let number = 2; number <= 9; number += 1) await feedback.reply(drop, 1, words(`One ${number}`), act);
    const readRows = countReadRows();

    const { conversations, counts } = await readPart(drop.slug, 1);

    expect(counts).toEqual({ threads: 2, openThreads: 2 });
    expect(
      conversations.map(({ thread, comments }) => [thread.thread, comments.map(({ comment }) => comment)]),
    ).toEqual([
      [1, [1, 6, 7, 8, 9]],
      [2, [1]],
    ]);
    // Two threads and six of the ten comments.
    expect(readRows()).toBe(8);
  });

  test("on a deleted drop are refused and not stored", async () => {
    const drop = await newDrop();
    await account.api.succeed("delete-drop", { params: { slug: drop.slug } });
    const before = await lastNumber();

    const outcome = await feedback.begin(drop, words("Too late"), act);

    expect(outcome).toEqual({ kind: "missing" });
    expect(await feedback.list(drop.slug)).toEqual([]);
    expect(await lastNumber()).toBe(before);
  });
});
