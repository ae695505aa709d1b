import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { deleteItems, updateItem } from "../../functions/table/table-writes.ts";
import { findFault } from "../../lib/bundle/explained-fault.ts";
import { explainCommand } from "../../scripts/operator/explain.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { patiently } from "../support/patience.ts";
import { newOwner, openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();
let line = "";

/** Reads the service's log, which other test files share. */
const readLog = () => readFileSync(given.logFile, "utf8");

function requireFaultLine(requestId: string): string {
  const found = readLog()
    .split("\n")
    .find((one) => one.includes(requestId) && findFault(one) !== undefined);
  if (found === undefined) throw new Error("No fault has been logged.");
  return found;
}

beforeAll(async () => {
  const owner = await newOwner(given.service, "ada");
  const slug = await owner.publish("<p>a page</p>");
  const key = keys.drop(owner.userId, slug);
  await updateItem({
    key,
    update: "SET metadata = :text",
    condition: "attribute_exists(pk)",
    values: { ":text": "what users wrote" },
  });
  expect((await getItem(key))?.metadata).toBe("what users wrote");
  // Without its account, a recount of all accounts in another test file does not find this fault.
  await deleteItems([keys.account(owner.userId)]);
  const { status, headers } = await sendPublic(`${given.service.baseUrl}/p/${slug}`);
  expect(status).toBe(500);
  line = await vi.waitFor(() => requireFaultLine(String(headers["x-request-id"])), patiently);
});

test("a logged error has its build and positions in the bundle, and no message", () => {
  const fault = findFault(line);

  expect(fault).toMatchObject({ operation: "view-drop", fault: "SyntaxError" });
  expect(fault?.at[1]).toMatch(/index\.mjs:\d+:\d+/);
  expect(fault?.build).toMatch(/^[0-9a-f]{16}$/);
  expect(readLog()).not.toContain("what users");
});

test("explain prints file, line, column and function of each frame", { tags: "nightly" }, async () => {
  const { isWell, lines } = await runCommand(explainCommand, given, [line]);

  expect(isWell).toBe(true);
  expect(lines.slice(0, 3)).toEqual([
    `view-drop, request ${findFault(line)?.requestId}:`,
    "SyntaxError",
    "    at JSON.parse (<anonymous>)",
  ]);
  const [, name, file = "", number = "", column = ""] =
    /at (\w+) \((.+):(\d+):(\d+)\)$/.exec(lines[3] ?? "") ?? [];
  expect([name, file]).toEqual(["toListedFields", "functions/drops/items.ts"]);
  const source = readFileSync(resolve(import.meta.dirname, "../..", file), "utf8").split("\n")[
    Number(number) - 1
  ];
  expect(source?.slice(Number(column) - 1)).toMatch(/^(JSON\.)?parse\(item\.metadata/);
  expect(lines.join("\n")).toMatch(/at findStored \(functions\/drops\/public-drops\.ts:\d+:\d+\)/);
  expect(lines.join("\n")).toMatch(
    /at async findByOwnershipPointer \(functions\/table\/ownership-pointer\.ts:/,
  );
});

test.each([
  [
    `"build":"0123456789abcdef@3f2a9c1d4e5b"`,
    "the build comes from another commit. Run git checkout 3f2a9c1d4e5b && npm ci",
  ],
  [`"build":"0123456789abcdef@3f2a9c1d4e5b+changes"`, "commit 3f2a9c1d4e5b with uncommitted changes"],
  [`"build":"0123456789abcdef"`, "build 0123456789abcdef comes from an unknown commit"],
])("a log entry of another build, %s, is not explained", { tags: "slow" }, async (build, text) => {
  const other = line.replace(/"build":"[^"]+"/, build);

  const { isWell, lines } = await runCommand(explainCommand, given, [other]);

  expect(isWell).toBe(false);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(text);
});
