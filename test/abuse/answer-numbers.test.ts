import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { answerCounts } from "../../functions/answers/answer-counts.ts";
import type { Answer, NewAnswer } from "../../functions/answers/answers.ts";
import { toAnswerItem } from "../../functions/answers/items.ts";
import { answers } from "../../functions/answers/store.ts";
import { limits } from "../../functions/core/limits.ts";
import { keys } from "../../functions/table/keys.ts";
import { dynamodb } from "../../functions/table/table.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { givenAct } from "../support/given-act.ts";
import { race } from "../support/race.ts";
import { openStores } from "./given-person.ts";

const act = givenAct();

let account: Account;

beforeAll(async () => {
  await openStores();
  account = await newAccount("answers");
});

async function newDrop() {
  const { slug } = await account.api.succeed("publish-drop", { body: { html: "<p>Vote", title: "Vote" } });
  return { ownerId: account.userId, slug };
}

function answerOf(choice: string, more: Partial<NewAnswer> = {}): NewAnswer {
  return {
    form: "vote",
    fields: [["choice", choice]],
    version: 1,
    author: { kind: "stranger" },
    isMany: false,
    atMs: Date.now(),
    ...more,
  };
}

async function listed(slug: string): Promise<readonly Answer[]> {
  return (await answers.list(slug, { limit: 200, nowMs: Date.now() })).answers;
}

