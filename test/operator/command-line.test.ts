import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commands } from "../../scripts/operator/commands.ts";
import { runCommandLine } from "../../scripts/operator/run-command-line.ts";

const emptyFolder = mkdtempSync(join(tmpdir(), "dropleaf-operator-"));
afterAll(() => rmSync(emptyFolder, { recursive: true }));

/** What `npm run operator --` does. */
async function operator(...words: string[]) {
  const [printed, problems]: [string[], unknown[]] = [[], []];
  const status = await runCommandLine({
    words,
    terminal: { print: (line) => void printed.push(line), ask: async () => "" },
    complain: (problem) => void problems.push(problem),
  });
  return { status, stdout: printed.join("\n"), stderr: problems.join("\n") };
}

test("as a process it speaks to the terminal, and ends with its status", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "scripts/operator/operator.ts", "takedown", "--local", emptyFolder],
    { encoding: "utf8", env: { PATH: process.env.PATH ?? "", HOME: emptyFolder } },
  );

  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Say which page or file\.\nnpm run operator -- takedown /);
});

test("without a command it lists all, and each says more when asked", async () => {
  const { status, stdout } = await operator();
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);

  expect(status).toBe(0);
  expect(names).toEqual([
    "preflight",
    "smoke",
    "members",
    "accounts",
    "transfer",
    "visibility",
    "takedown",
    "feedback",
    "suspend",
    "unsuspend",
    "ban",
    "unban",
    "suspensions",
    "tokens",
    "audit",
    "export",
    "delete-account",
    "recount",
    "reindex",
    "sweep",
    "tag-files",
    "restore",
    "rotate-cookie-key",
    "webhook-secret",
    "explain",
  ]);
  const help = await operator("recount", "--help");
  expect(help.status).toBe(0);
  expect(help.stdout).toMatch(/^npm run operator -- recount .*--stack <name>/);
  expect(help.stdout).toContain(commands.recount?.help);
});

test.each(Object.entries(commands))("%s says what it does, and with which options", (name, command) => {
  const { usage, help, options } = command;
  const option = { preflight: "--settings <file>", explain: "<log line>" }[name] ?? "--stack <name>";

  expect(usage + help).toContain(option);
  for (const known of Object.keys(options)) expect(usage + help).toContain(`--${known}`);
  expect(help.length).toBeGreaterThan(100);
});

test.each([
  [["takedwon"], 2, "npm run operator -- <command>"],
  [["preflight", "--settings", "nowhere.ts"], 2, "nowhere.ts cannot be read: "],
  [["preflight", "--region", "Frankfurt"], 1, 'region is "Frankfurt": write a region of AWS'],
  [["takedown", "Ab3dE6g"], 2, "Say which service: either --stack <name> or --local <data folder>."],
  [["takedown", "--local", emptyFolder], 2, "Say which page or file."],
  [["explain", "500 Internal Server Error"], 2, "There is no fault in 1 line"],
  [["recount", "--al"], 2, "Unknown option '--al'"],
  [["export", "ada", "--local", emptyFolder], 2, "Say where to: --to <folder>."],
  [["export", "ada", "--to", "x", "--local", emptyFolder], 1, "the local cloud writes it while it runs"],
])("%j ends with %i and says what would be right", async (words, status, text) => {
  const result = await operator(...words);

  expect(result.stdout + result.stderr).toContain(text);
  expect(result.status).toBe(status);
});
