import { describe, expect, test } from "vitest";
import { createSemaphore } from "../../functions/core/semaphore.ts";
import { createAccountSlots } from "../../functions/ingest/admission.ts";

test("callers without a slot wait for the next free one, in the order of their arrival", async () => {
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

test("a caller who waits too long is asked to retry, and no slot is lost", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });

  release();
  await expect(places.take()).resolves.toBeTypeOf("function");
});

test("a slot that is released twice counts once", async () => {
  const places = createSemaphore(1, 20);
  const release = await places.take();
  release();
  release();

  await places.take();

  await expect(places.take()).rejects.toMatchObject({ code: "unavailable" });
});

describe("slots shared by accounts", () => {
  test("are never all taken by one account: its further requests wait, and another account gets a slot", async () => {
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

  test("are not lost when a caller's wait times out", async () => {
    const take = createAccountSlots({ count: 1, countPerAccount: 1, waitMsMax: 20 });
    const release = await take("ada");
    await expect(take("grace")).rejects.toMatchObject({ code: "unavailable" });

    release();

    await expect(take("grace")).resolves.toBeTypeOf("function");
  });
});
