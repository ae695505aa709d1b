import { expect } from "vitest";
import { environmentNames } from "../../functions/core/environment.ts";
import { putRender } from "../../functions/renders/render-objects.ts";
import type { RenderResponse } from "../../functions/renders/schemas.ts";
import { renders, requestedAgainAfterMs } from "../../functions/renders/store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { publishedAgo } from "../renders/published-ago.ts";
import { givenDrop, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** Turns rendering on, which is off in the run's service. */
function renderPages(): void {
  process.env[environmentNames.renders] = "1";
}

async function givenRender(world: World): Promise<string> {
  const { slug, latest } = await givenDrop(world);
  const weight = { pageBytes: 1, fileBytes: 0, requests: 0 };
  const stored = await putRender(`${slug}/Rendered00000001`, { report: { views: [], weight }, pictures: {} });
  const { version, pageKey } = latest;
  const atMs = Date.now();
  await renders.settle({ slug, version, pageKey, ...stored, state: "rendered", atMs, milliseconds: 1 });
  return slug;
}

async function givenPdf(world: World): Promise<string> {
  const { slug, latest } = await givenDrop(world);
  const pdf = Buffer.from("%PDF-").toString("base64");
  const stored = await putRender(`${slug}/Rendered00000001`, { pictures: {}, pdf });
  const { version, pageKey } = latest;
  const about = { slug, version, pageKey, atMs: Date.now(), milliseconds: 1 };
  await renders.settle({ ...about, ...stored, state: "rendered", extent: "pdf" });
  return slug;
}

/** Recipes of an operation that returns a PDF, for its owner or a reader. */
export const pdfRecipes = (isOwner: boolean): readonly Recipe[] => {
  const callerOf = ({ token }: World) => (isOwner ? { token } : {});
  return [
    {
      prepare: async (world) => {
        renderPages();
        return {
          call: { ...callerOf(world), params: { slug: await givenPdf(world) } },
          expectVisible: async ({ text }) => expect(text).toBe("%PDF-"),
        };
      },
    },
    {
      variant: "not requested before",
      mayRepeat: true,
      prepare: async (world) => {
        renderPages();
        const { slug } = await givenDrop(world);
        return {
          call: { ...callerOf(world), params: { slug } },
          expectVisible: async () =>
            expect(await renders.find(slug, 1, "pdf")).toMatchObject({ state: "asked", extent: "pdf" }),
        };
      },
    },
  ];
};

/** Recipes of render operations. */
export const renderRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "get-pdf": pdfRecipes(true),
  "get-render": [
    {
      prepare: async (world) => {
        renderPages();
        return {
          call: { token: world.token, params: { slug: await givenRender(world) } },
          expectVisible: async ({ text }) => {
            expect(JSON.parse(text) as RenderResponse).toMatchObject({ state: "rendered", findings: [] });
          },
        };
      },
    },
    {
      variant: "not requested before",
      mayRepeat: true,
      prepare: async (world) => {
        renderPages();
        const { slug } = await givenDrop(world);
        await publishedAgo(slug, 1, 24 * 60 * 60 * 1000);
        return {
          call: { token: world.token, params: { slug } },
          expectVisible: async ({ text }) => {
            expect(JSON.parse(text) as RenderResponse).toMatchObject({ state: "asked" });
            const { state, atMs } = (await renders.find(slug, 1)) ?? {};
            expect([state, Date.now() < (atMs ?? 0) + requestedAgainAfterMs]).toEqual(["asked", true]);
          },
        };
      },
    },
  ],
};
