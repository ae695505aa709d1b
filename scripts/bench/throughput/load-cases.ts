import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { limits } from "../../../functions/http/limits.ts";
import { largeHtml, samplePage } from "../sample-page.ts";
import type { LoadCase, LoadRequest } from "./load.ts";
import { signIn } from "./sign-in.ts";

/** Sends a case's requests and keeps how it went. */
export type RunLoad = (load: LoadCase) => Promise<void>;

const writesOfCase = {
  usual: { warmUpRequests: 5 * limits.writesPerMinutePerToken, requestsMax: 230 },
  large: { warmUpRequests: 60, requestsMax: 100 },
};
const tenKilobytes = { ...samplePage, html: pageOf(10 * 1024) };
const publishBody = JSON.stringify(tenKilobytes);
const versionBody = JSON.stringify({ html: tenKilobytes.html });
const largeBody = JSON.stringify({ ...samplePage, html: largeHtml });

/** What is measured, in the order of the table; writes leave an account with as many drops as there can be. */
export async function runCases(address: string, run: RunLoad): Promise<void> {
  const small = await runSmallWrites(address, run);
  const large = await runLargeWrites(address, run);
  await run({
    name: "sign-in start",
    expectedStatus: 200,
    requestAt: () => ({ method: "POST", path: "/api/auth/start" }),
    isFromManyAddresses: true,
    requestsMax: 600,
  });
  const [slug = ""] = small.slugs;
  const { token } = small;
  const list = (pageSize: number) => `/api/drops?pageSize=${pageSize}`;
  await run(read("get a drop", () => ({ path: `/api/drops/${slug}`, token })));
  await run(read("viewer", () => ({ path: `/p/${slug}` })));
  for (const size of [200, 20]) {
    const load = read(`list: ${size} of ${limits.dropsPerAccountMax} drops`, () => ({
      path: list(size),
      token,
    }));
    // Of each, the same code runs 500 times.
    await run({ ...load, warmUpRequests: 80 });
  }
  // Kept for 2 s: of each drop, the next request comes later.
  const rawOf = (index: number) => `/p/${small.slugs[index % small.slugs.length]}/raw`;
  await run(read("raw, 10 KB, not at the edge", (index) => ({ path: rawOf(index) })));
  await run(read("raw, 10 KB, pinned: at the edge", () => ({ path: `/p/${slug}/raw?v=1` })));
  await run(read("raw, 1 MB, pinned: at the edge", () => ({ path: `/p/${large.slug}/raw?v=1` })));
}

function read(name: string, requestAt: (index: number) => Omit<LoadRequest, "method">): LoadCase {
  return { name, expectedStatus: 200, requestAt: (index) => ({ method: "GET", ...requestAt(index) }) };
}

async function runSmallWrites(address: string, run: RunLoad): Promise<{ slugs: string[]; token: string }> {
  const { warmUpRequests, requestsMax } = writesOfCase.usual;
  // Of two accounts: one may not have as many drops.
  const warmUpTokens = await signInForWrites(address, "carol", warmUpRequests);
  const tokens = await signInForWrites(address, "ann", requestsMax);
  const published: string[] = [];
  const keepSlug = (text: string) => published.push((JSON.parse(text) as DropResponse).slug);
  await run({
    name: "publish, 10 KB",
    expectedStatus: 201,
    requestAt: writesOf([...warmUpTokens, ...tokens], publishBody, () => "/api/drops"),
    onResponse: keepSlug,
    ...writesOfCase.usual,
  });
  const slugs = published.slice(warmUpRequests);
  const versionTokens = await signInForWrites(address, "ann", warmUpRequests + requestsMax);
  await run({
    name: "new version, 10 KB",
    expectedStatus: 200,
    // A drop for each connection: writers of the same drop would wait for one another.
    requestAt: writesOf(
      versionTokens,
      versionBody,
      (connection) => `/api/drops/${slugs.at(-1 - connection)}`,
    ),
    ...writesOfCase.usual,
  });
  return { slugs: [...slugs, ...(await publishTheRest(address, slugs.length))], token: tokens[0] ?? "" };
}

async function runLargeWrites(address: string, run: RunLoad): Promise<{ slug: string }> {
  const { warmUpRequests, requestsMax } = writesOfCase.large;
  const tokens = await signInForWrites(address, "bob", warmUpRequests + requestsMax);
  let slug = "";
  await run({
    name: "publish, 1 MB",
    expectedStatus: 201,
    requestAt: writesOf(tokens, largeBody, () => "/api/drops"),
    onResponse: (text) => {
      slug = (JSON.parse(text) as DropResponse).slug;
    },
    ...writesOfCase.large,
  });
  return { slug };
}

/** A POST to the collection, or a PUT to one of it. */
function writesOf(
  tokens: readonly string[],
  body: string,
  pathOf: (connection: number) => string,
): LoadCase["requestAt"] {
  return (index, connection) => {
    const path = pathOf(connection);
    return { method: path === "/api/drops" ? "POST" : "PUT", path, token: tokenFor(tokens, index), body };
  };
}

async function publishTheRest(address: string, count: number): Promise<string[]> {
  const rest = limits.dropsPerAccountMax - count;
  const tokens = await signInForWrites(address, "ann", rest);
  const slugs: string[] = [];
  for (let index = 0; index < rest; index += 1) {
    const headers = { authorization: `Bearer ${tokenFor(tokens, index)}` };
    const response = await fetch(`${address}/api/drops`, { method: "POST", headers, body: publishBody });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`POST /api/drops answered ${response.status}: ${text}`);
    slugs.push((JSON.parse(text) as DropResponse).slug);
  }
  return slugs;
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

function pageOf(bytes: number): string {
  const line = "<p>The index grew by 3 %, as planned: 1,024 pages and 17 hosts.</p>\n";
  const lines = line.repeat(Math.floor((bytes - samplePage.html.length) / line.length));
  return samplePage.html.replace("</body>", `${lines}</body>`);
}
