import fc from "fast-check";
import { type AccountState, ownerAddress } from "../state.ts";
import { type Intent, nameOf, slugOf, type Target, target } from "./intent.ts";

/** Hosts of a page request. The other owner's host never serves the page. */
const host = fc.constantFrom(
  "base" as const,
  "base" as const,
  "own" as const,
  "own" as const,
  "other" as const,
);
const version = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 5 },
  { arbitrary: fc.constantFrom("1", "2", "3"), weight: 4 },
  fc.constantFrom("0", "01", "x"),
);
const isReturning = fc.boolean();

let asked = 0;

interface PageRequest {
  readonly one: Target;
  readonly host: "base" | "own" | "other";
  readonly version: string | undefined;
  /** Sends the newest cookie for the drop on this host. */
  readonly isReturning: boolean;
}

const pageRequest: fc.Arbitrary<PageRequest> = fc.record({ one: target, host, version, isReturning });

const viewDrop = fc
  .tuple(pageRequest, fc.constantFrom("/p/", "/d/"), fc.integer({ min: 0, max: 5 }))
  .map(([request, prefix, dice]): Intent => {
    const method = dice === 0 ? "HEAD" : "GET";
    return {
      words: `${method} ${prefix} of ${say(request)}`,
      toCall: (state, other) => ({
        operation: "view-drop",
        method,
        ...addressed(request, state, other, (slug) => `${prefix}${slug}`),
      }),
    };
  });

/** Some requests have a unique parameter, to bypass the edge's cache. */
const readRawPage = fc.tuple(pageRequest, fc.boolean()).map(
  ([request, isFresh]): Intent => ({
    words: `raw page${isFresh ? ", past the edge's cache," : ""} of ${say(request)}`,
    toCall(state, other) {
      const { address, headers } = addressed(request, state, other, (slug) => `/p/${slug}/raw`);
      const url = new URL(address);
      asked += 1;
      if (isFresh) url.searchParams.set("fresh", String(asked));
      return { operation: "read-raw-page", address: url.href, headers };
    },
  }),
);

const readContext = pageRequest.map(
  (request): Intent => ({
    words: `context of ${say(request)}`,
    toCall: (state, other) => ({
      operation: "read-context",
      ...addressed(request, state, other, (slug) => `/p/${slug}/context`),
    }),
  }),
);

/** Requests the state like an open tab, with an invalid, unique key that bypasses the edge's cache. */
const readDropState = pageRequest.map(
  (request): Intent => ({
    words: `state of ${say({ ...request, version: undefined })}`,
    toCall(state, other) {
      const { address, headers } = addressed(request, state, other, (slug) => `/p/${slug}/state`);
      asked += 1;
      const url = new URL(`?key=${String(asked).padStart(43, "k")}`, address);
      return { operation: "read-drop-state", address: url.href, headers };
    },
  }),
);

const unlockDrop = fc
  .tuple(
    pageRequest,
    fc.oneof({ arbitrary: fc.constant("right" as const), weight: 3 }, fc.constant("wrong" as const)),
  )
  .map(([sent, guess]): Intent => {
    const request = { ...sent, version: /^[1-9]$/.test(sent.version ?? "") ? sent.version : undefined };
    return {
      words: `the ${guess} passcode at the gate of ${say(request)}`,
      toCall(state, other) {
        const slug = slugOf(request.one, state, other);
        const passcode = state.drops.find((drop) => drop.slug === slug)?.passcode ?? "none";
        const unpinned = { ...request, version: undefined };
        const { address, headers } = addressed(unpinned, state, other, (found) => `/p/${found}/unlock`);
        const url = new URL(address);
        if (request.version !== undefined)
          url.searchParams.set("to", `${url.pathname.replace("/unlock", "")}?v=${request.version}`);
        return {
          operation: "unlock-drop",
          method: "POST",
          address: url.href,
          headers,
          text: new URLSearchParams({ passcode: guess === "right" ? passcode : "not it" }).toString(),
        };
      },
    };
  });

const showOwnerPage = fc.constant<Intent>({
  words: "owner's page",
  toCall: (state) => ({ operation: "show-owner-page", address: `${ownerAddress(state)}/` }),
});

function addressed(
  request: PageRequest,
  state: AccountState,
  other: AccountState,
  pathOf: (slug: string) => string,
): { readonly address: string; readonly headers: Readonly<Record<string, string>> } {
  // The model of this account does not know the other account's current drops.
  const isOthers = request.one.whose === "other" && request.host !== "own";
  const slug = slugOf(isOthers ? { ...request.one, whose: "unknown" } : request.one, state, other);
  const bases = { base: state.baseUrl, own: ownerAddress(state), other: ownerAddress(other) };
  const url = new URL(pathOf(slug), bases[request.host]);
  if (request.version !== undefined) url.searchParams.set("v", request.version);
  const isFor = (cookie: AccountState["cookies"][number]) => cookie.slug === slug && cookie.host === url.host;
  const pair = request.isReturning ? state.cookies.findLast(isFor)?.pair : undefined;
  return { address: url.href, headers: pair === undefined ? {} : { cookie: pair } };
}

function say({ one, host: where, version: wanted, isReturning: comesBack }: PageRequest): string {
  const pin = wanted === undefined ? "" : ` with ?v=${wanted}`;
  return `${nameOf("drop", one)} on the ${where} host${pin}${comesBack ? ", with the cookie" : ""}`;
}

/** Intents of visitors. */
export const pageIntents = {
  viewDrop,
  readRawPage,
  readContext,
  readDropState,
  unlockDrop,
  showOwnerPage,
} as const;
