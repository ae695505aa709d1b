import { expect } from "vitest";
import { defaultStyle } from "../../../functions/viewer/raw-response.ts";
import { expectError, expectErrorPage } from "../../support/expect-error.ts";
import type { ReceivedResponse } from "../../support/http.ts";
import { elementsOf, textOf } from "../../support/visitor.ts";
import type { Call, Observation } from "../call.ts";
import {
  type AccountState,
  type DropState,
  latestOf,
  type ShelfWords,
  shelfOf,
  type VersionState,
  withDrop,
} from "../state.ts";
import type { Rule } from "./rule.ts";
import { addressOf, dropAt, servedAt } from "./serving.ts";
import { isOpenToAll } from "./visibility-rule.ts";

/** GET /p/{slug} and /d/{slug}: only a GET that shows the page counts as a view. */
export const viewDrop: Rule = (state, { call, response }) => {
  const served = servedAt(state, call);
  if (served.kind === "redirected") return expectRedirect(state, { call, response });
  if (call.method === "HEAD") {
    expect([response.status, response.text]).toEqual([served.kind === "missing" ? 404 : 200, ""]);
    return state;
  }
  if (served.kind === "missing") expectErrorPage(response, 404);
  if (served.kind === "gate") expectGate(response, served.drop, 200);
  if (served.kind !== "version") return state;
  const { drop, version } = served;
  expectViewer(response, drop, version);
  expect(response.headers["x-robots-tag"]).toBe(drop.indexed ? undefined : "noindex");
  return withDrop(state, { ...drop, views: { from: drop.views.from, to: drop.views.to + 1 } });
};

/** GET /p/{slug}/raw: the edge may return a cached, outdated page for seconds. */
export const readRawPage: Rule = (state, { call: sent, response, sentAtMs }) => {
  const call = withoutNoVersion(sent);
  const served = servedAt(state, call);
  if (isLeftover(state, addressOf(call).pathname.split("/")[2], withoutStyle(response), sentAtMs))
    return state;
  if (served.kind === "redirected") return expectRedirect(state, { call, response });
  if (served.kind === "missing") expectErrorPage(response, 404);
  else if (served.kind === "gate") expectGate(response, served.drop, 200);
  else expect([response.status, withoutStyle(response)]).toEqual([200, served.version.html]);
  return state;
};

/** Removes an invalid version from the call, like the edge, which then serves the latest version. */
function withoutNoVersion(call: Call): Call {
  const url = addressOf(call);
  if (!/^[1-9]\d*$/.test(url.searchParams.get("v") ?? "")) url.searchParams.delete("v");
  return { ...call, address: url.href };
}

/** GET /p/{slug}/context */
export const readContext: Rule = (state, { call, response }) => {
  const served = servedAt(state, call);
  if (served.kind === "redirected") return expectRedirect(state, { call, response });
  if (served.kind === "gate") expectError(response, "forbidden");
  else if (served.kind === "missing" || served.version.context === undefined)
    expectError(response, "not_found");
  else expect([response.status, response.text]).toEqual([200, served.version.context]);
  return state;
};

/** GET /p/{slug}/state: a locked drop's state shows nothing more, even with the unlock cookie. */
export const readDropState: Rule = (state, { call, response }) => {
  const drop = dropAt(state, call);
  const isOpen = drop !== undefined && drop.passcode === undefined;
  expect([response.status, JSON.parse(response.text)]).toEqual([
    200,
    isOpen
      ? { state: "open", latest_version: latestOf(drop).version }
      : { state: drop === undefined ? "gone" : "locked" },
  ]);
  return state;
};

/** GET /b/{id} on the owner's host. Visitors in the model are not signed in. */
export const serveBlob: Rule = (state, { call, response, sentAtMs }) => {
  const { host, pathname } = addressOf(call);
  const id = pathname.split("/")[2];
  if (isLeftover(state, id, response.text, sentAtMs)) return state;
  const isOwners = host.startsWith(`${state.namespace}.`);
  const blob = isOwners ? state.blobs.find((one) => one.id === id) : undefined;
  const mayBeOnItsWay =
    blob?.opensByMs !== undefined && blob.opensByMs >= sentAtMs && response.status === 404;
  if (blob === undefined || !isOpenToAll(blob) || mayBeOnItsWay) {
    expectErrorPage(response, 404);
    return state;
  }
  const way = blob.contentType.startsWith("image/") ? "inline" : "attachment";
  expect([response.status, response.text, response.headers["content-disposition"]]).toEqual([
    200,
    blob.bytes,
    `${way}; filename="${blob.filename}"`,
  ]);
  return state;
};