describe("answers to a form", () => {
  test("are numbered without gaps when 40 are sent concurrently, and a reader who polls reads each once", async () => {
    const drop = await newDrop();
    const read: number[] = [];
    let isOver = false;
    const reading = (async () => {
      for (let since = 0; !isOver || since < (await answers.last(drop.slug)).last; ) {
        const found = await answers.list(drop.slug, { since, limit: 7, nowMs: Date.now() });
        read.push(...found.answers.map(({ number }) => number));
        since = found.upTo;
      }
    })();

    const outcomes = await race(40, (index) =>
      answers.send(drop, answerOf("yes", { person: `p${index}` }), act),
    );
    isOver = true;
    await reading;

    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const written = outcomes.map((one) => (one.kind === "written" ? one.answer.number : 0));
    expect(written.sort((one, other) => one - other)).toEqual(numbers);
    expect(read).toEqual(numbers);
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 40]]);
  });

  test("replace the earlier answer of the same person under a new number, which later reads return", async () => {
    const drop = await newDrop();
    await answers.send(drop, answerOf("yes", { person: "ada" }), act);
    await answers.send(drop, answerOf("yes", { person: "grace" }), act);
    const { upTo } = await answers.list(drop.slug, { limit: 9, nowMs: Date.now() });

    const outcome = await answers.send(drop, answerOf("no", { person: "ada" }), act);

    expect(outcome).toMatchObject({ kind: "written", answer: { number: 3 }, replaced: [1] });
    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([2, 3]);
    expect(await answers.list(drop.slug, { since: upTo, limit: 9, nowMs: Date.now() })).toMatchObject({
      answers: [{ number: 3, fields: [["choice", "no"]] }],
      upTo: 3,
      hasMore: false,
    });
    expect(await answers.findOf(drop.slug, "vote", "ada", Date.now())).toMatchObject({ number: 3 });
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 2]]);
  });

  test("are all stored for a form with many answers per person, and for strangers without a cookie", async () => {
    const drop = await newDrop();

    await answers.send(drop, answerOf("1", { person: "ada", isMany: true }), act);
    await answers.send(drop, answerOf("2", { person: "ada", isMany: true }), act);
    await answers.send(drop, answerOf("3"), act);
    await answers.send(drop, answerOf("4"), act);

    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  test("replace the same person's answer under their other name, and no other person's", async () => {
    const drop = await newDrop();
    const browser = { person: "browser", otherPerson: "ada" };
    const signed = { person: "ada", otherPerson: "browser" };
    await answers.send(drop, answerOf("unsigned", { person: "other browser" }), act);

    const sent = [browser, signed, browser, signed, { person: "browser" }];
    const replaced = [];
    for (const [index, person] of sent.entries())
      replaced.push(await answers.send(drop, answerOf(String(index), person), act));

    expect(replaced.map((one) => (one.kind === "written" ? one.replaced : undefined))).toEqual([
      [],
      [2],
      [3],
      [4],
      [],
    ]);
    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([1, 5, 6]);
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 3]]);
  });

  test("replace both earlier answers of the same person, signed and unsigned", async () => {
    const drop = await newDrop();
    await answers.send(drop, answerOf("signed", { person: "ada" }), act);
    await answers.send(drop, answerOf("unsigned", { person: "browser" }), act);

    const outcome = await answers.send(drop, answerOf("now", { person: "ada", otherPerson: "browser" }), act);

    expect(outcome).toMatchObject({ answer: { number: 3 }, replaced: [1, 2] });
    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([3]);
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 1]]);
  });

  test("sent concurrently by one person, signed and unsigned, leave one answer", async () => {
    const drop = await newDrop();
    const names = ["ada", "browser"] as const;

    await race(10, (index) => {
      const [person, otherPerson] = index % 2 === 0 ? names : names.toReversed();
      return answers.send(drop, answerOf(String(index), { person, otherPerson }), act);
    });

    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([10]);
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 1]]);
  });

  test("sent ten times concurrently by one person leave one answer", async () => {
    const drop = await newDrop();

    await race(10, (index) => answers.send(drop, answerOf(String(index), { person: "ada" }), act));

    const left = await listed(drop.slug);
    expect(left).toHaveLength(1);
    expect(left[0]?.number).toBe(10);
    expect((await answers.last(drop.slug)).counts).toEqual([["vote", 1]]);
  });

  test("are stored once when the same form is submitted twice concurrently", async () => {
    const drop = await newDrop();

    const outcomes = await race(2, () => answers.send(drop, answerOf("yes"), act, { formId: "form" }));

    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["repeated", "written"]);
    expect(await listed(drop.slug)).toHaveLength(1);
  });

  test("keep field names that JavaScript treats specially, and lists of values", async () => {
    const drop = await newDrop();
    const fields = [
      ["__proto__", "a"],
      ["constructor", ["b", ""]],
    ] as const;

    await answers.send(drop, answerOf("", { form: "__proto__", fields, path: "a/b.html" }), act);

    expect(await listed(drop.slug)).toMatchObject([{ form: "__proto__", fields, path: "a/b.html" }]);
    expect((await answers.last(drop.slug)).counts).toEqual([["__proto__", 1]]);
  });

  test("cannot be sent for a deleted drop", async () => {
    const drop = await newDrop();
    await account.api.succeed("delete-drop", { params: { slug: drop.slug } });

    expect(await answers.send(drop, answerOf("yes"), act)).toEqual({ kind: "missing" });
  });

  test("are counted by value for the named fields only", async () => {
    const drop = await newDrop();
    const send = (fields: NewAnswer["fields"], form = "vote") =>
      answers.send(drop, answerOf("", { fields, form }), act);
    await send([
      ["choice", "yes"],
      ["days", ["mon", "tue"]],
      ["why", "secret"],
    ]);
    await send([
      ["choice", "yes"],
      ["days", "tue"],
    ]);
    await send([["choice", "other form"]], "poll");

    const counts = await answerCounts.byChoice(drop.slug, "vote", {
      names: new Set(["choice", "days"]),
      nowMs: Date.now(),
    });

    expect(counts).toEqual(
      new Map([
        ["choice", new Map([["yes", 2]])],
        [
          "days",
          new Map([
            ["mon", 1],
            ["tue", 2],
          ]),
        ],
      ]),
    );
  });

  test("are listed with three queries, even if another form has 1,500 answers", {
    tags: "slow",
  }, async () => {
    const { ownerId, slug } = await newDrop();
    const puts = Array.from({ length: 1_502 }, (_, index) => {
      const form = index === 0 || index === 1_501 ? "vote" : "spam";
      const { isMany: _isMany, atMs: createdAtMs, ...sent } = answerOf("x".repeat(300), { form });
      const answer = { ...sent, slug, number: index + 1, createdAtMs };
      return toAnswerItem(answer, { ownerId, personHash: undefined, ttl: undefined });
    });
    await writeItems({ puts: [...puts, { ...keys.answers(slug), sequence: 1_502, counts: "[]" }] });
    const sends = vi.spyOn(dynamodb, "send");
    const takeQueries = () => {
      const queries = sends.mock.calls.filter(([command]) => command instanceof QueryCommand);
      sends.mockClear();
      return queries.length;
    };
    const nowMs = Date.now();

    const oldest = await answers.list(slug, { form: "vote", limit: 50, nowMs });
    const forList = takeQueries();
    const newest = await answers.listNewest(slug, { form: "vote", limit: 50, nowMs, isMatch: () => true });
    const forNewest = takeQueries();
    sends.mockRestore();

    expect(oldest).toMatchObject({
      answers: [{ number: 1 }, { number: 1_502 }],
      upTo: 1_502,
      hasMore: false,
    });
    expect(newest).toMatchObject({ answers: [{ number: 1_502 }, { number: 1 }], next: undefined });
    expect([forList, forNewest]).toEqual([3, 3]);
  });

  test("are deleted one by one or by form, and a person whose answer was deleted can answer again", async () => {
    const drop = await newDrop();
    await answers.send(drop, answerOf("yes", { person: "ada" }), act);
    await answers.send(drop, answerOf("yes", { person: "grace" }), act);
    await answers.send(drop, answerOf("yes", { form: "poll" }), act);

    expect(await answers.remove(drop, 1, act)).toBe(true);
    expect(await answers.remove(drop, 1, act)).toBe(false);
    expect(await answers.send(drop, answerOf("no", { person: "ada" }), act)).toMatchObject({
      answer: { number: 4 },
    });
    expect(await answers.removeAll(drop, "vote", act)).toBe(2);

    expect((await listed(drop.slug)).map(({ number }) => number)).toEqual([3]);
    expect((await answers.last(drop.slug)).counts).toEqual([["poll", 1]]);
    expect(await answers.removeAll(drop, undefined, act)).toBe(1);
    expect((await answers.last(drop.slug)).counts).toEqual([]);
  });

  test("to a full form are refused, except a change of one's own answer", {
    tags: "nightly",
  }, async () => {
    const drop = await newDrop();
    for (let sent = 0; sent < limits.answersPerFormMax; sent += 1)
      await answers.send(drop, answerOf("yes", { person: `p${sent}` }), act);

    await expect(answers.send(drop, answerOf("no", { person: "late" }), act)).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    expect(await answers.send(drop, answerOf("no", { person: "p1" }), act)).toMatchObject({ replaced: [2] });
    expect(await answers.removeAll(drop, "vote", act)).toBe(limits.answersPerFormMax);
  });
});
