import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { limits } from "../../../functions/platform/limits.ts";
import { samplePage } from "../sample-page.ts";
import { connections, type LoadCase, measuredRequests, warmUpRequests } from "./load.ts";
import { signIn } from "./sign-in.ts";

/** Sends a case's requests and keeps how it went. */
export type RunLoad = (load: LoadCase) => Promise<void>;

const writesPerCase = warmUpRequests + measuredRequests;
const publishBody = JSON.stringify(samplePage);
const versionBody = JSON.stringify({ html: samplePage.html });

/**
 * The writes: they leave an account with as many drops as there can be.
 *
 * @returns a token of that account, and a drop of it that has one version
 */
export async function runWrites(
  address: string,
  run: RunLoad,
): Promise<{ readonly token: string; readonly slug: string }> {
  const tokens = await signInForWrites(address, "ann", writesPerCase);
  const slugs: string[] = [];
  await run({
    name: "publish a drop",
    expectedStatus: 201,
    requestAt: (index) => ({
      method: "POST",
      path: "/api/drops",
      token: tokenFor(tokens, index),
      body: publishBody,
    }),
    onResponse: (text) => slugs.push((JSON.parse(text) as DropResponse).slug),
  });
  const versionTokens = await signInForWrites(address, "ann", writesPerCase);
  await run({
    name: "publish a new version",
    expectedStatus: 200,
    // A drop for each connection: writers of the same drop would wait for one another.
    requestAt: (index, connection) => ({
      method: "PUT",
      path: `/api/drops/${slugs[connection]}`,
      token: tokenFor(versionTokens, index),
      body: versionBody,
    }),
  });
  await publishTheRest(address, slugs.length);
  return { token: tokens[0] ?? "", slug: slugs[connections] ?? "" };
}

/** The reads: of a drop that has one version, and of everything that the token's account has. */
export function readCases(token: string, slug: string): LoadCase[] {
  const read = (name: string, path: string, isCallers: boolean): LoadCase => ({
    name,
    expectedStatus: 200,
    requestAt: () => ({ method: "GET", path, ...(isCallers ? { token } : {}) }),
  });
  const { dropsPerAccountMax, pageSizeMax } = limits;
  return [
    read(`list: ${pageSizeMax} of ${dropsPerAccountMax} drops`, `/api/drops?pageSize=${pageSizeMax}`, true),
    read("get a drop", `/api/drops/${slug}`, true),
    read("viewer", `/p/${slug}`, false),
    read("raw page, pinned (kept at the edge)", `/p/${slug}/raw?v=1`, false),
    read("raw page (kept for 2 s)", `/p/${slug}/raw`, false),
  ];
}

/** Tokens for so many writes in one minute; write limits are a token's own. */
async function signInForWrites(address: string, username: string, writes: number): Promise<string[]> {
  const tokens: string[] = [];
  const count = Math.ceil(writes / limits.writesPerMinutePerToken);
  while (tokens.length < count) tokens.push(await signIn(address, username));
  return tokens;
}

function tokenFor(tokens: readonly string[], index: number): string {
  return tokens[Math.floor(index / limits.writesPerMinutePerToken)] ?? "";
}

async function publishTheRest(address: string, count: number): Promise<void> {
  const rest = limits.dropsPerAccountMax - count;
  const tokens = await signInForWrites(address, "ann", rest);
  for (let index = 0; index < rest; index += 1) {
    const headers = { authorization: `Bearer ${tokenFor(tokens, index)}` };
    const response = await fetch(`${address}/api/drops`, { method: "POST", headers, body: publishBody });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`POST /api/drops answered ${response.status}: ${text}`);
  }
}
