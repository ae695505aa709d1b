import { expect, test } from "vitest";
import { createSemaphore } from "../../functions/platform/semaphore.ts";

test("who finds no place gets the first that becomes free, in the order in which they came", async () => {
  const places = createSemaphore(1, 1_000);
  const entered: string[] = [];
  const release = await places.take();
  const first = places.take().then((done) => {
    entered.push("first");
    done();
  });
  const second = places.take().then(() => entered.push("second"));

  expect(entered).toEqual([]);
  release();
  await Promise.all([first, second]);

  expect(entered).toEqual(["first", "second"]);
});

test("who waits too long is told to come again, and no place is lost to them", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });

  release();
  await expect(places.take()).resolves.toBeTypeOf("function");
});

test("a place that is given back twice is one place", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();
  release();
  release();

  await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable" });
});
