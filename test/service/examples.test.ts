// @module-tag slow

import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { longMs } from "../support/patience.ts";
import { pythonCommand } from "../support/python.ts";
import { startRefusingServer } from "../support/refusing-server.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";

let account: Account;
let directory: string;
let python: readonly [string, ...string[]];

/** Characters that JSON, the shell or a line-based tool could change, although pages must arrive byte for byte. */
const tricky = `\t"quoted" \\back\\\\slashed\\n \f 'single' $HOME \`id\` %s & é 🍃\r\n</p>\n\nx`;
const page = `<!doctype html>\n<html lang="en"><head><title>T</title></head><body><p>${tricky}`;

beforeAll(async () => {
  account = await newAccount("examples");
  directory = await mkdtemp(join(tmpdir(), "dropleaf-examples-"));
  python = await pythonCommand(directory);
  await writeFile(join(directory, "page.html"), page);
  await writeFile(join(directory, "newer.html"), page.replace("quoted", "newer"));
}, longMs);

afterAll(() => rm(directory, { recursive: true, force: true }));

const examples = {
  "curl/publish.sh": { command: () => ["sh"], title: "-t", tag: "-m" },
  "node/publish.mjs": { command: () => ["node"], title: "--title", tag: "--metadata" },
  "python/publish.py": { command: () => python, title: "--title", tag: "--metadata" },
} as const;

type ExampleName = keyof typeof examples;

/** Without curl, only the error message of its example is tested. */
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const names = (Object.keys(examples) as ExampleName[]).filter((name) => hasCurl || !name.startsWith("curl/"));

/** Runs an example as the account, with `changes` to the environment. */
function run(
  name: ExampleName,
  args: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const [command = "", ...before] = examples[name].command();
  const environment = { DROPLEAF_URL: baseUrl(), DROPLEAF_TOKEN: account.api.token ?? "", ...changes };
  return runCommand([command, ...before, pathOf(name), ...args], { directory, environment });
}

async function publishedBy(name: ExampleName, args: readonly string[]): Promise<DropResponse> {
  const { exitCode, stdout, stderr } = await run(name, args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const slug = new URL(stdout.trimEnd()).pathname.split("/").at(-1) ?? "";
  const drop = await account.api.succeed("get-drop", { params: { slug } });
  expect(stdout).toBe(`${drop.url}\n`);
  return drop;
}

describe.each(names)("examples/%s", (name) => {
  const { title, tag } = examples[name];

  test("publishes a page unchanged, and prints its URL", async () => {
    const drop = await publishedBy(name, ["page.html"]);

    expect(drop).toMatchObject({ title: "page", latest_version: 1, metadata: {} });
    expect((await fetchPage(drop.raw_url)).text.endsWith(tricky)).toBe(true);
  });

  test("keeps one URL for the same tags, and does not change the drop's other fields", async () => {
    const tags = [tag, `example=${name}`, tag, `text=${tricky.trim()}`];
    const first = await publishedBy(name, [title, tricky, ...tags, "page.html"]);
    const metadata = { ...first.metadata, other: "kept" };
    await account.api.succeed("edit-drop", { params: { slug: first.slug }, body: { metadata } });

    const second = await publishedBy(name, [...tags, "newer.html"]);

    // The service makes a title one line, but stores metadata unchanged.
    const oneLine = tricky.trim().replaceAll(/[\t-\r]+/g, " ");
    expect(first).toMatchObject({ title: oneLine, metadata: { example: name, text: tricky.trim() } });
    expect(second).toMatchObject({ slug: first.slug, latest_version: 2, title: first.title, metadata });
    expect((await fetchPage(second.raw_url)).text).toContain("newer");
  });

  test("prints the service's error", async () => {
    const { exitCode, stdout, stderr } = await run(name, [tag, "a=b", "page.html"], {
      DROPLEAF_TOKEN: "hb_wrong",
    });

    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/answered 401: .*"unauthorized"/);
  });

  test("explains a wrong invocation", async () => {
    const wrong: [string[], Record<string, string>, RegExp][] = [
      [[], {}, /usage/],
      [["no-such-page.html"], {}, /no-such-page\.html/],
      [[tag, "no-value", "page.html"], {}, /key=value.*no-value/],
      [["page.html"], { DROPLEAF_TOKEN: "" }, /DROPLEAF_TOKEN/],
    ];
    const results = await Promise.all(wrong.map(([args, changes]) => run(name, args, changes)));

    for (const [index, { exitCode, stdout, stderr }] of results.entries()) {
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(wrong[index]?.[2] ?? /./);
    }
  });

  test("reports a service that does not respond", async () => {
    const address = `http://localhost:${await findFreePort()}`;

    const { exitCode, stderr } = await run(name, ["page.html"], { DROPLEAF_URL: address });

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`no response from ${address}`)]);
  });
});

describe("examples at the write limit", () => {
  const publishedUrl = "http://ada.localhost/d/aaaaaaa";

  async function runRefused(name: ExampleName, seconds: number) {
    const { address, received, stop } = await startRefusingServer(seconds, publishedUrl);
    const result = await run(name, ["page.html"], { DROPLEAF_URL: address });
    stop();
    return { name, received, ...result };
  }

  test("wait as Retry-After says, and send the same request again", {
    tags: "nightly",
  }, async () => {
    const runs = await Promise.all(names.map((name) => runRefused(name, 1)));

    for (const { name, exitCode, stdout, stderr, received } of runs) {
      expect([exitCode, stdout], name).toEqual([0, `${publishedUrl}\n`]);
      expect(stderr, name).toContain("trying again in 1 seconds");
      const [first, second] = received;
      expect(second?.body, name).toBe(first?.body);
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0), name).toBeGreaterThanOrEqual(990);
    }
  });

  test("do not wait an hour, and print the error", { tags: "nightly" }, async () => {
    const runs = await Promise.all(names.map((name) => runRefused(name, 3600)));

    for (const { name, exitCode, stderr, received } of runs) {
      expect([exitCode, received.length], name).toEqual([1, 1]);
      expect(stderr, name).toMatch(/answered 429: .*"rate_limited"/);
    }
  });
});

test("the example for curl reports a missing curl", async () => {
  const { exitCode, stderr } = await runCommand(["/bin/sh", pathOf("curl/publish.sh")], {
    directory,
    environment: { PATH: directory },
  });

  expect([exitCode, stderr]).toEqual([1, "publish.sh: curl is not installed\n"]);
});

function pathOf(name: ExampleName): string {
  return fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
}
