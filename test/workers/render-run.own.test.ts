import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type {
  RenderRunOptions,
  processRenderQueue as WorkThroughRenders,
} from "../../functions/renders/render-page.ts";
import type { QueuedRender, renderQueue as RenderQueue } from "../../functions/renders/render-queue.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import type { deleteItems as DeleteItems } from "../../functions/table/table-writes.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
let renderQueue: typeof RenderQueue;
let processRenderQueue: typeof WorkThroughRenders;
let deleteItems: typeof DeleteItems;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  // The tests' stack has no rendering, so no role has the renderer's permissions.
  worker = await runWorker("janitor", { asAdministrator: true });
  ({ renderQueue } = await import("../../functions/renders/render-queue.ts"));
  ({ processRenderQueue } = await import("../../functions/renders/render-page.ts"));
  ({ deleteItems } = await import("../../functions/table/table-writes.ts"));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await worker.stop();
});
beforeEach(async () => {
  const waiting = await renderQueue.first(1_000);
  await deleteItems([...waiting.map(({ key }) => key), keys.lease("renders")]);
});

/**
 * Records the rendered versions and the maximum concurrency. Each rendering waits until `together` of them have started, because a busy
 * machine may start the next one after another ends.
 */
function rendering(fails: (slug: string) => boolean = () => false, together = 1) {
  const state = { atOnce: 0, atOnceMax: 0, slugs: [] as string[] };
  const render = async ({ slug }: QueuedRender) => {
    state.atOnce += 1;
    state.atOnceMax = Math.max(state.atOnceMax, state.atOnce);
    await new Promise((done) => setTimeout(done, 20));
    await vi.waitUntil(() => state.atOnceMax >= together, { timeout: 10_000 });
    state.atOnce -= 1;
    state.slugs.push(slug);
    if (fails(slug)) throw new Error("AWS refuses.");
  };
  return { state, render };
}

const run = (render: RenderRunOptions["render"], more: Partial<RenderRunOptions> = {}) =>
  processRenderQueue({ lanes: 1, endMs: Date.now() + 60_000, render, ...more });

const requested = (slugs: string[], { atMs = 1, isAsked = false } = {}) =>
  renderQueue.add({ atMs, versions: slugs.map((slug) => ({ slug, version: 1, isAsked })) });

/** Counts an attempt for the first version, like an execution that the version crashes. */
async function tryFirst(): Promise<void> {
  const [waiting] = await renderQueue.first(1);
  if (waiting === undefined) throw new Error("Nothing is waiting.");
  expect(await renderQueue.countAttempt(waiting)).toBe(true);
}

const isEmpty = async () => (await renderQueue.first(1)).length === 0;

test("versions are rendered one at a time, each once, whatever the number of executions", {
  tags: "slow",
}, async () => {
  const slugs = Array.from({ length: 12 }, (_, index) => `slug${100 + index}`);
  await requested(slugs);
  const { state, render } = rendering();

  await Promise.all([run(render), run(render), run(render)]);

  expect(state.slugs.toSorted()).toEqual(slugs);
  expect(state.atOnceMax).toBe(1);
  expect(await isEmpty()).toBe(true);
});

test("at most the allowed number of versions are rendered concurrently", async () => {
  const slugs = Array.from({ length: 9 }, (_, index) => `slug${100 + index}`);
  await requested(slugs);
  const { state, render } = rendering(undefined, 3);

  await run(render, { lanes: 3 });

  expect(state.slugs.toSorted()).toEqual(slugs);
  expect(state.atOnceMax).toBe(3);
});

test("owners' requests are rendered before publications, each in its order", async () => {
  await requested(["second1"], { atMs: 2 });
  await requested(["first11"], { atMs: 1 });
  await requested(["asked11"], { atMs: 3, isAsked: true });
  const { state, render } = rendering();

  await run(render);

  expect(state.slugs).toEqual(["asked11", "first11", "second1"]);
});

