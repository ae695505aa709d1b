import { ListObjectVersionsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { served } from "../../functions/drops/served.ts";
import { keys } from "../../functions/platform/keys.ts";
import { deleteItems } from "../../functions/platform/table-writes.ts";
import { sweep, sweepCommand } from "../../scripts/operator/sweep.ts";
import { putItems, readPartition } from "../../scripts/operator/table-copy.ts";
import { givenAct } from "../support/given-act.ts";
import { type GivenService, givenOwner, runCommand, startGivenService, statusesOf } from "./given-service.ts";

let given: GivenService;

beforeAll(async () => {
  given = await startGivenService();
});

afterAll(() => given.stop());

async function sweepAll(fix: boolean) {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  return {
    left: await sweep(given.service, { objectsBeforeMs: Date.now() + 1_000, fix, act: givenAct(), tell }),
    lines,
  };
}

async function putObject(bucket: string, key: string): Promise<string> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: "left over" }));
  return `${bucket}/${key}`;
}

async function versionCount(object: string): Promise<number> {
  const [Bucket, ...parts] = object.split("/");
  const listing = new ListObjectVersionsCommand({ Bucket, Prefix: parts.join("/") });
  return (await s3.send(listing)).Versions?.length ?? 0;
}

test("a sweep finds what nothing leads to, removes it when told to, and touches nothing else", async () => {
  const { pagesBucket, blobsBucket, tableName } = given.service;
  const owner = await givenOwner(given.service, "ada");
  const kept = await owner.publish("<p>kept</p>", { context: "why" });
  const id = await owner.upload("kept");
  const gone = await owner.publish("<p>gone</p>");
  // The drop goes, and what the janitor does about it is undone: as if it had never come to it.
  const rows = await readPartition(tableName, keys.pointer(gone).pk);
  await deleteItems([keys.drop(owner.userId, gone)]);
  await expect.poll(() => served.listVersions(gone)).toEqual([]);
  await putItems(rows);
  const orphans = [
    await putObject(blobsBucket, "ada/Zzzzzz9"),
    await putObject(pagesBucket, `${kept}/AAAABBBBCCCCDDDD.html`),
  ];
  const unknown = await putObject(pagesBucket, "notes.txt");

  const byCommand = await runCommand(sweepCommand, given, []);
  const found = await sweepAll(false);
  const fixed = await sweepAll(true);

  // What was stored just now may still get its row.
  expect(byCommand.lines).toEqual([`The drop ${gone} is gone, and has versions.`, "Left over: 1."]);
  expect(byCommand.isWell).toBe(false);
  for (const orphan of orphans) expect(found.lines).toContain(`No row points at ${orphan}.`);
  expect(found.lines).toContain(`Not the service's: "${unknown}".`);
  expect(found.left).toBe(3);
  expect(fixed.lines).toContain(`The drop ${gone} is gone, and has versions: removed.`);
  expect(fixed.left).toBe(0);
  expect(await served.listVersions(gone)).toEqual([]);
  for (const orphan of orphans) expect(await versionCount(orphan)).toBe(0);
  const { baseUrl } = given.service;
  const host = `http://ada.${new URL(baseUrl).host}`;
  expect(
    await statusesOf([`${baseUrl}/p/${kept}/raw?v=1`, `${baseUrl}/p/${kept}/context`, `${host}/b/${id}`]),
  ).toEqual([200, 200, 200]);
});
