import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnswerListResponse } from "../../functions/answers/schemas.ts";
import { browserCookieName } from "../../functions/gate/gate-cookies.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage, unusedLoopbackAddress, useService } from "../support/http.ts";
import { longMs } from "../support/patience.ts";
import { race } from "../support/race.ts";
import { KilledService, operate } from "./kill-service.ts";
import { isConnectionLoss } from "./kill-writer.ts";

const html = '<form data-answers="vote"><input name="person"></form>';
/** Answers sent from one network address. The service accepts 600 in ten minutes. */
const perNetwork = 200;
const senderCount = 10;
const killWithinMs = 50;

let service: KilledService;
let owner: Account;

beforeAll(async () => {
  service = await KilledService.prepare();
  useService(service);
  await service.start();
  owner = await newAccount("asked");
}, longMs);

afterAll(() => service?.remove());

/** Repeats a call until the service responds, also across kills. */
async function callPatiently<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      await sleep(20);
    }
  }
}

/** Sends a person's answer until it is acknowledged, always with the same browser cookie. */
async function answerAs(slug: string, person: number, from: string): Promise<void> {
  const cookie = `${browserCookieName(slug)}=${randomBytes(16).toString("base64url")}`;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
    cookie,
  };
  const body = `person=${person}`;
  for (;;) {
    const address = new URL(`/p/${slug}/answers?form=vote`, baseUrl());
    const { status, text } = await callPatiently(() =>
      fetchPage(address, { method: "POST", headers, body, from }),
    );
    if (status === 200) return;
    expect(status, text).toBe(503);
  }
}

/** Reads answers by `since` until all are sent, as an agent does. Returns the numbers and persons in the order of reading. */
async function follow(slug: string, isOver: () => boolean) {
  const read: { readonly number: number; readonly person: unknown }[] = [];
  for (let since = 0, isLast = false; ; ) {
    const query = { since };
    const found: AnswerListResponse = await callPatiently(() =>
      owner.api.succeed("list-answers", { params: { slug }, query }),
    );
    read.push(...found.answers.map(({ number, fields }) => ({ number, person: fields.person })));
    since = found.next_since;
    if (isLast && !found.has_more) return read;
    isLast = isOver();
    await sleep(50);
  }
}

const answersSent = 2_000;
const kills = 6;

test(`of ${answersSent} concurrent answers, each acknowledged one is stored once after ${kills} kills of the service`, {
  tags: "nightly",
}, async () => {
  const { slug } = await publish(owner.api, { html, answers: "readers" });
  const persons = Array.from({ length: answersSent }, (_, index) => index);
  const networks = persons.map(unusedLoopbackAddress);
  let acknowledged = 0;
  const waiting = [...persons];

  const following = follow(slug, () => acknowledged === answersSent);
  const sending = race(senderCount, async () => {
    for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
      await answerAs(slug, person, networks[Math.floor(person / perNetwork)] ?? "");
      acknowledged += 1;
    }
  });
  for (let killed = 1; killed <= kills; killed += 1) {
    await expect
      .poll(() => acknowledged, { interval: 5, timeout: longMs })
      .toBeGreaterThan((answersSent * killed) / (kills + 1));
    await sleep(randomInt(killWithinMs));
    await service.kill();
    await service.start();
  }
  await sending;
  const read = await following;

  const stored = await follow(slug, () => true);
  const numbers = stored.map(({ number }) => number);
  expect(stored.map(({ person }) => Number(person)).sort((one, other) => one - other)).toEqual(persons);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(read).toEqual(expect.arrayContaining(stored));
  expect(new Set(read.map(({ number }) => number)).size).toBe(read.length);
  expect(await operate(service, "recount", "--all")).toMatchObject({
    exitCode: 0,
    stdout: "Accounts counted: 1.\n",
  });
});
