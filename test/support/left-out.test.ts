import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test, vi } from "vitest";
import { leftOutOf } from "./left-out.ts";
import { runCommand } from "./run-command.ts";

const all = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`);

const isOfPart = (file: string) =>
  /^test\/(local|operator|renders|workers|events|browser\/(isolation|pages)|service-modes|identity|oauth|lib|faults)\//.test(
    file,
  );

test("every test is in one of the forms or of a part, and none that is whole in the short form is in the long one", () => {
  const [short, long, parts] = [
    leftOutOf("short", "").files,
    leftOutOf("long").files,
    leftOutOf("parts").files,
  ];

  expect(short.filter((file) => long.includes(file) && parts.includes(file))).toEqual([]);
  expect(long).toContain("test/html/format.test.ts");
  expect(short).not.toContain("test/html/format.test.ts");
});

test("the long form has what the short one leaves out, and what has a choice of its tests, by itself or by another module", () => {
  const { files } = leftOutOf("long");

  const has = (file: string) => all.includes(file) && !files.includes(file);

  expect(all.filter((file) => file.endsWith(".long.test.ts") && !isOfPart(file) && !has(file))).toEqual([]);
  expect(has("test/abuse/model.test.ts")).toBe(true);
  expect(has("test/browser/viewer-news.test.ts")).toBe(true);
});

test("the parts are in a run of their own, whole, whether the short form has left them out or not", () => {
  const [long, parts] = [leftOutOf("long").files, leftOutOf("parts").files];

  expect(all.filter((file) => !parts.includes(file))).toEqual(all.filter(isOfPart));
  expect(all.filter((file) => isOfPart(file) && !long.includes(file))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts["test:slow"]).toBe("TESTS=long vitest run && TESTS=parts vitest run");
});

test("who runs the parts afterwards has none of them before, whatever has changed", () => {
  const { files, telling } = leftOutOf("short", "later");

  expect(all.filter((file) => files.includes(file))).toEqual(
    all.filter((file) => isOfPart(file) || file.endsWith(".long.test.ts")),
  );
  expect(telling).toBeUndefined();
  expect(() => leftOutOf("short", "never")).toThrow('TESTS_PARTS is "never": write later, or leave it away.');
  expect(readFileSync(".ci/run", "utf8")).toMatch(
    /^TESTS_PARTS=later npm test\n(?:#.*\n)*npm run test:slow$/m,
  );
});

test.each([
  ["short", { short: true, long: false, divided: [2] }],
  ["long", { short: false, long: true, divided: [1, 3] }],
  ["parts", { short: true, long: true, divided: [1, 2, 3] }],
  ["all", { short: true, long: true, divided: [1, 2, 3] }],
])("a run of %s has these tests of a file of both forms", async (form, expected) => {
  vi.stubEnv("TESTS", form);
  vi.resetModules();
  try {
    const { divided, hasShortForm, isThorough } = await import("./thorough.ts");

    expect({
      short: hasShortForm,
      long: isThorough,
      divided: divided([1, 2, 3], (one) => one === 2),
    }).toEqual(expected);
  } finally {
    vi.unstubAllEnvs();
    vi.resetModules();
  }
});

test("a run that leaves the tests of a part out says so at its end, and how to run them", async () => {
  // As `npm test` by itself has it, wherever this test runs: the command gets nothing of the environment but PATH and HOME.
  const { telling } = leftOutOf("short", "");
  const vitest = "node_modules/vitest/vitest.mjs";

  const { stdout, exitCode } = await runCommand(
    [process.execPath, vitest, "run", "test/html/format.test.ts"],
    { directory: process.cwd(), environment: { TESTS: "short", HOME: homedir() } },
  );

  expect(exitCode).toBe(0);
  expect(stdout.includes("Left out:")).toBe(telling !== undefined);
  expect(stdout).toContain(telling ?? "1 passed");
});

test("without a word, and with `all`, nothing is left out", () => {
  expect([leftOutOf(undefined), leftOutOf("all")]).toEqual([{ files: [] }, { files: [] }]);
});

test("another word is refused, with those that there are", () => {
  expect(() => leftOutOf("quick")).toThrow(
    'TESTS is "quick": write short, long, parts or all, or leave it away.',
  );
});
