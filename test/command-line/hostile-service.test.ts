import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { program } from "../../packages/cli/src/program.ts";
import {
  type HostileService,
  leavesOf,
  type Reply,
  replaceLeaf,
  startHostileService,
} from "./hostile-service.ts";
import { type Outcome, runInProcess } from "./run-in-process.ts";

const opened = vi.hoisted((): string[] => []);
vi.mock("open", () => ({ default: async (target: string) => opened.push(target) }));

/** Control characters except line feed and tab, and characters that change the direction of text or are invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for these characters.
const acting = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

const hostileText =
  "a\u001b]52;c;cHduZWQ=\u0007\u001b]8;;https://evil.example\u001b\\b\u001b[2J\u009b31m\r\u202ec\u2066\u200b\u007f\nError: forged";
const hostilePath = "../../../../../../escaped";

// Six nested folders, so that paths with "../" stay within the test's own folder.
const sandbox = realpathSync(mkdtempSync(join(tmpdir(), "dropleaf-hostile-")));
const work = join(sandbox, "1/2/3/4/5/6/work");
const before = { cwd: process.cwd(), env: process.env };

let service: HostileService;
let elsewhere: HostileService;

beforeAll(async () => {
  [service, elsewhere] = await Promise.all([startHostileService(), startHostileService()]);
  mkdirSync(work, { recursive: true });
  process.chdir(work);
  const { HOME: _, ...env } = before.env;
  process.env = {
    ...env,
    HOME: join(work, "home"),
    DROPLEAF_CONFIG_DIR: join(work, "config"),
    DROPLEAF_KEYCHAIN: "off",
    DROPLEAF_URL: service.address,
    DROPLEAF_TOKEN: "hb_secret",
    DROPLEAF_FROM_TOKEN: "hb_source",
    DROPLEAF_PASSCODE: "open sesame",
  };
  delete process.env.XDG_CONFIG_HOME;
  clearWork();
  expect(await runInProcess(["export", "kept"])).toMatchObject({ exitCode: 0 });
});
afterEach(reset);
afterAll(() => {
  process.chdir(before.cwd);
  process.env = before.env;
  service.stop();
  elsewhere.stop();
  rmSync(sandbox, { recursive: true });
});

function reset(): void {
  for (const one of [service, elsewhere]) {
    one.change = (_, reply) => reply;
    one.takeOver = () => false;
    one.called.clear();
    one.tokens.clear();
  }
  opened.length = 0;
}

/** Resets the working folder to the files that the commands need. */
function clearWork(): void {
  for (const name of readdirSync(work)) if (name !== "kept") rmSync(join(work, name), { recursive: true });
  writeFileSync(join(work, "page.html"), "<title>Page</title>");
  mkdirSync(join(work, "site"));
  writeFileSync(join(work, "site/index.html"), "<title>Site</title>");
  const stored = { accounts: { growth: { token: "hb_secret" } }, as: "growth" };
  const config = { current: service.address, services: { [service.address]: stored } };
  mkdirSync(join(work, "config"));
  writeFileSync(join(work, "config/services.json"), JSON.stringify(config));
  if (!existsSync(join(work, "kept"))) return;
  cpSync(join(work, "kept"), join(work, "archive"), { recursive: true });
  const path = join(work, "archive/export.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(service.address, "https://old.example"));
}

/** Values of arguments by name. Add a value here for a new argument. */
const samples: Readonly<Record<string, readonly string[]>> = {
  account: ["growth"],
  address: ["<service>"],
  client: ["cursor"],
  drop: ["aB3dE5f"],
  file: ["page.html", "site"],
  folder: ["archive"],
  version: ["1"],
  words: ["numbers"],
};

/** Values of options that take a free value. */
const options: Readonly<Record<string, string>> = {
  "--allow-secrets <reason>": "a test",
  "--context <text>": "Prompt",
  "--description <text>": "Text",
  "--expires <when>": "30",
  "--expires-in <days>": "30",
  "--form <name>": "vote",
  "--from <address>": "<source>",
  "--from <version>": "1",
  "--limit <count>": "7",
  "--note <text>": "Note",
  "--owner <name>": "ada",
  "--passcode <text>": "open sesame",
  "--reader <who...>": "ada@example.com",
  "--save <folder>": "pictures",
  "--tag <key=value...>": "topic=numbers",
  "--title <text>": "Title",
  "--to <drop>": "aB3dE5f",
  "--to <account>": "growth",
  "--to <version>": "2",
};

/** Option that makes a command run until it is stopped. */
const endless = "--watch";

function wordsOf({ flags, long, required, argChoices }: (typeof program.options)[number]): string[] {
  if (!required) return [String(long)];
  const value = argChoices?.[0] ?? options[flags];
  if (value === undefined) throw new Error(`Add a value of ${flags} to this test.`);
  return [String(long), value];
}

/** Returns a command line for each value of a command's arguments and for each of its options. */
function commandLines(): string[][] {
  return program.commands.flatMap((command) => {
    const name = command.name();
    const argumentLists = command.registeredArguments.reduce<string[][]>(
      (lists, argument) => {
        const values = samples[argument.name()];
        if (values === undefined) throw new Error(`Add a value of <${argument.name()}> to this test.`);
        return lists.flatMap((list) => values.map((value) => [...list, value]));
      },
      [[]],
    );
    const yes = command.options.some(({ long }) => long === "--yes") ? ["--yes"] : [];
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(wordsOf);
    const plain = argumentLists.map((list) => [name, ...list, ...yes, ...needed]);
    const withOptions = command.options
      .filter(({ long = "", mandatory }) => long !== endless && long !== "--yes" && !mandatory)
      .map((option) => [...(plain[0] as string[]), ...wordsOf(option)]);
    // These commands write into their folder.
    return [...plain, ...withOptions].map((line) =>
      name === "export" || (name === "import" && line.includes("--from"))
        ? line.toSpliced(1, 1, "exported")
        : line,
    );
  });
}

const lines = commandLines();

/** Runs a command line in a fresh working folder. */
async function runLine(line: readonly string[], ...more: readonly string[]): Promise<Outcome> {
  clearWork();
  const given = line.map((word) =>
    word
      .replace("<service>", service.address)
      .replace("<source>", service.address.replace("127.0.0.1", "localhost")),
  );
  return runInProcess([...given, ...more]);
}

/** Splits the output into the JSON of the result and the JSON of the error, which is the last line. */
function documentsOf(out: string): { readonly result: string; readonly error: string } {
  const lines = out.trimEnd().split("\n");
  const error = lines.at(-1)?.startsWith('{"error":') === true ? lines.pop() : undefined;
  return { result: lines.join("\n"), error: error ?? "" };
}

/** Expects an exit code and an error message as usual, clean output, no file outside the folder and no leaked token. */
function expectHarmless(outcome: Outcome, what: string): void {
  const { exitCode, out, notes } = outcome;
  expect([0, 1, 2, 3], what).toContain(exitCode);
  expect(out, what).not.toMatch(acting);
  expect(notes, what).not.toMatch(acting);
  expect(`${out}${notes}`, what).not.toMatch(/^\s+at \S+.*:\d+/m);
  expect(notes, what).not.toMatch(/^Error: forged/m);
  const { error } = documentsOf(out);
  if (exitCode !== 0)
    expect(error === "" ? notes : error, what).toMatch(/^(Error: |\{"error":\{"code":")\S/m);
  const written = readdirSync(sandbox, { recursive: true, encoding: "utf8" });
  expect(
    written.filter((path) => !path.startsWith("1/2/3/4/5/6/work/") && !/^1(\/\d)*(\/work)?$/.test(path)),
    what,
  ).toEqual([]);
  expect(
    readdirSync(work).filter((name) => !expectedNames.test(name)),
    what,
  ).toEqual([]);
  expect(
    [...elsewhere.tokens].filter((token) => token !== undefined),
    what,
  ).toEqual([]);
  for (const address of opened) expect(address, what).toMatch(/^https?:\/\/[!-~]+$/);
}

const expectedNames = /^(\.dropleaf\.json|archive|config|exported|home|kept|page\.html|pictures|site)$/;

test.each(lines.map((line) => [line.join(" "), line] as const))(
  "dropleaf %s works with a service that follows its OpenAPI document",
  async (_, line) => {
    const outcome = await runLine(line);

    expect(outcome, outcome.notes).toMatchObject({ exitCode: 0 });
    expectHarmless(outcome, line.join(" "));
  },
);

/** Changes one value of one response. */
function changing(operation: string, change: (reply: Reply) => Reply): void {
  service.change = (called, reply) => (called === operation ? change(reply) : reply);
}

/** Returns the operations that a command line calls, with their usual responses. */
async function usualReplies(line: readonly string[]): Promise<Map<string, unknown>> {
  const replies = new Map<string, unknown>();
  service.change = (operation, reply) => {
    if (!replies.has(operation)) replies.set(operation, reply.body);
    return reply;
  };
  await runLine(line);
  return replies;
}

/** Returns hostile values to send instead of a usual one. */
function hostileValues(usual: unknown): readonly unknown[] {
  if (typeof usual !== "string") return [hostilePath, hostileText, -1, 1e300, 0.5, null];
  return /^https?:/.test(usual)
    ? [
        `${elsewhere.address}/x`,
        hostileText,
        "file:///etc/passwd",
        "javascript:alert(1)",
        `${usual}${hostileText}`,
      ]
    : [hostileText, hostilePath, "/etc/escaped", "C:\\escaped", "", 7];
}

/** Runs a command line with the chosen hostile values in each field of each response. */
async function runWithHostileValues(
  line: readonly string[],
  choose: (values: readonly unknown[], index: number) => readonly (readonly [unknown, ...string[]])[],
): Promise<void> {
  let index = 0;
  for (const [operation, usual] of await usualReplies(line)) {
    // The command uses only the keys of the OpenAPI document.
    const leaves = operation === "GET /openapi.json" ? [["openapi"], ["paths"]] : leavesOf(usual);
    for (const path of leaves) {
      const value = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], usual);
      if (Buffer.isBuffer(value)) continue;
      for (const [hostile, ...more] of choose(hostileValues(value), index++)) {
        changing(operation, (reply) => ({ ...reply, body: replaceLeaf(reply.body, path, hostile) }));
        const outcome = await runLine(line, ...more);
        expectHarmless(outcome, `${operation} ${path.join(".")}: ${JSON.stringify(hostile)} ${more}`);
        if (more.length === 0) continue;
        for (const document of Object.values(documentsOf(outcome.out)))
          if (document !== "") JSON.parse(document);
      }
    }
  }
}

/** The first line of each command. */
const shortLines = lines.filter((line, index) => lines[index - 1]?.[0] !== line[0]);

/** Export and import copy whole accounts and read the most responses. */
const isLong = ([command]: readonly string[]) => command === "export" || command === "import";

for (const [tag, some] of [
  ["slow", shortLines.filter((line) => !isLong(line))],
  ["nightly", shortLines.filter(isLong)],
] as const)
  test.each(some.map((line) => [line.join(" "), line] as const))(
    "dropleaf %s survives a hostile value in any field of a response",
    { tags: tag },
    (_, line) =>
      runWithHostileValues(line, ([first, second], index) =>
        index % 3 === 0 ? [[second]] : [index % 3 === 1 ? [first] : [first, "--json"]],
      ),
  );

test.each(lines.map((line) => [line.join(" "), line] as const))(
  "dropleaf %s survives each of many hostile values in any field of a response",
  { tags: "nightly" },
  (_, line) =>
    runWithHostileValues(line, (values) => values.flatMap((value) => [[value], [value, "--json"]] as const)),
);

const faultyReplies: Readonly<Record<string, () => Partial<Reply>>> = {
  "an error message with control characters": () => ({
    status: 400,
    body: { error: { code: hostileText, message: hostileText, details: { retry_after_seconds: 1e300 } } },
  }),
  "a rejected token": () => ({
    status: 401,
    body: { error: { code: "unauthorized", message: hostileText } },
  }),
  "an error without a message": () => ({ status: 400, body: { error: { code: 7 } } }),
  "a Retry-After of a century": () => ({
    status: 429,
    headers: { "retry-after": "3155760000" },
    body: {
      error: { code: "rate_limited", message: hostileText, details: { retry_after_seconds: 3155760000 } },
    },
  }),
  "a redirect to another origin": () => ({
    status: 307,
    headers: { location: `${elsewhere.address}/api/me` },
    body: "",
  }),
  "an HTML page instead of JSON": () => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: `<h1>${hostileText}`,
  }),
  "JSON nested 200,000 levels deep": () => ({
    status: 200,
    body: `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  }),
  "JSON that tries to change prototypes": () => ({
    status: 200,
    body: '{"__proto__": {"slug": "aB3dE5f"}, "constructor": {"prototype": {"polluted": true}}}',
  }),
  "a response of null": () => ({ status: 200, body: "null" }),
};

const usualFaults = [
  "an error message with control characters",
  "a redirect to another origin",
  "a response of null",
];

for (const [tag, isChosen] of [
  ["slow", (what: string) => usualFaults.includes(what)],
  ["nightly", (what: string) => !usualFaults.includes(what)],
] as const)
  test.each(Object.entries(faultyReplies).filter(([what]) => isChosen(what)))(
    "every command survives %s",
    { tags: tag },
    async (what, make) => {
      for (const line of shortLines) {
        for (const operation of (await usualReplies(line)).keys()) {
          if (!operation.includes("/api/") && !operation.endsWith("/mcp")) continue;
          changing(operation, (reply) => ({ ...reply, ...make() }));
          expectHarmless(await runLine(line), `${line.join(" ")}: ${operation} with ${what}`);
          reset();
        }
      }
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

test("an invalid response is one error that names the service and the field, and nothing is written", async () => {
  changing("GET /api/drops/{slug}/versions", (reply) => ({
    ...reply,
    body: { versions: [{ version: hostilePath, size_bytes: 1, created_at: 1, has_context: false }] },
  }));

  const outcome = await runLine(["export", "exported"]);

  expect(outcome).toMatchObject({ exitCode: 1, out: "" });
  expect(outcome.notes).toMatch(
    /^Error: 127\.0\.0\.1:\d+ sent an unexpected response: versions\[0\]\.version must be a whole number/,
  );
  expect(readdirSync(join(work, "exported"))).toEqual([]);
});

test("unknown fields of a newer service stay in the JSON, with control characters escaped", async () => {
  changing("GET /api/drops/{slug}", (reply) => ({
    ...reply,
    body: { ...(reply.body as object), title: hostileText, newer: { "\u202ekey": hostileText } },
  }));

  const { out } = await runLine(["open", "aB3dE5f"], "--json");
  const shared = await runLine(["share", "aB3dE5f"], "--json");

  expect(JSON.parse(out)).toEqual({ slug: "aB3dE5f", url: `${service.address}/d/aB3dE5f` });
  expect(shared.out).toContain("\\u001b]52;c;");
  expect(shared.out).toContain("\\u202ec\\u2066\\u200b\\u007f");
  expect(JSON.parse(shared.out)).toMatchObject({ title: hostileText, newer: { "\u202ekey": hostileText } });
});

test("an endless body and a body shorter than its declared length are errors", {
  tags: "slow",
}, async () => {
  const part = Buffer.alloc(1_048_576, " ");
  service.takeOver = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const send = () => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once("drain", send);
    };
    send();
    return true;
  };
  const endless = await runLine(["list"]);
  service.takeOver = (_, response) => {
    response.writeHead(200, { "content-length": 1000 }).write("{}");
    setImmediate(() => response.destroy());
    return true;
  };
  const short = await runLine(["list"]);

  expect(endless).toMatchObject({ exitCode: 1, out: "" });
  expect(endless.notes).toContain("sent more than 67108864 bytes");
  expect(short).toMatchObject({ exitCode: 1, out: "" });
  expect(short.notes).toContain("cannot be reached");
});

test("an endless list of drops and endless pages of comments are refused", { tags: "nightly" }, async () => {
  changing("GET /api/feedback", (reply) => ({
    ...reply,
    body: { ...(reply.body as object), has_more: true },
  }));
  const comments = await runLine(["feedback"]);
  const drops = Array.from({ length: 200 }, () => ({}));
  changing("GET /api/drops", (reply) => {
    const body = reply.body as { readonly drops: readonly object[] };
    return { ...reply, body: { ...body, drops: drops.map(() => body.drops[0]), total: 1_000_000_000 } };
  });
  const list = await runLine(["export", "exported"]);

  expect(comments.notes).toContain("keeps sending the same comments");
  expect(list.notes).toContain("more than 100000 items");
});

test("the service named in another person's folder does not receive DROPLEAF_TOKEN", async () => {
  clearWork();
  const notes = { service: elsewhere.address, pages: { "page.html": "aB3dE5f" } };
  writeFileSync(join(work, ".dropleaf.json"), JSON.stringify(notes));
  delete process.env.DROPLEAF_URL;

  const outcome = await runInProcess(["publish", "page.html"]);
  process.env.DROPLEAF_URL = service.address;

  expect(outcome).toMatchObject({ exitCode: 2, out: "" });
  expect(outcome.notes).toContain("set DROPLEAF_URL");
  expect([...elsewhere.tokens]).toEqual([]);
});

test("only the output module, which cleans texts, writes to the terminal", () => {
  const sources = join(import.meta.dirname, "../../packages/cli/src");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.ts$/.test(path),
  );

  const writing = files.filter((path) =>
    /\bconsole\.|\bstd(out|err)\.(write|end)\(/.test(readFileSync(join(sources, path), "utf8")),
  );

  expect(writing).toEqual(["terminal/output.ts"]);
});

test("an export does not write through a symbolic link out of its folder", async () => {
  clearWork();
  mkdirSync(join(work, "exported"));
  symlinkSync(sandbox, join(work, "exported/drops"));

  const outcome = await runInProcess(["export", "exported"]);
  rmSync(join(work, "exported"), { recursive: true });

  expect(outcome).toMatchObject({ exitCode: 1, out: "" });
  expect(outcome.notes).toContain("is not a valid path in exported");
  expectHarmless(outcome, "a link");
});
