import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { environmentNames } from "../../functions/core/environment.ts";
import type { RenderRequest } from "../../functions/renders/render-queue.ts";
import { keys } from "../../functions/table/keys.ts";
import { givenDrop } from "./items.ts";
import { streamEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

const invocations: { readonly name: string; readonly request: RenderRequest }[] = [];
let worker: RunningWorker;

beforeAll(async () => {
  // The tests' stack has no rendering, so its janitor's role cannot invoke a renderer.
  worker = await runWorker("janitor", { asAdministrator: true });
  worker.connectFunctions({
    functionNames: ["RenderPage"],
    invoke: () => Promise.reject(new Error("The invocation must be asynchronous.")),
    requireTenant: () => undefined,
    invokeLater: (name, event) => void invocations.push({ name, request: JSON.parse(event) }),
  });
});
afterAll(() => worker.stop());
beforeEach(() => {
  invocations.length = 0;
  process.env[environmentNames.renderPageFunction] = "RenderPage";
});

const versions = ["newaaaa", "newbbbb"].map((slug) => ({ after: givenDrop(slug).versionItem }));
const asked = { ...keys.render("askedaa", 3), state: "asked", atMs: 1, pictures: [], pageKey: "p" };

test("new versions and requested reports of a batch cause one invocation", async () => {
  const { batchItemFailures } = await worker.invoke(streamEvent(...versions, { after: asked }));

  expect(batchItemFailures).toEqual([]);
  expect(invocations).toEqual([
    {
      name: "RenderPage",
      request: {
        atMs: expect.any(Number),
        versions: [
          { slug: "newaaaa", version: 1, isAsked: false },
          { slug: "newbbbb", version: 1, isAsked: false },
          { slug: "askedaa", version: 3, isAsked: true },
        ],
      },
    },
  ]);
});

test("other changes of a render cause no invocation", async () => {
  const rendered = { ...asked, state: "rendered", folder: "askedaa/Folder0000000001" };

  await worker.invoke(streamEvent({ after: rendered }, { before: asked, after: rendered }));

  expect(invocations).toEqual([]);
});

test("the stream continues if Lambda cannot be reached", async () => {
  process.env[environmentNames.renderPageFunction] = "Another";
  const log = vi.spyOn(process.stdout, "write").mockReturnValue(true);

  const { batchItemFailures } = await worker.invoke(streamEvent(...versions));

  const lines = log.mock.calls.map(([line]) => String(line)).join("");
  log.mockRestore();
  expect(batchItemFailures).toEqual([]);
  expect(lines).toContain("versions-not-requested");
});
