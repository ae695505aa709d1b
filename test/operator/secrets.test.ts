import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { secretsCommand } from "../../scripts/operator/secrets.ts";
import { type GivenService, newOwner, type Owner, openGivenService, runCommand } from "./given-service.ts";

let given: GivenService;
let owner: Owner;
const secret = `pul-${randomBytes(20).toString("hex")}`;
let slugs: { readonly page: string; readonly markdown: string };
let fileId: string;

beforeAll(async () => {
  given = await openGivenService();
  owner = await newOwner(given.service, "ada");
  const page = await owner.publish(`<p>\n<b>${secret}</b>`, {
    visibility: "people",
    readers: ["grace@example.com"],
    passcode: "letmein",
  });
  await owner.json("PUT", `/api/drops/${page}`, { html: "<p>Nothing", context: `Found it: ${secret}` });
  const markdown = await owner.publish("<p>", { description: `See ${secret}` });
  await sendPublic(`${given.service.baseUrl}/api/drops/${markdown}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${owner.token}`, "content-type": "text/markdown" },
    body: `# Keys\n\n${secret}`,
  });
  slugs = { page, markdown };
  // The publishing calls read the first 2 MiB only.
  fileId = await owner.upload(`${"A line of text.\n".repeat(140_000)}${secret}`);
  await owner.upload("Nothing");
});

const scan = (options: Record<string, string | boolean> = {}, words = [owner.namespace]) =>
  runCommand(secretsCommand, given, words, options);

const bySlug = (lines: readonly string[]) => lines.toSorted((one, other) => (one < other ? -1 : 1));

test("secrets finds secrets in pages, contexts, Markdown, descriptions and files, restricted or not, and prints none", async () => {
  const { lines, isWell } = await scan();

  const row = (text: string) => `${owner.namespace}  ${text}`;
  expect(bySlug(lines.slice(0, -1))).toEqual(
    bySlug([
      row(`drop ${slugs.page}  version 2  context  pulumi  1:11`),
      row(`drop ${slugs.markdown}  description  pulumi  1:5`),
      row(`drop ${slugs.markdown}  version 2  markdown  pulumi  3:1`),
      row(`file ${fileId}  file  pulumi  140001:1`),
    ]),
  );
  expect(lines.at(-1)).toMatch(/^Scanned: 2 drops, 2 files, [0-9]+ texts\. Findings: 4\.$/);
  expect(isWell).toBe(false);
  expect(lines.join()).not.toContain(secret);
});

test("secrets reads older versions on request, prints JSON, and writes an audit entry", {
  tags: "slow",
}, async () => {
  const { lines } = await scan({ "all-versions": true, json: true });

  const findings = lines.slice(0, -1).map((line) => JSON.parse(line));
  expect(findings).toHaveLength(5);
  expect(findings).toContainEqual({
    account_id: owner.userId,
    owner: owner.namespace,
    slug: slugs.page,
    version: 1,
    part: "page",
    rule: "pulumi",
    line: 2,
    column: 4,
  });
  const options = { account: owner.userId, action: "scan-secrets", json: true };
  const trail = await runCommand(auditCommand, given, [], options);
  expect(trail.lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ by: "operator", account_id: owner.userId }),
  );
});

test("secrets finds secrets in a trashed drop", async () => {
  const deleter = await newOwner(given.service, "hopper");
  const slug = await deleter.publish(`<p>${secret}`);
  await deleter.call("DELETE", `/api/drops/${slug}`);

  const { lines } = await scan({}, [deleter.namespace]);

  expect(lines[0]).toBe(`${deleter.namespace}  drop ${slug}  version 1  page  pulumi  1:4`);
});

test("secrets succeeds for an account without secrets", async () => {
  const other = await newOwner(given.service, "grace");
  await other.publish("<p>Nothing");

  const { lines, isWell } = await scan({}, [other.namespace]);

  expect(lines).toEqual(["Scanned: 1 drops, 0 files, 2 texts. Findings: 0."]);
  expect(isWell).toBe(true);
});

test("an interrupted scan names the position to continue from, and continues there", {
  tags: "slow",
}, async () => {
  const [first = "", second = ""] = Object.values(slugs).toSorted();
  const key = [`USER#${owner.userId}`, `DROP#${first}`];
  const from = Buffer.from(JSON.stringify(key)).toString("base64url");
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    if (lines.length === 1) process.emit("SIGINT");
  };
  const terminal = { print, report: print, ask: async () => "" };

  const whole = await scan({ from }, []);
  const isWell = await secretsCommand.execute(["--local", given.dataDirectory, "--from", from], terminal);

  expect(whole.lines.join("\n")).toContain(`drop ${second}`);
  expect(whole.lines.join("\n")).not.toContain(`drop ${first}`);
  expect(isWell).toBe(false);
  const [, position = ""] = /^Continue with --from (\S+)$/m.exec(lines.join("\n")) ?? [];
  const rest = await scan({ from: position }, []);
  const findings = whole.lines.filter((line) => line.includes("drop "));
  expect([...lines, ...rest.lines]).toEqual(expect.arrayContaining(findings));
});

test.each(["x", Buffer.from("{}").toString("base64url")])(
  "secrets refuses %s, which is not a position",
  async (from) => {
    await expect(scan({ from }, [])).rejects.toThrow("--from is not a position.");
  },
);
