import { describe, expect, test } from "vitest";
import { createSemaphore } from "../../functions/core/semaphore.ts";
import { createAccountSlots } from "../../functions/ingest/admission.ts";

test("callers without a place get the next free one, first come, first served", async () => {
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

test("a caller who waits too long is asked to retry, and no place is lost", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });

  release();
  await expect(places.take()).resolves.toBeTypeOf("function");
});

test("a place that is released twice counts once", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();
  release();
  release();

  await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable" });
});

describe("places shared by accounts", () => {
  test("are never all one account's: its further requests wait, and another account gets a place", async () => {
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

  test("are not lost to a caller who waited in vain for a shared one", async () => {
    const take = createAccountSlots({ count: 1, countPerAccount: 1, waitMsMax: 20 });
    const release = await take("ada");
    await expect(take("grace")).rejects.toMatchObject({ code: "unavailable" });

    release();

    await expect(take("grace")).resolves.toBeTypeOf("function");
  });
});
