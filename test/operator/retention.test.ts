import { beforeAll, expect, test } from "vitest";
import { retentionCommand } from "../../scripts/operator/retention.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { type GivenService, newOwner, type Owner, openGivenService, runCommand } from "./given-service.ts";

let given: GivenService;
let owner: Owner;

beforeAll(async () => {
  given = await openGivenService();
  owner = await newOwner(given.service, "ada");
});

const versionsOf = async (slug: string): Promise<number[]> =>
  (await owner.json("GET", `/api/drops/${slug}/versions`)).versions.map(
    ({ version }: { version: number }) => version,
  );

test("retention lists old versions, deletes them after a confirmation, and keeps counters correct", async () => {
  const [many, one] = [await owner.publish("<p>1</p>"), await owner.publish("<p>only</p>")];
  for (const number of [2, 3]) await owner.json("PUT", `/api/drops/${many}`, { html: `<p>${number}</p>` });
  const run = (options: Record<string, string | boolean>, typed = "") =>
    runCommand(retentionCommand, given, [owner.namespace], { keep: "1", ...options }, typed);

  const planned = await run({ "dry-run": true });
  const unconfirmed = await run({}, "no").catch(({ message }: Error) => message);
  const before = await versionsOf(many);
  const applied = await run({}, owner.namespace);
  const again = await run({ yes: true });

  expect(planned.lines).toEqual([
    `${owner.namespace} (${owner.userId})  versions 2  drops 1  bytes 16`,
    "Versions beyond the newest 1: 2 of 1 drops, 16 bytes.",
  ]);
  expect(unconfirmed).toBe(`"no" is not ${owner.namespace}. Nothing was changed.`);
  expect(before).toEqual([3, 2, 1]);
  expect(applied.lines.at(-1)).toBe("Versions deleted: 2.");
  expect([await versionsOf(many), await versionsOf(one)]).toEqual([[3], [1]]);
  expect(again.lines).toEqual(["Versions beyond the newest 1: 0 of 0 drops, 0 bytes."]);
  expect((await runCommand(recountCommand, given, [owner.namespace])).isWell).toBe(true);
});

test("retention without keepVersions needs --keep, and a dry run counts audit entries", async () => {
  const refused = await runCommand(retentionCommand, given, []).catch(({ message }: Error) => message);
  const planned = await runCommand(retentionCommand, given, [], { "dry-run": true });

  expect(refused).toBe("This service keeps all versions. Set keepVersions, or use --keep <number>.");
  expect(planned.lines).toEqual([
    "All versions are kept: keepVersions is not set.",
    expect.stringMatching(
      /^Audit lines: [1-9][0-9]*\. Expired, .*: [0-9]+\. Older than auditDays \(400\), .*: [0-9]+\.$/,
    ),
  ]);
});

test.each(["0", "-1", "many", "1.5"])("retention refuses to keep %s versions", async (keep) => {
  const refusal = runCommand(retentionCommand, given, [], { keep, "dry-run": true });

  await expect(refusal).rejects.toThrow(`--keep is "${keep}". Use an integer from 1 to 999.`);
});
