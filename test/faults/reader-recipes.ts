import { expect } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import { sealFileKeys } from "../../functions/blobs/embedded-files.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { CookieJar } from "../support/cookie-jar.ts";
import { givenAct } from "../support/given-act.ts";
import { callUnmeasured } from "../support/operation-caller.ts";
import { givenReader, givenRestrictedDrop } from "./given-reader.ts";
import { givenBlob, givenDrop, givenFolder, passcode, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";
import { pdfRecipes } from "./render-recipes.ts";

const bestEffort = ["SendMessage"];

/** Recipes of visitors' operations. */
export const readerRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "view-drop": [
    { prepare: openDrop, bestEffort },
    { variant: "unlocked", prepare: unlockedDrop, bestEffort },
    { variant: "shared", prepare: async (world) => ({ call: await givenRestricted(world) }), bestEffort },
  ],
  "read-raw-page": [{ prepare: openDrop }, { variant: "unlocked", prepare: unlockedDrop }],
  "read-folder-file": [
    {
      prepare: async (world) => ({
        call: { params: { slug: await givenFolder(world), path: "index.html" } },
      }),
    },
    {
      variant: "guarded",
      prepare: async (world) => {
        const slug = await givenFolder(world);
        await callUnmeasured("set-passcode", "", {
          token: world.token,
          params: { slug },
          body: { passcode },
        });
        const browser = new CookieJar();
        await callUnmeasured("unlock-drop", "", { ...unlocking(world, slug), browser });
        return { call: { params: { slug, path: "index.html" }, browser, expectedStatus: 302 } };
      },
    },
  ],
  "show-comparison": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { versions: 2 });
        return { call: { params: { slug } } };
      },
    },
  ],
  "show-feedback": [
    { prepare: async (world) => ({ call: await givenThread(world) }), bestEffort: ["PutObject page.txt"] },
  ],
  "send-feedback": [
    {
      variant: "begin",
      prepare: async (world) => {
        const call = await givenForm(world, { quote: "leaves", text: "One." });
        return { call, expectVisible: async () => expect(await textsOf(call)).toEqual([["One."]]) };
      },
    },
    {
      variant: "reply",
      prepare: async (world) => {
        const call = await givenForm(world, { thread: "1", text: "Two." });
        return { call, expectVisible: async () => expect(await textsOf(call)).toEqual([["One.", "Two."]]) };
      },
    },
  ],
  "send-answer": [
    {
      // The response sets the cookie that identifies the browser, so a retry without it stores another answer.
      mayRepeat: true,
      prepare: async (world) => {
        const call = await givenPoll(world);
        return {
          call: { ...call, body: "day=Friday" },
          expectVisible: async () => expect(await daysOf(call)).toContainEqual([["day", "Friday"]]),
        };
      },
    },
    {
      variant: "our own page",
      prepare: async (world) => {
        const call = await givenPoll(world);
        const headers = { ...call.headers, origin: process.env.BASE_URL ?? "" };
        const body = new URLSearchParams({ answer: "day=Friday", form: "once" }).toString();
        return {
          call: { ...call, headers, query: { ...call.query, as: "none" }, body },
          expectVisible: async () => expect(await daysOf(call)).toEqual([[["day", "Friday"]]]),
        };
      },
    },
  ],
  "read-answer-results": [{ prepare: async (world) => ({ call: await givenPoll(world) }) }],
  "read-pdf": pdfRecipes(false),
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
  "show-file": [
    {
      prepare: async (world) => {
        const { id, namespace } = await givenBlob(world, { kind: "members" });
        const { browser } = await givenReader(world);
        return { call: { params: { namespace, id }, browser } };
      },
    },
  ],
  "show-embedded-file": [
    {
      prepare: async (world) => {
        const { slug, reference } = await givenRestrictedDrop(world);
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
  await callUnmeasured("unlock-drop", "", { ...unlocking(world, slug), browser });
  return { call: { params: { slug }, browser } };
}

async function givenRestricted(world: World) {
  const { params, browser } = await givenRestrictedDrop(world);
  return { params, browser };
}

/** Creates a thread about a passage of another version, and returns a request of one of the drop's readers. */
async function givenThread(world: World) {
  const call = await givenRestricted(world);
  const author = { kind: "named", name: "Ada" } as const;
  const first = { author, text: "One.", quote: "leaves", version: 2, atMs: Date.now() };
  await feedback.begin({ ownerId: world.userId, slug: call.params.slug }, first, givenAct());
  return call;
}

const poll = `<form data-answers="vote"><input type="radio" name="day" value="Friday"></form>`;

/** Publishes a form whose answers are stored and whose counts are shown. */
async function givenPoll(world: World) {
  const { slug } = await givenDrop(world, { html: poll, takesAnswers: true });
  const headers = { accept: "application/json", "x-dropleaf-address": world.address };
  return { params: { slug }, query: { form: "vote" }, headers };
}

async function daysOf({ params: { slug } }: { readonly params: { readonly slug: string } }) {
  const { answers: found } = await answers.list(slug, { limit: 10, nowMs: Date.now() });
  return found.map(({ fields }) => fields);
}

/** Fills in a comment form: for a new thread, or for a reply. */
async function givenForm(world: World, typed: Readonly<Record<string, string>>) {
  const call = "thread" in typed ? await givenThread(world) : await givenRestricted(world);
  const { text } = await callUnmeasured("show-feedback", "", call);
  const [, proof = ""] = /name="proof" value="([^"]+)"/.exec(text) ?? [];
  const headers = { origin: process.env.BASE_URL ?? "", "x-dropleaf-address": world.address };
  return { ...call, headers, body: new URLSearchParams({ proof, form: "once", ...typed }).toString() };
}

async function textsOf({ params: { slug } }: { readonly params: { readonly slug: string } }) {
  return (await feedback.list(slug)).map(({ comments }) => comments.map(({ text }) => text));
}

function unlocking({ address }: World, slug: string) {
  const headers = { "x-dropleaf-address": address };
  return { params: { slug }, headers, body: new URLSearchParams({ passcode }).toString() };
}
