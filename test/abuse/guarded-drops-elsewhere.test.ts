// @module-tag nightly

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { McpTool } from "../../functions/core/mcp-tool.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { appTools, mcpTools } from "../../functions/mcp/tools.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { givenRender } from "../support/given-render.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp, type McpClient } from "../support/mcp-client.ts";
import { withoutNonces } from "../support/nonces.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { sampleCall } from "../support/sample-calls.ts";
import { clientOf, type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { expire, setVisibility } from "./given-reader.ts";

// Every guard of a drop × every path except the page itself: cards, oEmbed, feeds, lists, search, operations and tools. Each path
// shows a drop to a stranger with a token only if the guard allows it, and otherwise responds like for an unused slug.

const missingSlug = "Missing";

/** Guards, with what a stranger with a token may still see of a guarded drop. */
const guards = {
  // If anyone may publish, public drops are listed on their owner's page only.
  public: { isOpen: true, isOnOwnerPage: true, isFound: false, guard: async () => {} },
  unlisted: {
    isOpen: true,
    isOnOwnerPage: false,
    isFound: false,
    guard: (drop) => setVisibility(drop, { kind: "unlisted" }),
  },
  // Anyone may publish here, so the stranger is a member, too.
  members: {
    isOpen: false,
    isOnOwnerPage: false,
    isFound: true,
    guard: (drop) => setVisibility(drop, { kind: "members" }),
  },
  people: {
    isOpen: false,
    isOnOwnerPage: false,
    isFound: false,
    guard: (drop) =>
      setVisibility(drop, { kind: "people", readers: [{ kind: "username", username: "grace" }] }),
  },
  locked: {
    isOpen: false,
    isOnOwnerPage: false,
    isFound: false,
    guard: async ({ slug }) =>
      void (await owner.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } })),
  },
  expired: { isOpen: false, isOnOwnerPage: false, isFound: false, guard: expire },
  trashed: {
    isOpen: false,
    isOnOwnerPage: false,
    isFound: false,
    guard: async ({ slug }) => void (await owner.api.succeed("delete-drop", { params: { slug } })),
  },
} as const satisfies Record<
  string,
  {
    readonly isOpen: boolean;
    readonly isOnOwnerPage: boolean;
    readonly isFound: boolean;
    readonly guard: (drop: Drop) => Promise<void>;
  }
>;
type Guard = keyof typeof guards;
const guardNames = Object.keys(guards) as Guard[];

let owner: GivenPerson;
let ownerHost: string;
let stranger: GivenPerson;
/** One client per token, because write limits are per token. */
let tools: readonly [McpClient, ...McpClient[]];
const given = {} as Record<Guard, Drop & { readonly word: string }>;

beforeAll(async () => {
  await openStores();
  [owner, stranger] = await Promise.all([givenPerson("guarded"), givenPerson("curious", 8)]);
  ownerHost = await addressOfOwner(owner.namespace);
  const connected = await Promise.all(stranger.clients.map(({ token }) => connectMcp(token)));
  tools = connected as [McpClient, ...McpClient[]];
  const drops = await givenDrops(owner, guardNames.length);
  for (const [index, name] of guardNames.entries()) {
    const drop = drops[index] as Drop;
    const word = `word${randomUUID().replaceAll("-", "")}`;
    const { slug } = await owner.api.succeed("edit-drop", {
      params: { slug: drop.slug },
      body: { title: `Given ${word}`, metadata: { guard: word } },
    });
    given[name] = { ...drop, word };
    await givenRender(drop);
    // Each path was requested through the edge while the drop was public.
    for (const way of Object.values(publicWays)) await way(slug);
    await guards[name].guard(drop);
  }
});

/** Paths that need no token. Each returns its response as text. */
const publicWays = {
  "its card": (slug: string) => say(`${ownerHost}/p/${slug}/raw?drawn=card`),
  "its pinned card": (slug: string) => say(`${ownerHost}/p/${slug}/raw?drawn=card&v=1`),
  "its pinned thumbnail on the base host": (slug: string) =>
    say(`${baseUrl()}/p/${slug}/raw?drawn=thumbnail&v=1`),
  "oEmbed with the owner's URL": (slug: string) => say(oembed(`${ownerHost}/p/${slug}`)),
  "oEmbed with the base host's URL": (slug: string) => say(oembed(`${baseUrl()}/d/${slug}?v=1`)),
  "oEmbed as XML": (slug: string) => say(`${oembed(`${ownerHost}/p/${slug}/raw`)}&format=xml`),
} satisfies Record<string, (slug: string) => Promise<string>>;

