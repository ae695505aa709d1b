import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { ThreadChannel } from "../src/cloudfront/thread-channel.ts";

const module = new URL("../src/cloudfront/thread-channel.ts", import.meta.url).href;

test("a thread that is woken for nothing goes on waiting: each question gets its own response", async () => {
  const channel = new ThreadChannel();
  const start = (code: string) =>
    new Worker(`import(${JSON.stringify(module)}).then(({ ThreadChannel }) => { ${code} })`, {
      eval: true,
      workerData: channel.memory,
      execArgv: [],
    });
  const memory = "require('node:worker_threads').workerData";
  const serving = start(`new ThreadChannel(${memory}).serve((question) => "response to " + question);`);
  // Whatever is waited for, somebody is told that it has come.
  const waking = start(`
    const numbers = new Int32Array(${memory}, 0, 4);
    for (;;) for (const index of numbers.keys()) Atomics.notify(numbers, index);`);
  expect(channel.isServed(60_000)).toBe(true);

  for (let number = 0; number < 2_000; number += 1) {
    expect(channel.ask(`question ${number}`, 60_000)).toBe(`response to question ${number}`);
  }

  await Promise.all([serving.terminate(), waking.terminate()]);
});
