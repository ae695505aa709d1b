import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { leftOutOf } from "./left-out.ts";
import { runCommand } from "./run-command.ts";

const all = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`);

test("every test is in the short form or in the long one, and none that is whole in the short form is in the long one", () => {
  const [short, long] = [leftOutOf("short").files, leftOutOf("long").files];

  expect(short.filter((file) => long.includes(file))).toEqual([]);
  expect(long).toContain("test/platform/format.test.ts");
  expect(short).not.toContain("test/platform/format.test.ts");
});

test("the long form has what the short one leaves out, and what has a choice of its tests, by itself or by another module", () => {
  const { files } = leftOutOf("long");

  const has = (file: string) => all.includes(file) && !files.includes(file);

  expect(
    all
      .filter((file) => /^test\/(local|operator)\/|\.long\.test\.ts$/.test(file))
      .filter((file) => !has(file)),
  ).toEqual([]);
  expect(has("test/abuse/model.test.ts")).toBe(true);
  expect(has("test/faults/operations.test.ts")).toBe(true);
});

test("a run that leaves the tests of a part out says so at its end, and how to run them", async () => {
  const { telling } = leftOutOf("short");
  const vitest = "node_modules/vitest/vitest.mjs";

  const { stdout, exitCode } = await runCommand(
    [process.execPath, vitest, "run", "test/platform/format.test.ts"],
    { directory: process.cwd(), environment: { TESTS: "short", HOME: tmpdir() } },
  );

  expect(exitCode).toBe(0);
  expect(stdout.includes("Left out:")).toBe(telling !== undefined);
  expect(stdout).toContain(telling ?? "1 passed");
});

test("without a word, and with `all`, nothing is left out", () => {
  expect([leftOutOf(undefined), leftOutOf("all")]).toEqual([{ files: [] }, { files: [] }]);
});

test("another word is refused, with those that there are", () => {
  expect(() => leftOutOf("quick")).toThrow('TESTS is "quick": write short, long or all, or leave it away.');
});