test("versions that arrive during the last rendering are rendered by the same execution", async () => {
  await requested(["before1"]);
  const { state, render } = rendering();
  const other = vi.fn();

  await run(async (version) => {
    if (version.slug === "before1") {
      await requested(["during1"]);
      // The version's own execution finds the lease taken and ends.
      await run(other);
    }
    await render(version);
  });

  expect(other).not.toHaveBeenCalled();
  expect(state.slugs).toEqual(["before1", "during1"]);
});

test("versions that arrive between the last check and the release of the lease are rendered", async () => {
  const { state, render } = rendering();
  await requested(["before1"]);
  const look = renderQueue.first;
  let hasCome = false;
  // The version arrives right after the check that finds an empty queue.
  const looking = vi.spyOn(renderQueue, "first").mockImplementation(async (count) => {
    const found = await look(count);
    if (found.length === 0 && !hasCome) {
      hasCome = true;
      await requested(["between"]);
      await run(() => Promise.reject(new Error("The lease is taken.")));
    }
    return found;
  });

  await run(render);

  looking.mockRestore();
  expect(state.slugs).toEqual(["before1", "between"]);
});

test("the next execution continues for a dead one when its lease expires, and not before", async () => {
  await requested(["waiting"]);
  const { state, render } = rendering();

  await worker.putItem({ ...keys.lease("renders"), holder: "dead", untilMs: Date.now() + 30_000 });
  await run(render);
  expect(state.slugs).toEqual([]);

  await worker.putItem({ ...keys.lease("renders"), holder: "dead", untilMs: Date.now() - 1 });
  await run(render);
  expect(state.slugs).toEqual(["waiting"]);
});

test("a version that fails delays no other, is retried, and is abandoned after the third time", async () => {
  await requested(["fails11", "works11"]);
  const { state, render } = rendering((slug) => slug === "fails11");

  await expect(run(render)).rejects.toThrow("AWS refuses.");
  expect(state.slugs).toEqual(["fails11", "works11"]);
  await expect(run(render)).rejects.toThrow("AWS refuses.");
  expect(await isEmpty()).toBe(false);
  await expect(run(render)).rejects.toThrow("AWS refuses.");

  expect(await isEmpty()).toBe(true);
  await run(render);
  expect(state.slugs).toEqual(["fails11", "works11", "fails11", "fails11"]);
});

test("a version that crashes its execution each time is abandoned, and the others are rendered", async () => {
  await requested(["deadly1", "works11"]);
  for (const _ of [1, 2, 3]) await tryFirst();
  const { state, render } = rendering();

  await run(render);

  expect(state.slugs).toEqual(["works11"]);
  expect(await isEmpty()).toBe(true);
});

test("after five failures in a run the rest waits for the next run", async () => {
  await requested(Array.from({ length: 8 }, (_, index) => `slug${100 + index}`));
  const { state, render } = rendering(() => true);

  await expect(run(render)).rejects.toThrow("AWS refuses.");

  expect(state.slugs).toHaveLength(5);
  expect(await renderQueue.first(10)).toHaveLength(8);
});

test("an execution out of time leaves the rest and fails, so that Lambda repeats the event", async () => {
  await requested(["left111"]);
  const { state, render } = rendering();

  await expect(run(render, { endMs: Date.now() - 1 })).rejects.toThrow("still has versions");

  expect(state.slugs).toEqual([]);
  const { pk, sk } = (await renderQueue.first(1))[0]?.key ?? { pk: "", sk: "" };
  expect(pk).toBe(ranges.waitingRenders().pk);
  expect(await worker.getItem({ pk, sk })).toMatchObject({ tries: 0 });
});

test("the same request twice is one entry with one count of attempts", async () => {
  await requested(["twice11"]);
  await tryFirst();

  await requested(["twice11"]);

  expect(await renderQueue.first(5)).toMatchObject([{ slug: "twice11", tries: 1 }]);
});
