import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

// These tests limit bytes of code, which are the same on every machine. The goal is a start within 150 ms: 100 KB take about 20 ms more
// than `node -e 0`.

const folder = mkdtempSync(join(tmpdir(), "dropleaf-start-"));
const program = join(folder, "dropleaf.mjs");

beforeAll(() => {
  const build = join(import.meta.dirname, "../build.ts");
  execFileSync(process.execPath, ["--import", "tsx", build, folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the files that a file loads by static imports, with the file itself. */
function loadedWith(path: string, found = new Set<string>()): Set<string> {
  found.add(path);
  const code = readFileSync(path, "utf8");
  for (const [, name = ""] of code.matchAll(/(?:from|import)"(\.\/[\w-]+\.mjs)"/g)) {
    const next = join(dirname(path), name);
    if (!found.has(next)) loadedWith(next, found);
  }
  return found;
}

const bytesOf = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + readFileSync(path).byteLength, 0);

function chunkOf(name: string): string {
  const file = readdirSync(folder).find((one) => new RegExp(`^${name}-\\w+\\.mjs$`).test(one));
  return join(folder, file ?? `no chunk ${name}`);
}

test("the program starts with little code, and a command loads no proxy, prompts or completion", () => {
  const start = loadedWith(program);

  expect(bytesOf(start)).toBeLessThan(90_000);
  for (const command of ["list", "publish", "doctor", "login"]) {
    const loaded = loadedWith(chunkOf(command), new Set(start));
    expect(bytesOf(loaded), command).toBeLessThan(220_000);
    const text = [...loaded].map((path) => readFileSync(path, "utf8")).join("");
    expect(text).not.toMatch(/ProxyAgent\b.*class|@clack\/core/);
  }
});

test("the whole program is small enough for npx", () => {
  const all = readdirSync(folder).map((name) => join(folder, name));

  expect(bytesOf(all)).toBeGreaterThan(500_000);
  expect(bytesOf(all)).toBeLessThan(1_100_000);
});

test("the bundled program uses a proxy, and exits", { tags: "slow" }, async () => {
  const requests: (string | undefined)[] = [];
  const proxy = createServer(({ url }, response) => {
    requests.push(url);
    response.writeHead(200, { "content-type": "application/json" }).end('{"drops": [], "total": 0}');
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const env = {
    HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    DROPLEAF_URL: "http://localhost:8787",
    DROPLEAF_TOKEN: "hb_1",
    DROPLEAF_CONFIG_DIR: folder,
  };

  const { stdout } = await promisify(execFile)(process.execPath, [program, "list", "--json"], { env });
  proxy.closeAllConnections();
  proxy.close();

  expect(JSON.parse(stdout)).toEqual({ drops: [], total: 0 });
  expect(requests).toEqual([expect.stringContaining("http://localhost:8787/api/drops?")]);
});
