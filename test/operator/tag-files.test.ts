import {
  CopyObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectTaggingCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { fileMetadata } from "../../functions/http/response.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { tagFilesCommand } from "../../scripts/operator/upkeep/tag-files.ts";
import { newOwner, type Owner, openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();
const Bucket = given.service.blobsBucket;

const tagFiles = (options: Record<string, boolean> = {}) => runCommand(tagFilesCommand, given, [], options);
const addressOf = ({ namespace }: Owner, id: string) =>
  `http://${namespace}.${new URL(given.service.baseUrl).host}/b/${id}`;
const ask = async (address: string) => {
  const { status, headers, body } = await sendPublic(address);
  return { status, outcome: String(headers["x-cache"]).split(" ")[0], text: body.toString() };
};

/** A file as versions before cache tags have stored it. */
async function uploadUntagged(owner: Owner): Promise<{ readonly id: string; readonly Key: string }> {
  const id = await owner.upload("a note");
  const Key = `${owner.namespace}/${id}`;
  const { Metadata, ContentType, ContentDisposition, CacheControl } = await s3.send(
    new HeadObjectCommand({ Bucket, Key }),
  );
  expect(Metadata).toEqual(fileMetadata({ namespace: owner.namespace, id }));
  const headers = { ContentType, ContentDisposition, CacheControl, MetadataDirective: "REPLACE" } as const;
  await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${Key}`, ...headers }));
  return { id, Key };
}

test("a file from before cache tags is found and tagged, and the edge forgets it from then on when it is deleted", {
  tags: "slow",
}, async () => {
  const owner = await newOwner(given.service, "untagged");
  const { id, Key } = await uploadUntagged(owner);
  const TagSet = [{ Key: "scan", Value: "clean" }];
  await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
  const before = await s3.send(new HeadObjectCommand({ Bucket, Key }));

  const told = await tagFiles();
  const fixed = await tagFiles({ fix: true });
  const again = await tagFiles();

  expect([told.isWell, fixed.isWell, again.isWell]).toEqual([false, true, true]);
  expect(told.lines.join()).toMatch(/^Files without a cache tag: [1-9]\d*\.$/);
  expect(fixed.lines.join()).toMatch(/^Files without a cache tag: [1-9]\d*, tagged\.$/);
  expect(again.lines).toEqual(["Files without a cache tag: 0."]);
  const after = await s3.send(new HeadObjectCommand({ Bucket, Key }));
  expect(after.Metadata).toEqual(fileMetadata({ namespace: owner.namespace, id }));
  for (const name of ["ContentType", "ContentDisposition", "CacheControl", "ETag"] as const)
    expect([name, after[name]]).toEqual([name, before[name]]);
  expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet).toEqual(TagSet);
  const address = addressOf(owner, id);
  expect([(await ask(address)).outcome, (await ask(address)).outcome]).toEqual(["Miss", "Hit"]);
  await owner.call("DELETE", `/api/blobs/${id}`);
  await expect.poll(async () => (await ask(address)).status).toBe(404);
});

test("a file that is deleted while it is tagged does not come back", { tags: "slow" }, async () => {
  const owner = await newOwner(given.service, "untagged-late");
  const { id, Key } = await uploadUntagged(owner);
  const send = s3.send.bind(s3);
  const isThere = () => send(new HeadObjectCommand({ Bucket, Key })).then(Boolean, () => false);
  // The copy comes to its end after all that the deletion has removed, as S3's own may.
  s3.send = (async (command: object) => {
    if (command instanceof CopyObjectCommand && command.input.Key === Key) {
      const source = `${Bucket}/${owner.namespace}/${await owner.upload("a note")}`;
      await owner.call("DELETE", `/api/blobs/${id}`);
      await expect.poll(isThere).toBe(false);
      return send(new CopyObjectCommand({ ...command.input, CopySource: source }));
    }
    return send(command as HeadObjectCommand);
  }) as typeof s3.send;

  const { isWell } = await tagFiles({ fix: true }).finally(() => {
    s3.send = send;
  });

  expect(isWell).toBe(true);
  expect(await isThere()).toBe(false);
});
