import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commands } from "../../scripts/operator/commands.ts";
import { runCommandLine } from "../../scripts/operator/run-command-line.ts";

const emptyFolder = mkdtempSync(join(tmpdir(), "dropleaf-operator-"));
afterAll(() => rmSync(emptyFolder, { recursive: true }));

/** Runs the program like `npm run operator --`. */
async function operator(...words: string[]) {
  const [printed, problems]: [string[], unknown[]] = [[], []];
  const terminal = {
    print: (line: string) => void printed.push(line),
    report: () => {},
    ask: async () => "",
  };
  const status = await runCommandLine(words, terminal, (problem) => void problems.push(problem));
  return { status, stdout: printed.join("\n"), stderr: problems.join("\n") };
}

test("the program exits with the command's status, and prints a usage error to standard error", {
  tags: "slow",
}, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "scripts/operator/operator.ts", "takedown", "--local", emptyFolder],
    { encoding: "utf8", env: { PATH: process.env.PATH ?? "", HOME: emptyFolder } },
  );

  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Missing <slug or address>\.\nnpm run operator -- takedown /);
});

test("without a command the program lists all commands, and each command has a help page", async () => {
  const { status, stdout } = await operator();
  const names = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?) {2}/gm)].map(([, name = ""]) => name);

  expect(status).toBe(0);
  expect(names).toEqual(commands.map(({ name }) => name));
  expect(names).toContain("members add");
  const help = await operator("recount", "--help");
  expect(help.status).toBe(0);
  expect(help.stdout).toMatch(/^npm run operator -- recount .*--stack <name>/);
  expect(help.stdout).toContain("Compares the quota counters with the table.");
});

test("every command's help has a line for each of its options", async () => {
  for (const { name, options } of commands) {
    const { status, stdout } = await operator(...name.split(" "), "--help");

    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^npm run operator -- ${name} `));
    for (const option of [...Object.keys(options), "help"]) expect(stdout).toContain(`\n  --${option} `);
    expect(stdout.length).toBeGreaterThan(200);
  }
});

test("a group's help explains the commands of the group", async () => {
  const { status, stdout } = await operator("members", "--help");

  expect(status).toBe(0);
  expect(stdout.match(/^ {2}members \w+/gm)).toEqual(["  members add", "  members remove", "  members list"]);
});

test.each([
  [["takedwon"], 2, 'Unknown command "takedwon". Did you mean "takedown"?'],
  [["member", "list"], 2, 'Unknown command "member". Did you mean "members"?'],
  [["members", "lst"], 2, 'Unknown command "members lst". Did you mean "members list"?'],
  [["members"], 2, "Choose from members add, members remove, members list."],
  [
    ["members", "--local", emptyFolder, "list"],
    1,
    "Start the local cloud, which writes this file, with npm start.",
  ],
  [["preflight", "--settings", "nowhere.ts"], 2, "nowhere.ts does not exist."],
  [["preflight", "--region", "Frankfurt"], 1, 'region is "Frankfurt": use an AWS Region'],
  [["takedown", "Ab3dE6g"], 2, "Choose the service with --stack <name> or --local <data folder>."],
  [["takedown", "--local", emptyFolder], 2, "Missing <slug or address>."],
  [
    ["tokens", "ada", "grace"],
    2,
    'Unexpected argument "grace". Besides options, the command takes only <account>.',
  ],
  [["suspensions", "ada"], 2, 'Unexpected argument "ada". Besides options, the command takes no arguments.'],
  [["tokens", "ada", "--revoke"], 2, "--revoke needs a value: --revoke <token id>."],
  [["tokens", "ada", "--revoke", "--revoke-all"], 2, "--revoke needs a value: --revoke <token id>."],
  [["recount", "--all=yes"], 2, "--all takes no value."],
  [["explain", "500 Internal Server Error"], 2, "Found no fault in 1 line"],
  [["recount", "--al"], 2, "Unknown option --al. Did you mean --all?"],
  [["export", "ada", "--local", emptyFolder], 2, "Missing --to <folder>."],
  [
    ["export", "ada", "--to", "x", "--local", emptyFolder],
    1,
    "Start the local cloud, which writes this file, with npm start.",
  ],
])("%j exits with %i and the right usage", async (words, status, text) => {
  const result = await operator(...words);

  expect(result.stdout + result.stderr).toContain(text);
  expect(result.status).toBe(status);
});