/** Lists of several drops, read after the guards are set. */
const publicLists = {
  "the owner's page": () => say(`${ownerHost}/`),
  "the owner's page as Markdown": () => say(`${ownerHost}/`, "text/markdown"),
  "the owner's feed": () => say(`${ownerHost}/feed`),
} satisfies Record<string, () => Promise<string>>;

const lists = {
  "the library": async ({ word }: { word: string }) =>
    JSON.stringify(await stranger.api.succeed("list-library", { query: { "metadata.guard": word } })),
  "a search for its title": async ({ word }: { word: string }) =>
    JSON.stringify(await stranger.api.succeed("search-drops", { query: { q: word } })),
  "the tool list_library": async ({ word }: { word: string }) =>
    JSON.stringify(await tools[0].succeed("list_library", { metadata: { guard: word } })),
  "the tool search_drops": async ({ word }: { word: string }) =>
    JSON.stringify(await tools[0].succeed("search_drops", { q: word })),
} satisfies Record<string, (drop: { word: string }) => Promise<string>>;

describe.each(guardNames)("a drop (%s)", (name) => {
  const { isOpen, isOnOwnerPage, isFound } = guards[name];

  test.each(Object.entries(publicWays))(
    "is visible to a stranger only if the guard allows it: %s",
    async (_, way) => {
      const { slug, word } = given[name];
      const ofMissing = (await way(missingSlug)).replaceAll(missingSlug, "slug");

      if (isOpen) return expect(await way(slug)).not.toBe(ofMissing);
      await vi.waitFor(async () => {
        const said = (await way(slug)).replaceAll(slug, "slug");
        expect(said).not.toContain(word);
        // A locked page has a passcode form and the neutral card.
        if (name !== "locked") expect(said).toBe(ofMissing);
      }, within(5));
    },
  );

  test.each(Object.entries(publicLists))(
    "is listed for a stranger only if the guard allows it: %s",
    async (_, list) => {
      const { slug, word } = given[name];

      await vi.waitFor(async () => {
        const said = await list();
        expect(said.includes(word)).toBe(isOnOwnerPage);
        // The owner's page lists a locked page without its title.
        if (name !== "locked") expect(said.includes(slug)).toBe(isOnOwnerPage);
      }, within(5));
    },
  );

  test.each(Object.entries(lists))(
    "is found by a stranger only if the guard allows it: %s",
    async (_, list) => {
      const drop = given[name];

      await vi.waitFor(async () => expect((await list(drop)).includes(drop.slug)).toBe(isFound), within(10));
    },
  );
});

/** Operations that only a drop's owner may call with its slug. */
const ownersOperations = operationIds.filter((id) => {
  const { path, caller } = routeOf(id);
  return caller === "token" && path.includes("{slug}");
});

test.each(ownersOperations)("%s does not reveal to a stranger that a guarded drop exists", async (id) => {
  const [missing, ...known] = await Promise.all(
    [missingSlug, ...guardNames.map((name) => given[name].slug)].map(async (slug, index) => {
      const { status, text } = await clientOf(stranger, index).call(id, sampleCall(id, { slug }));
      return `${status} ${text.replaceAll(slug, "slug")}`;
    }),
  );

  expect(missing).toMatch(/^40[04] /);
  for (const said of known) expect(said).toBe(missing);
});

const toolsForDrops = [...mcpTools, ...appTools].filter(({ operation }) =>
  ownersOperations.includes(operation),
);

test.each(toolsForDrops)(
  "the tool $name does not reveal to a stranger that a guarded drop exists",
  async (tool) => {
    const { body, query } = sampleCall(tool.operation);
    const { app }: McpTool = tool;
    const sent = Object.entries({ ...(query as object), ...(body as object) }).filter(
      ([name]) => typeof app !== "object" || app.arguments.includes(name),
    );
    const said = async (slug: string, index: number) => {
      const client = tools[index % tools.length] ?? tools[0];
      const { isError, content } = await client.call(tool.name, { ...Object.fromEntries(sent), slug });
      return JSON.stringify([isError, content]).replaceAll(slug, "slug");
    };

    const missing = await said(missingSlug, 0);

    expect(missing).toMatch(/^\[true/);
    for (const [index, name] of guardNames.entries())
      expect(await said(given[name].slug, index + 1)).toBe(missing);
  },
);

function oembed(address: string): string {
  return `${baseUrl()}/oembed?url=${encodeURIComponent(address)}`;
}

/** Fetches a URL and returns status, type and body of the response. */
async function say(address: string, accept = "*/*"): Promise<string> {
  const { status, headers, bytes } = await fetchPage(address, { headers: { accept } });
  return withoutNonces(`${status} ${headers["content-type"]} ${bytes.toString("latin1")}`);
}
