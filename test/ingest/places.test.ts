import { describe, expect, test } from "vitest";
import { createSemaphore } from "../../functions/core/semaphore.ts";
import { createAccountSlots } from "../../functions/ingest/admission.ts";

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

describe("places that accounts share", () => {
  test("are never all one account's: what it sends beside waits, and another finds a place", async () => {
    const take = createAccountSlots({ count: 3, countPerAccount: 2, waitMsMax: 60 });
    const [release] = await Promise.all([take("ada"), take("ada")]);
    const third = take("ada");
    const fourth = take("ada");

    await expect(take("grace")).resolves.toBeTypeOf("function");
    release?.();
    release?.();

    await expect(third).resolves.toBeTypeOf("function");
    await expect(fourth).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  });

  test("are not lost to who waited in vain for one of all", async () => {
    const take = createAccountSlots({ count: 1, countPerAccount: 1, waitMsMax: 20 });
    const release = await take("ada");
    await expect(take("grace")).rejects.toMatchObject({ code: "unavailable" });

    release();

    await expect(take("grace")).resolves.toBeTypeOf("function");
  });
});
