import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { describe, expect, test } from "vitest";
import { trash } from "../../functions/drops/trash-store.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { deleteItems } from "../../functions/table/table-writes.ts";
import { outputNames } from "../../lib/output-names.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { suspendCommand, unsuspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { findVersionLeftovers, sweepCommand } from "../../scripts/operator/upkeep/sweep.ts";
import { newOwner, openGivenService, runCommand, scratchFolder, statusesOf } from "./given-service.ts";

const given = await openGivenService();
const versionsOf = async (slug: string) => (await queryAll(ranges.versions(slug))).length;

async function givenTrashed() {
  const owner = await newOwner(given.service, "bin");
  const slug = await owner.publish("<p>binned</p>");
  await owner.json("DELETE", `/api/drops/${slug}`);
  return { owner, slug };
}

describe("a trashed drop", () => {
  test("is counted in a recount, and not reported as a leftover", { tags: "slow" }, async () => {
    const { owner, slug } = await givenTrashed();

    const { lines, isWell } = await runCommand(recountCommand, given, [owner.namespace]);
    const leftovers = [];
    for await (const leftover of findVersionLeftovers()) leftovers.push(leftover);

    expect([lines, isWell]).toEqual([["Accounts counted: 1."], true]);
    expect(leftovers).not.toContain(slug);
  });

  test("is deleted with its account", { tags: "slow" }, async () => {
    const { owner, slug } = await givenTrashed();

    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });

    expect(await trash.find(owner.userId, slug)).toBeUndefined();
    await expect.poll(() => versionsOf(slug)).toBe(0);
    expect((await getItem(keys.pointer(slug)))?.ownerId).toBeUndefined();
  });

  test("is readable again when it is undeleted after a suspension", { tags: "slow" }, async () => {
    const { owner, slug } = await givenTrashed();
    const { raw_url: address } = await owner.json("GET", `/api/drops/${await owner.publish("<p>other</p>")}`);
    await runCommand(suspendCommand, given, [owner.namespace], { yes: true });

    await runCommand(unsuspendCommand, given, [owner.namespace], { yes: true });
    const { raw_url: own } = await owner.json("POST", `/api/drops/${slug}/undelete`);

    expect(await statusesOf([address, own])).toEqual([200, 200]);
  });

  test("stays in the trash when its version is missing", { tags: "slow" }, async () => {
    const { owner, slug } = await givenTrashed();
    await deleteItems([keys.version(slug, 1)]);

    const { status, body } = await owner.call("POST", `/api/drops/${slug}/undelete`);

    expect(status).toBe(404);
    expect(JSON.parse(body.toString()).error).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("its version 1 no longer exists"),
    });
    expect(await trash.find(owner.userId, slug)).toMatchObject({ slug });
    expect((await owner.call("GET", `/api/drops/${slug}`)).status).toBe(404);
  });
});

test("a sweep by a release that does not know the stack's data format is refused", {
  tags: "slow",
}, async () => {
  const scratch = scratchFolder();
  const access = JSON.parse(readFileSync(join(given.dataDirectory, operatorAccessFile), "utf8"));
  access.outputs[outputNames.dataFormat] = String(dataFormat + 1);
  access.outputs[outputNames.version] = "7.0.0";
  writeFileSync(join(scratch, operatorAccessFile), JSON.stringify(access));

  const refused = runCommand(sweepCommand, { dataDirectory: scratch }, [], { fix: true });

  await expect(refused).rejects.toThrow(
    `The stack has data format ${dataFormat + 1}, and this version reads up to format ${dataFormat}. Run this command from a checkout of version 7.0.0.`,
  );
});