/** GET / of an owner's host: titles of locked drops are hidden. The page may be a few seconds old. */
export const showOwnerPage: Rule = (state, { response, sentAtMs }) => {
  expect(response.status).toBe(200);
  const shown = new Map(
    elementsOf(response, "a").flatMap((link): [string, string][] => {
      const path = /\/([db]\/\w{7})$/.exec(link.attribs.href ?? "")?.[1];
      return path === undefined ? [] : [[path, textOf(link).trim()]];
    }),
  );
  const is = shelfOf(state);
  const leftovers = state.shelfLeftovers.filter(({ untilMs }) => untilMs >= sentAtMs);
  for (const path of new Set([...shown.keys(), ...is.keys()])) {
    const before = leftovers.filter((left) => left.path === path).map(({ words }) => words);
    expect([is.get(path), ...before], path).toContainEqual(wordsShown(shown.get(path)));
  }
  return state;
};

/** Converts a link's text to the model's, which has no title for a locked drop. */
function wordsShown(words: string | undefined): ShelfWords {
  return words?.startsWith("Locked page") ? null : words;
}

/** Checks the redirect of a locked drop from its owner's host to the same path on the base host. */
function expectRedirect(
  state: AccountState,
  { call, response }: Pick<Observation, "call" | "response">,
): AccountState {
  const { pathname, searchParams } = addressOf(call);
  const location = new URL(response.headers.location ?? "", call.address);
  expect([response.status, location.origin, location.pathname]).toEqual([303, state.baseUrl, pathname]);
  expect(location.searchParams.getAll("v")).toEqual(searchParams.getAll("v"));
  return state;
}

/** Checks the passcode form, which reveals nothing of the drop. */
export function expectGate(response: ReceivedResponse, { slug, title }: DropState, status: number): void {
  expect(response.status).toBe(status);
  const [form] = elementsOf(response, "form");
  expect(form?.attribs.action).toContain(`/p/${slug}/unlock`);
  expect(response.headers["cache-control"]).toContain("no-store");
  expect(response.text).not.toContain(`<h1 dir="auto">${title}`);
  expect(elementsOf(response, "iframe")).toEqual([]);
}

function expectViewer(response: ReceivedResponse, drop: DropState, shown: VersionState): void {
  expect(response.status).toBe(200);
  expect(elementsOf(response, "h1").map(textOf)).toEqual([drop.title]);
  expect(elementsOf(response, "iframe").map(({ attribs }) => attribs.src)).toEqual([
    `/p/${drop.slug}/raw?v=${shown.version}&framed=1`,
  ]);
  const latest = latestOf(drop).version;
  const picks = drop.versions.map(({ version }) => (version === latest ? "?" : `?v=${version}`));
  const links = elementsOf(response, "a").flatMap(({ attribs: { href } }) =>
    href?.startsWith("?") ? href : [],
  );
  // The picker omits some of very many versions.
  if (picks.length <= 16) expect(new Set(links)).toEqual(new Set(picks));
  expect(response.text.includes('id="context-toggle"')).toBe(shown.context !== undefined);
}

function withoutStyle({ text }: ReceivedResponse): string {
  return text.replace(defaultStyle, "");
}

/** Checks if a text was served before and may still be cached. */
function isLeftover(
  { leftovers }: AccountState,
  name: string | undefined,
  text: string,
  atMs: number,
): boolean {
  return leftovers.some((left) => left.name === name && left.text === text && left.untilMs >= atMs);
}

/** Returns the URL of a redirect. */
export function locationOf({ call, response }: Observation): URL {
  return new URL(response.headers.location ?? "", addressOf(call));
}
