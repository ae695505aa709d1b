// @module-tag nightly

import { beforeAll, expect, test, vi } from "vitest";
import { drops } from "../../functions/drops/store.ts";
import { type Account, newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { comparable } from "../support/comparable-response.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, type ReceivedResponse } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { openSignedIn, sendForm } from "../support/own-pages.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { longMs } from "../support/patience.ts";
import { within } from "../support/promised-time.ts";
import { offeredSignIn } from "../support/reader.ts";
import { continueToProvider, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { chooseAccount, teamToken } from "../support/team-sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { openStores } from "./given-person.ts";
import { expire } from "./given-reader.ts";

// Role × visibility × path, for the drops of a team. readers-matrix.test.ts covers those of a person.

const run = unusedUsername("team");
const [readers, editors] = [`readers-${run}`, `editors-${run}`];
const named = unusedUsername("named");

const kinds = {
  public: { visibility: "public" },
  unlisted: { visibility: "unlisted" },
  members: { visibility: "members" },
  people: { visibility: "people", readers: [named] },
  group: { visibility: "people", readers: [`group:${readers}`] },
  "nobody else": { visibility: "people", readers: ["nobody@example.com"] },
  locked: { visibility: "members", passcode: "open sesame" },
  expired: { visibility: "public" },
  trashed: { visibility: "members" },
} as const;

type Kind = keyof typeof kinds;
const everything = Object.keys(kinds) as Kind[];
const open: readonly Kind[] = ["public", "unlisted"];
const present = everything.filter((kind) => kind !== "expired" && kind !== "trashed");
const unlocked = present.filter((kind) => kind !== "locked");

/** A person's browser and API client, if they have one. */
interface Who {
  readonly visitor?: Visitor;
  readonly api?: ApiClient;
}

let namespace: string;
let slugs: Record<Kind, string>;
/** Paths of a file and a folder that only team members may read. */
let kept: readonly string[];
/** People by the name of their role. */
let who: Readonly<Record<string, Who>>;

const whoIs = (role: string) => who[role] as Required<Who>;
const titleOf = (kind: Kind) => `Quokka ${kind} of ${run}`;

beforeAll(async () => {
  await openStores();
  const ada = await newAccount("ada");
  const leaver = await newAccount("leaver");
  ({ namespace } = await newTeam(ada, { editors: [`group:${editors}`, leaver.username] }));
  const params = { namespace };
  const owner = await teamToken(ada.username, namespace);
  slugs = await givenDrops(owner);
  const forTeam = { visibility: "people", readers: "nobody@example.com" };
  const text = "For only the team.";
  const { id } = await owner.succeed("upload-blob", { query: { filename: "a.txt", ...forTeam }, text });
  const folder = await publishFolder(owner, { "index.html": pageOf(text), "words.txt": text }, forTeam);
  const inFolder = `/p/${folder.slug}/raw/`;
  kept = [`/files/${namespace}/${id}`, inFolder, `${inFolder}words.txt`];
  const editor = { username: unusedUsername("editor"), groups: editors };
  const service = await ada.api.succeed("create-team-token", { params, body: { label: "Nightly" } });
  who = {
    anyone: { visitor: new Visitor() },
    "a member outside of the team": await asThemselves(await newAccount("member")),
    "a reader named in a drop": await signedIn({ username: named }),
    "a reader of a group": await signedIn({ username: unusedUsername("grouped"), groups: readers }),
    "an owner as themselves": await asThemselves(ada),
    "an owner for the team": { api: owner, visitor: await switched(ada.username) },
    "an editor as themselves": await signedIn(editor),
    "an editor for the team": await signedIn(editor, namespace),
    "a former member as themselves": await asThemselves(leaver),
    "a former member for the team": {
      api: await teamToken(leaver.username, namespace),
      visitor: await switched(leaver.username),
    },
    "a service token": { api: new ApiClient(service.api_token) },
  };
  await ada.api.succeed("remove-team-role", { params: { namespace, reader: leaver.username } });
  // The library shows a drop within 5 seconds.
  await vi.waitFor(async () => {
    const { drops: listed } = await owner.succeed("list-library", { query: { pageSize: 200 } });
    expect(listed.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(present.map((kind) => slugs[kind])),
    );
  }, within(5));
}, longMs);

/** Publishes a drop of each kind for the team. */
async function givenDrops(api: ApiClient): Promise<Record<Kind, string>> {
  const given: [Kind, string][] = [];
  for (const kind of everything) {
    const title = titleOf(kind);
    const fields = { title, html: pageOf(title), context: title, feedback: "readers", ...kinds[kind] };
    given.push([kind, (await publish(api, fields)).slug]);
  }
  const bySlug = Object.fromEntries(given) as Record<Kind, string>;
  const { user_id: ownerId } = await api.succeed("get-me");
  const expired = await drops.find(ownerId, bySlug.expired);
  if (expired !== undefined) await expire(expired);
  await api.succeed("delete-drop", { params: { slug: bySlug.trashed } });
  return bySlug;
}

async function asThemselves({ username, api }: Account): Promise<Who> {
  const visitor = new Visitor();
  await openSignedIn("/account", username, visitor);
  return { visitor, api };
}

/** Returns the browser of a person who has switched to the team's account. */
async function switched(username: string, visitor = new Visitor()): Promise<Visitor> {
  const page = await openSignedIn("/account", username, visitor);
  await sendForm(visitor, page, "/account/switch", { account: namespace });
  return visitor;
}

/** Signs in a browser and an agent of a person with the given identity. */
async function signedIn(facts: Readonly<Record<string, string>>, account = ""): Promise<Who> {
  const [visitor, agents] = [new Visitor(), new Visitor()];
  const start = await startSignIn();
  const back = await agents.submit(await continueToProvider(agents, start), facts);
  if (back.response.text.includes("/login/account")) await chooseAccount(agents, back, account);
  const { api_token: token } = await pollSignIn(start.poll_token);
  const missing = await visitor.open("/p/0000000");
  await visitor.submit(await visitor.open(offeredSignIn(missing)), facts);
  if (account !== "") await sendForm(visitor, await visitor.open("/account"), "/account/switch", { account });
  return { visitor, api: new ApiClient(token) };
}

/** A request whose response is searched for a drop's title. */
type Way = (person: Required<Who>, slug: string) => Promise<ReceivedResponse>;

const opened =
  (toAddress: (slug: string) => string): Way =>
  async ({ visitor }, slug) =>
    (await visitor.open(toAddress(slug))).response;

const atOwner =
  (path: string): Way =>
  async ({ visitor }) =>
    (await visitor.open((await addressOfOwner(namespace)) + path)).response;

/** Pages of a drop, which look missing to anyone without access. */
const reading = {
  viewer: opened((slug) => `/p/${slug}`),
  version: opened((slug) => `/p/${slug}?v=1`),
  raw: opened((slug) => `/p/${slug}/raw`),
  context: opened((slug) => `/p/${slug}/context`),
  comments: opened((slug) => `/p/${slug}/feedback`),
} satisfies Record<string, Way>;

const pages = {
  ...reading,
  oembed: opened((slug) => `/oembed?${new URLSearchParams({ url: `${baseUrl()}/p/${slug}` })}`),
  "owner's page": atOwner("/"),
  feed: atOwner("/feed"),
  library: opened(() => "/library?pageSize=200"),
  "own pages": opened(() => "/account"),
  "own page": opened((slug) => `/account/drops/${slug}`),
  trash: opened(() => "/account/trash"),
} satisfies Record<string, Way>;

const calls = {
  get: ({ api }, slug) => api.call("get-drop", { params: { slug } }),
  html: ({ api }, slug) => api.call("read-html", { params: { slug } }),
  list: ({ api }) => api.call("list-drops", { query: { pageSize: 200 } }),
  library: ({ api }) => api.call("list-library", { query: { pageSize: 200 } }),
  search: ({ api }) => api.call("search-drops", { query: { q: `quokka ${run}` } }),
  trash: ({ api }) => api.call("list-trash"),
} satisfies Record<string, Way>;

/** Kinds of drops that each way shows. A way that is not listed shows none. */
type Seen = Partial<Record<keyof typeof pages | keyof typeof calls, readonly Kind[]>>;

async function seenBy(ways: Readonly<Record<string, Way>>, person: Who): Promise<Seen> {
  const seen: Record<string, Kind[]> = {};
  for (const [name, way] of Object.entries(ways)) {
    for (const kind of everything) {
      const { text } = await way(person as Required<Who>, slugs[kind]);
      if (text.includes(titleOf(kind))) seen[name] = [...(seen[name] ?? []), kind];
    }
  }
  return seen;
}

/** Expected result of a role that reads these kinds of drops, including the pages that anyone may read. */
const read = (...kindsRead: readonly Kind[]): Seen => ({
  ...Object.fromEntries(Object.keys(reading).map((way) => [way, kindsRead])),
  oembed: open,
  "owner's page": ["public"],
  feed: ["public"],
});
const found = (...kindsFound: readonly Kind[]) => ({ library: kindsFound, search: kindsFound });
// The owner of an expired drop can change its expiry on its page.
const owned = { "own page": [...present, "expired"] } as const;
const managed = { "own pages": [...present, "expired"], trash: ["trashed"] } as const;
const asTeam = { get: present, html: present, list: present, trash: ["trashed"] } as const;

const roles: readonly (readonly [role: string, pages: Seen, calls: Seen])[] = [
  ["anyone", read(...open), {}],
  ["a member outside of the team", { ...read(...open, "members"), library: ["members"] }, found("members")],
  [
    "a reader named in a drop",
    { ...read(...open, "members", "people"), library: ["members", "people"] },
    found("members", "people"),
  ],
  [
    "a reader of a group",
    { ...read(...open, "members", "group"), library: ["members", "group"] },
    found("members", "group"),
  ],
  ["an owner as themselves", { ...read(...unlocked), ...owned, library: present }, found(...present)],
  [
    "an owner for the team",
    { ...read(...unlocked), ...owned, ...managed, library: present },
    { ...asTeam, ...found(...present) },
  ],
  ["an editor as themselves", { ...read(...unlocked), ...owned, library: present }, found(...present)],
  [
    "an editor for the team",
    { ...read(...unlocked), ...owned, ...managed, library: present },
    { ...asTeam, ...found(...present) },
  ],
  ["a former member as themselves", { ...read(...open, "members"), library: ["members"] }, found("members")],
  ["a former member for the team", { ...read(...open, "members"), library: ["members"] }, {}],
  ["a service token", {}, { ...asTeam, ...found(...present) }],
];

const inBrowsers = roles.filter(([role]) => role !== "a service token");

test.each(roles)(
  "%s sees exactly the team's drops and paths they have access to",
  async (role, shown, listed) => {
    const { visitor, api } = whoIs(role);

    const byPage = visitor === undefined ? {} : await seenBy(pages, { visitor });
    const byCall = api === undefined ? {} : await seenBy(calls, { api });

    expect(byPage).toEqual(shown);
    expect(byCall).toEqual(listed);
  },
);

test.each(inBrowsers)(
  "to %s a restricted drop of a team looks exactly like a missing one",
  async (role, shown) => {
    for (const [name, way] of Object.entries(reading)) {
      const of = async (slug: string) => comparable(await way(whoIs(role), slug), slug);
      const missing = await of("0000000");
      const hidden = everything.filter((kind) => !shown.viewer?.includes(kind) && !isGate(kind, shown));
      for (const kind of hidden) expect([name, kind, await of(slugs[kind])]).toEqual([name, kind, missing]);
    }
  },
);

/** Recognizes a locked drop whose passcode form the reader sees. */
function isGate(kind: Kind, { viewer }: Seen): boolean {
  return kind === "locked" && viewer?.includes("members") === true;
}

test.each(roles.filter(([, , listed]) => listed.library !== undefined))(
  "%s sees the same drops with MCP tools",
  async (role, _, listed) => {
    const client = await connectMcp(whoIs(role).api.token);

    for (const kind of everything) {
      const result = JSON.stringify(await client.call("get_drop", { slug: slugs[kind] }));
      expect([kind, result.includes(titleOf(kind))]).toEqual([kind, listed.get?.includes(kind) ?? false]);
    }
    const searched = JSON.stringify(await client.call("search_drops", { q: `quokka ${run}` }));
    expect(everything.filter((kind) => searched.includes(titleOf(kind)))).toEqual(listed.search);
  },
);

test.each(inBrowsers)(
  "%s can open the team's restricted file and folder only as a member of the team",
  async (role) => {
    const { visitor } = whoIs(role);
    const isTheirs = /^an (owner|editor)/.test(role);

    for (const path of kept) {
      const { status, text } = (await visitor.open(path)).response;
      expect([path, status, text.includes("only the team")]).toEqual([path, isTheirs ? 200 : 404, isTheirs]);
    }
  },
);
