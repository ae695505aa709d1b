/** Measures how requests slow down as the service's data grows, in a process of its own; the local cloud is in another. */
import "../page-asset-hooks.ts";
import { randomInt } from "node:crypto";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { environmentNames, readEnvironment } from "../../../functions/http/environment.ts";
import { limits } from "../../../functions/http/limits.ts";
import { accounts } from "../../../functions/identity/accounts.ts";
import { callOperation, silently } from "../calls/operation-caller.ts";
import { signIn } from "../calls/sign-in-walk.ts";
import { samplePage } from "../sample-page.ts";
import { type LoadRequest, runLoad } from "../throughput/load.ts";

/** Requests of one kind, at each size of what they are about. */
export interface GrowthRow {
  readonly request: string;
  readonly of: string;
  readonly sizes: readonly number[];
  readonly perSecond: number[];
}

const cell = { warmUpRequests: 60, requestsMax: 120 };
const address = readEnvironment(environmentNames.baseUrl);
const rows: GrowthRow[] = [];

await growDrops([1, 100, limits.dropsPerAccountMax]);
await growVersions([1, 50, limits.versionsPerDropMax]);
await growAccounts([1, 100, 1_000]);
process.send?.(rows, () => process.exit());

async function growDrops(sizes: readonly number[]): Promise<void> {
  const token = await signIn(silently, "drops");
  const publish = publisher("drops");
  let drop = await publish();
  for (let count = 1; count <= Math.max(...sizes); count += 1) {
    if (count > 1) drop = await publish();
    if (!sizes.includes(count)) continue;
    const ofDrops = (request: string, sent: LoadRequest) => add(request, "drops of the account", sizes, sent);
    await ofDrops("list: 20 of them", { method: "GET", path: "/api/drops", token });
    await ofDrops("list: 200 of them", { method: "GET", path: "/api/drops?pageSize=200", token });
    await ofDrops("get a drop", { method: "GET", path: `/api/drops/${drop.slug}`, token });
  }
}

async function growVersions(sizes: readonly number[]): Promise<void> {
  const { slug } = await publisher("versions")();
  let token = "";
  for (let count = 1; count <= Math.max(...sizes); count += 1) {
    // Write limits are a token's own.
    if (count % limits.writesPerMinutePerToken === 1) token = await signIn(silently, "versions");
    if (count > 1) await callOperation("publish-version", { token, params: { slug }, body: samplePage });
    if (!sizes.includes(count)) continue;
    const ofVersions = (request: string, sent: LoadRequest) =>
      add(request, "versions of the drop", sizes, sent);
    await ofVersions("viewer", { method: "GET", path: `/p/${slug}` });
    await ofVersions("list versions", { method: "GET", path: `/api/drops/${slug}/versions`, token });
    await ofVersions("get a drop", { method: "GET", path: `/api/drops/${slug}`, token });
  }
}

async function growAccounts(sizes: readonly number[]): Promise<void> {
  const token = await signIn(silently, "accounts");
  await publisher("accounts")();
  const act = { action: "complete-sign-in", actor: { kind: "visitor" }, requestId: "bench" } as const;
  for (let count = 1; count <= Math.max(...sizes); count += 1) {
    const identity = { provider: "https://id.example.com", id: String(count), username: `person-${count}` };
    if (count > 1) await accounts.findOrCreate(identity, randomInt, { ...act, atMs: Date.now() });
    if (!sizes.includes(count)) continue;
    const ofAccounts = (request: string, sent: LoadRequest) => add(request, "accounts", sizes, sent);
    await ofAccounts("list: the one there is", { method: "GET", path: "/api/drops", token });
    await ofAccounts("who am I", { method: "GET", path: "/api/me", token });
  }
}

/** Publishes a page of a person each time; write limits are a token's own. */
function publisher(username: string): () => Promise<DropResponse> {
  let token = "";
  let count = 0;
  return async () => {
    if (count++ % limits.writesPerMinutePerToken === 0) token = await signIn(silently, username);
    const { text } = await callOperation("publish-drop", { token, body: samplePage });
    return JSON.parse(text) as DropResponse;
  };
}

async function add(request: string, of: string, sizes: readonly number[], sent: LoadRequest): Promise<void> {
  const known = rows.find((row) => row.request === request && row.of === of);
  const row = known ?? { request, of, sizes, perSecond: [] };
  if (known === undefined) rows.push(row);
  row.perSecond.push(await measure(address, sent));
}

async function measure(at: string, sent: LoadRequest): Promise<number> {
  const load = { name: sent.path, expectedStatus: 200, requestAt: () => sent, ...cell };
  return (await runLoad(at, load)).perSecond;
}
