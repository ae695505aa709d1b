import { sealFileKeys } from "../../functions/readers/file-key.ts";
import type { OperationId } from "../../functions/routes.ts";
import { silently } from "../../scripts/bench/calls/operation-caller.ts";
import { CookieJar } from "../support/cookie-jar.ts";
import { givenPass, givenTicket } from "./given-reader.ts";
import { givenBlob, givenDrop, passcode, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

const bestEffort = ["SendMessage"];

/** What visitors read. */
export const readerRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "view-drop": [
    { prepare: openDrop, bestEffort },
    { variant: "unlocked", prepare: unlockedDrop, bestEffort },
    { variant: "shared", prepare: async (world) => ({ call: await givenPass(world) }), bestEffort },
  ],
  "read-raw-page": [{ prepare: openDrop }, { variant: "unlocked", prepare: unlockedDrop }],
  "show-comparison": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { versions: 2 });
        return { call: { params: { slug } } };
      },
    },
  ],
  "read-context": [{ prepare: openDrop }, { variant: "unlocked", prepare: unlockedDrop }],
  "read-drop-state": [
    { prepare: async (world) => ({ call: { params: { slug: (await givenDrop(world)).slug } } }) },
  ],
  "unlock-drop": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { isLocked: true });
        return { call: unlocking(world, slug) };
      },
    },
  ],
  "enter-drop": [
    {
      variant: "out",
      prepare: async (world) => ({ call: { params: { slug: (await givenDrop(world)).slug } } }),
    },
    {
      variant: "back",
      prepare: async (world) => {
        const { slug, browser, back } = await givenTicket(world);
        return { call: { params: { slug }, browser, query: back } };
      },
    },
  ],
  "show-embedded-file": [
    {
      prepare: async (world) => {
        const { slug, reference } = await givenTicket(world);
        const { id, namespace } = await givenBlob(world, { kind: "people", readers: [] });
        const facts = { slug, session: reference, expiresAtMs: Date.now() + 60_000 };
        const [key = ""] = await sealFileKeys(facts, [{ namespace, id }]);
        const host = `${namespace}.${new URL(process.env.BASE_URL ?? "").host}`;
        return { call: { host, params: { id, key }, headers: { "sec-fetch-dest": "image" } } };
      },
    },
  ],
  "show-owner-page": [{ prepare: givenOwnersHost }],
  "read-oembed": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world);
        return { call: { query: { url: `${process.env.BASE_URL}/p/${slug}` } } };
      },
    },
  ],
  "show-owner-feed": [{ prepare: givenOwnersHost }],
};

async function givenOwnersHost(world: World) {
  const { namespace } = await givenDrop(world);
  const { host } = new URL(process.env.BASE_URL ?? "");
  return { call: { host: `${namespace}.${host}` } };
}

async function openDrop(world: World) {
  const { slug } = await givenDrop(world);
  return { call: { params: { slug }, query: { v: "1" } } };
}

async function unlockedDrop(world: World) {
  const { slug } = await givenDrop(world, { isLocked: true });
  const browser = new CookieJar();
  await silently("unlock-drop", "", { ...unlocking(world, slug), browser });
  return { call: { params: { slug }, browser } };
}

function unlocking({ address }: World, slug: string) {
  const headers = { "x-dropleaf-address": address };
  return { params: { slug }, headers, body: new URLSearchParams({ passcode }).toString() };
}
