import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { longMs } from "../support/patience.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { race } from "../support/race.ts";
import { openStores } from "./given-person.ts";

let account: Account;

beforeAll(async () => {
  await openStores();
  account = await newAccount("history");
});

/** Sends `count` answers from a child process, which is killed after `killAfterMs`. Returns the acknowledged lines. */
async function sendUntilKilled(place: readonly string[], count: number, killAfterMs: number | undefined) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "test/abuse/answer-sender.ts", ...place, String(count)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  const output = text(child.stdout);
  if (killAfterMs !== undefined) {
    await Promise.race([once(child.stdout, "data"), ended]);
    await sleep(killAfterMs);
    child.kill("SIGKILL");
  }
  await ended;
  // A line that was cut by the kill was not acknowledged.
  return (await output).split("\n").slice(0, -1);
}

const runs = [
  { answersSent: 60, senders: 4 },
  { answersSent: 2_000, senders: 10 },
];

for (const { cases, options } of slowAndNightly(runs, ({ answersSent }) => answersSent === 60))
  test.each(cases)(
    "each acknowledged one of $answersSent answers is stored once, even if some of the $senders senders are killed",
    { ...options, timeout: longMs },
    async ({ answersSent, senders }) => {
      const { slug } = await publish(account.api);
      const each = answersSent / senders;

      const acknowledged = (
        await race(senders, (index) =>
          sendUntilKilled(
            [account.userId, slug, `sender${index}`],
            each,
            index % 2 === 0 ? each * 10 * (index + 1) : undefined,
          ),
        )
      ).flat();

      const stored = (await answers.listAll(slug)).map(({ number, fields }) => `${number} ${fields[0]?.[1]}`);
      expect(acknowledged.length).toBeGreaterThanOrEqual(answersSent / 2);
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      expect(stored.map((line) => line.split(" ")[0])).toEqual(stored.map((_, index) => String(index + 1)));
      expect(new Set(stored.map((line) => line.split(" ")[1])).size).toBe(stored.length);
      expect(await answers.last(slug)).toMatchObject({
        last: stored.length,
        counts: [["vote", stored.length]],
      });
    },
  );
