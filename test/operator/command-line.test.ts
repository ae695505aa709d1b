import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commands } from "../../scripts/operator/commands.ts";

const emptyFolder = mkdtempSync(join(tmpdir(), "dropleaf-operator-"));
afterAll(() => rmSync(emptyFolder, { recursive: true }));

/** What `npm run operator --` runs. */
function operator(...words: string[]) {
  const command = ["--import", "tsx", "scripts/operator/operator.ts", ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: emptyFolder },
  });
  return { status, stdout, stderr };
}

test("without a command it lists all, and each says more when asked", () => {
  const { status, stdout } = operator();
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);

  expect(status).toBe(0);
  expect(names).toEqual([
    "preflight",
    "smoke",
    "takedown",
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
    "sweep",
    "restore",
    "rotate-cookie-key",
    "explain",
  ]);
  const help = operator("recount", "--help");
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
])("%j ends with %i and says what would be right", (words, status, text) => {
  const result = operator(...words);

  expect(result.stdout + result.stderr).toContain(text);
  expect(result.status).toBe(status);
});
