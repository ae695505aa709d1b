import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toViewMessage } from "../../functions/drops/view-counts.ts";
import { keys } from "../../functions/table/keys.ts";
import { givenDrop, ownerId } from "./items.ts";
import { queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await runWorker("count-views");
});
afterAll(() => worker.stop());

const view = (slug: string) => toViewMessage({ ownerId, slug });
const countOf = async (slug: string) => (await worker.getItem(keys.views(ownerId, slug)))?.viewCount;

describe("views", () => {
  test("are counted for each drop, in addition to earlier views", async () => {
    await worker.putItem(givenDrop("dropone").dropItem);
    await worker.putItem(givenDrop("droptwo").dropItem);

    const first = await worker.invoke(queueEvent(view("dropone"), view("droptwo"), view("dropone")));
    await worker.invoke(queueEvent(...Array.from({ length: 1000 }, () => view("dropone"))));

    expect(first.batchItemFailures).toEqual([]);
    expect(await countOf("dropone")).toBe(1002);
    expect(await countOf("droptwo")).toBe(1);
  });

  test("of a deleted drop are not stored", async () => {
    const response = await worker.invoke(queueEvent(view("dropout")));

    expect(response.batchItemFailures).toEqual([]);
    expect(await countOf("dropout")).toBeUndefined();
  });

  test("of a transferred drop are counted at its new account, earlier views included", async () => {
    const { dropItem } = givenDrop("dropmov");
    const heirId = "Heir000000000001";
    await worker.putItem({
      ...keys.pointer("dropmov"),
      ownerId: heirId,
      namespace: "owner",
      transferCount: 1,
    });
    await worker.putItem({ ...dropItem, ...keys.drop(heirId, "dropmov") });
    await worker.putItem({ ...keys.views(heirId, "dropmov"), viewCount: 5 });
    await worker.putItem({ ...keys.views(ownerId, "dropmov"), viewCount: 2 });

    const response = await worker.invoke(queueEvent(view("dropmov"), view("dropmov")));

    expect(response.batchItemFailures).toEqual([]);
    expect(await countOf("dropmov")).toBeUndefined();
    expect((await worker.getItem(keys.views(heirId, "dropmov")))?.viewCount).toBe(9);
  });

  test("of a drop that its new owner has deleted are not stored", async () => {
    await worker.putItem({ ...keys.pointer("dropgon"), ownerId: "Heir000000000001", transferCount: 1 });

    await worker.invoke(queueEvent(view("dropgon")));

    expect(await countOf("dropgon")).toBeUndefined();
    expect(await worker.getItem(keys.views("Heir000000000001", "dropgon"))).toBeUndefined();
  });

  test("that are frequent are sampled later, with a level in the slug's pointer", async () => {
    const slug = "dropbsy";
    const pointer = async () => await worker.getItem(keys.pointer(slug));
    const views = (count: number) => queueEvent(...Array.from({ length: count }, () => view(slug)));
    await worker.putItem(givenDrop(slug).dropItem);
    await worker.putItem({ ...keys.pointer(slug), ownerId, namespace: "owner" });

    await worker.invoke(views(1_000));
    expect(await pointer()).not.toHaveProperty("viewSampling");
    const startedAtMs = Date.now();
    await expect
      .poll(async () => {
        await worker.invoke(views(1_000));
        return pointer();
      })
      .toMatchObject({ viewSampling: { level: expect.any(Number) }, ownerId });

    expect((await pointer())?.viewSampling).toMatchObject({
      untilMs: expect.toSatisfy((atMs) => atMs > startedAtMs + 20_000),
    });
  });

  test("are counted with the number in their message", async () => {
    await worker.putItem(givenDrop("dropsix").dropItem);

    await worker.invoke(
      queueEvent(toViewMessage({ ownerId, slug: "dropsix", views: 64 }), view("dropsix"), view("dropsix")),
    );

    expect(await countOf("dropsix")).toBe(66);
  });

  test("do not change the drop's item", async () => {
    const { dropItem } = givenDrop("dropten");
    await worker.putItem(dropItem);

    await worker.invoke(queueEvent(view("dropten")));

    expect(await worker.getItem(dropItem)).toEqual({ description: null, ...dropItem });
  });
});

test("invalid messages are returned to the queue, and the others are counted", async () => {
  await worker.putItem(givenDrop("dropnew").dropItem);

  const response = await worker.invoke(queueEvent("{", view("dropnew"), "{}", "{", view("dropnew")));

  expect(response.batchItemFailures).toEqual([
    { itemIdentifier: "m0" },
    { itemIdentifier: "m2" },
    { itemIdentifier: "m3" },
  ]);
  expect(await countOf("dropnew")).toBe(2);
});
