import { join } from "node:path";
import { ListObjectsV2Command, ListObjectVersionsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { writeOperatorAccess } from "@dropleaf/local-cloud/operator-access";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextKey } from "../../functions/drops/drop.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { toThreadItem } from "../../functions/feedback/items.ts";
import { keys } from "../../functions/table/keys.ts";
import { deleteItems, transact } from "../../functions/table/table-writes.ts";
import { openService, type Service } from "../../scripts/operator/service.ts";
import { readTable } from "../../scripts/operator/table-reads.ts";
import { sweep, sweepCommand } from "../../scripts/operator/upkeep/sweep.ts";
import { givenBlob, givenDrop, givenWorld } from "../faults/given-world.ts";
import { givenAct } from "../support/given-act.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";
import { runCommand, scratchFolder } from "./given-service.ts";

// A sweep reads everything and treats new objects as leftovers, so the test has its own storage without a running service.
const dataDirectory = join(scratchFolder(), "data");
let running: OwnStorage;
let service: Service;

beforeAll(async () => {
  running = await runOwnStorage(dataDirectory);
  const { url: awsEndpointUrl, administrator } = running.endpoint;
  const { outputs } = running.template;
  writeOperatorAccess(dataDirectory, { address: "", awsEndpointUrl, administrator, outputs });
  service = await openService({ local: dataDirectory });
});

afterAll(() => running.remove());

async function sweepAll(fix: boolean) {
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  return {
    left: await sweep(service, { objectsBeforeMs: Date.now() + 1_000, fix, act: givenAct(), report }),
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

/** Returns the keys of all items except audit entries, and of all objects. */
async function everything(): Promise<string[]> {
  const found: string[] = [];
  for await (const items of readTable(service.tableName)) {
    found.push(...items.map(({ pk, sk }) => `${pk} ${sk}`));
  }
  for (const Bucket of [service.pagesBucket, service.blobsBucket]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    found.push(...Contents.map(({ Key }) => `${Bucket}/${Key}`));
  }
  return found.filter((one) => !one.startsWith("AUDIT#")).sort();
}

test("a sweep finds unreferenced objects, removes them on request, and changes nothing else", {
  tags: "slow",
}, async () => {
  const { pagesBucket, blobsBucket } = service;
  const world = await givenWorld(1);
  const kept = await givenDrop(world);
  await givenBlob(world);
  const unknown = await putObject(pagesBucket, "notes.txt");
  const thread = {
    thread: 1,
    state: "open",
    version: 1,
    commentCount: 0,
    createdAtMs: 1,
    updatedAtMs: 1,
  } as const;
  await transact([{ put: toThreadItem({ ...thread, slug: kept.slug }) }]);
  const before = await everything();
  const gone = await givenDrop(world);
  // The drop's other items and objects stay, as if the janitor had failed.
  await deleteItems([keys.drop(world.userId, gone.slug)]);
  await transact([{ put: toThreadItem({ ...thread, slug: gone.slug }) }]);
  const goneObjects = [gone.latest.pageKey, contextKey(gone.latest.pageKey)].map(
    (key) => `${pagesBucket}/${key}`,
  );
  const orphans = [
    await putObject(blobsBucket, `${world.namespace}/Zzzzzz9`),
    await putObject(pagesBucket, `${kept.slug}/AAAABBBBCCCCDDDD.html`),
  ];

  const byCommand = await runCommand(sweepCommand, { dataDirectory }, []);
  const found = await sweepAll(false);
  const foundNothingElse = await everything();
  const fixed = await sweepAll(true);

  // The command leaves new objects out, because their items may follow.
  expect(byCommand.lines).toEqual([`The drop ${gone.slug} is deleted, but has versions.`, "Left over: 1."]);
  expect(byCommand.isWell).toBe(false);
  for (const orphan of orphans) expect(found.lines).toContain(`No table item refers to ${orphan}.`);
  expect(found.lines).toContain(`Not an object of the service: ${JSON.stringify(unknown)}.`);
  expect(found.left).toBe(3);
  expect(foundNothingElse).toEqual(expect.arrayContaining([...orphans, ...goneObjects]));
  expect(fixed.lines).toContain(`The drop ${gone.slug} is deleted, but has versions: removed.`);
  expect(fixed.left).toBe(0);
  expect(await publicDrops.listVersions(gone.slug)).toEqual([]);
  for (const object of [...orphans, ...goneObjects]) expect(await versionCount(object)).toBe(0);
  // Only the reserved slug of the deleted drop remains.
  expect((await everything()).filter((one) => one !== `${keys.pointer(gone.slug).pk} SLUG`)).toEqual(before);
});
