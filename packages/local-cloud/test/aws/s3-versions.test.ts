import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, BUCKET, BUCKET_ARN, ROLE_ARN, stackOf } from "./stack.ts";

const Bucket = BUCKET;
const versioned = {
  Pages: { Type: "AWS::S3::Bucket", Properties: { VersioningConfiguration: { Status: "Enabled" } } },
};

let running: RunningEndpoint;
let client: S3Client;

beforeAll(async () => {
  running = await runEndpoint(
    stackOf(
      [allow(["s3:GetObject", "s3:DeleteObject", "s3:ListBucket"], [BUCKET_ARN, `${BUCKET_ARN}/*`])],
      versioned,
    ),
  );
  client = running.s3();
});

afterAll(() => running.remove());

const put = async (Key: string, Body: string, s3 = client) =>
  (await s3.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId;
const read = async (Key: string, VersionId?: string, s3 = client) =>
  (await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }))).Body?.transformToString();
const remove = (Key: string, VersionId?: string, s3 = client) =>
  s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));

/** Lists the versions and the delete markers below a prefix, in the order of the listing. */
async function versionsOf(Prefix: string, s3 = client) {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket, Prefix }),
  );
  return {
    versions: Versions.map(({ VersionId, IsLatest }) => [VersionId, IsLatest]),
    markers: DeleteMarkers.map(({ VersionId, IsLatest }) => [VersionId, IsLatest]),
  };
}

describe('in a versioned bucket ("How S3 Versioning works")', () => {
  test("a replaced object is kept, and is read by its version id", async () => {
    const first = await put("replaced", "one");
    const second = await put("replaced", "two");

    expect(await read("replaced")).toBe("two");
    expect(await read("replaced", first)).toBe("one");
    expect(await read("replaced", second)).toBe("two");
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: "replaced" }));
    expect(head.VersionId).toBe(second);
    expect(await versionsOf("replaced")).toEqual({
      versions: [
        [second, true],
        [first, false],
      ],
      markers: [],
    });
  });

  test('a deletion leaves a delete marker, which hides the object ("Working with delete markers")', async () => {
    const version = await put("deleted", "x");

    const { DeleteMarker, VersionId: marker } = await remove("deleted");

    expect(DeleteMarker).toBe(true);
    await expect(read("deleted")).rejects.toMatchObject({
      name: "NoSuchKey",
      $response: { headers: { "x-amz-delete-marker": "true", "x-amz-version-id": marker } },
    });
    const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "deleted" }));
    expect(listed.Contents ?? []).toEqual([]);
    expect(await read("deleted", version)).toBe("x");
    await expect(read("deleted", marker)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 405 },
      $response: { headers: { "x-amz-delete-marker": "true" } },
    });
    expect(await versionsOf("deleted")).toEqual({ versions: [[version, false]], markers: [[marker, true]] });
  });

  test("each deletion adds a delete marker, even for a missing object", async () => {
    await remove("never");
    await remove("never");

    const { versions, markers } = await versionsOf("never");

    expect(versions).toEqual([]);
    expect(markers.map(([, isLatest]) => isLatest)).toEqual([true, false]);
  });

  test('removing the delete marker restores the object ("Managing delete markers")', async () => {
    const version = await put("back", "as it was");
    const { VersionId: marker } = await remove("back");

    const response = await remove("back", marker);

    expect([response.DeleteMarker, response.VersionId]).toEqual([true, marker]);
    expect(await read("back")).toBe("as it was");
    expect(await versionsOf("back")).toEqual({ versions: [[version, true]], markers: [] });
  });

  test('a deleted version is permanently removed, and the previous one becomes current ("Deleting object versions")', async () => {
    const first = await put("undone", "one");
    const second = await put("undone", "two");

    await remove("undone", second);

    expect(await read("undone")).toBe("one");
    await expect(read("undone", second)).rejects.toMatchObject({ name: "NoSuchVersion" });
    await remove("undone", first);
    await remove("undone", first);
    expect(await versionsOf("undone")).toEqual({ versions: [], markers: [] });
    await expect(read("undone")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("an old version can be deleted without newer ones", async () => {
    const first = await put("thinned", "one");
    await put("thinned", "two");
    await remove("thinned");

    await remove("thinned", first);

    const { versions, markers } = await versionsOf("thinned");
    expect([versions.length, markers.length]).toEqual([1, 1]);
    await expect(read("thinned")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("no concurrent write is lost, and the newest one is read", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => put("contested", `writer ${index}`)));

    const { versions } = await versionsOf("contested");

    expect(versions).toHaveLength(12);
    const texts = await Promise.all(versions.map(([id]) => read("contested", id as string)));
    expect(new Set(texts).size).toBe(12);
    expect(await read("contested")).toBe(texts[0]);
  });

  test('DeleteObjects accepts version ids, and returns the ids of the delete markers that it creates ("DeleteObjects")', async () => {
    const version = await put("several/a", "a");
    await put("several/b", "b");

    const { Deleted = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: [{ Key: "several/a", VersionId: version }, { Key: "several/b" }] },
      }),
    );

    expect(Deleted[0]).toEqual({ Key: "several/a", VersionId: version });
    expect(Deleted[1]).toMatchObject({ Key: "several/b", DeleteMarker: true });
    const { versions, markers } = await versionsOf("several/");
    expect([versions.length, markers]).toEqual([1, [[Deleted[1]?.DeleteMarkerVersionId, true]]]);
  });

  test('an old version can be copied ("CopyObject")', async () => {
    const first = await put("copied", "one");
    await put("copied", "two");

    const copy = await client.send(
      new CopyObjectCommand({
        Bucket,
        Key: "copied",
        CopySource: `${Bucket}/copied?versionId=${first}`,
        MetadataDirective: "REPLACE",
      }),
    );

    expect(await read("copied")).toBe("one");
    expect((await versionsOf("copied")).versions[0]).toEqual([copy.VersionId, true]);
  });

  test('a listing returns every version once over its pages, newest first for each key ("ListObjectVersions")', async () => {
    const expected: string[] = [];
    for (const key of ["paged/a", "paged/b"]) {
      const ids = [await put(key, "one"), await put(key, "two"), (await remove(key)).VersionId];
      expected.push(...ids.reverse().map((id) => `${key} ${id}`));
    }
    const found: string[] = [];
    let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};

    for (let isTruncated = true; isTruncated; ) {
      const page = await client.send(
        new ListObjectVersionsCommand({ Bucket, Prefix: "paged/", MaxKeys: 1, ...marker }),
      );
      for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
        found.push(`${Key} ${VersionId}`);
      isTruncated = page.IsTruncated === true;
      marker = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }

    expect(found).toEqual(expected);
    const after = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix: "paged/", KeyMarker: "paged/a" }),
    );
    expect(new Set(after.Versions?.map(({ Key }) => Key))).toEqual(new Set(["paged/b"]));
  });

  test("an invalid version id, or a version marker without a key marker, is refused", async () => {
    const listing = new ListObjectVersionsCommand({ Bucket, VersionIdMarker: "null" });

    await expect(read("replaced", "../x")).rejects.toMatchObject({ name: "InvalidArgument" });
    await expect(client.send(listing)).rejects.toMatchObject({ name: "InvalidArgument" });
  });
});

test('versions need separate permissions ("Actions, resources, and condition keys for Amazon S3")', async () => {
  const version = await put("guarded", "x");
  const limited = running.s3(running.endpoint.credentialsFor(ROLE_ARN));

  expect(await read("guarded", undefined, limited)).toBe("x");
  const refused = { name: "AccessDenied" };
  await expect(read("guarded", version, limited)).rejects.toMatchObject(refused);
  await expect(remove("guarded", version, limited)).rejects.toMatchObject(refused);
  await expect(versionsOf("guarded", limited)).rejects.toMatchObject(refused);
  const { Errors } = await limited.send(
    new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: [{ Key: "guarded", VersionId: version }] },
    }),
  );
  expect(Errors).toMatchObject([{ Key: "guarded", VersionId: version, Code: "AccessDenied" }]);
  expect((await remove("guarded", undefined, limited)).DeleteMarker).toBe(true);
  expect(await read("guarded", version)).toBe("x");
});

test('an object stored before versioning was enabled is the null version ("Adding objects to versioning-enabled buckets")', {
  tags: "slow",
}, async () => {
  const before = await runEndpoint(stackOf());
  expect(await put("old", "before", before.s3())).toBeUndefined();
  await put("gone", "before", before.s3());
  await remove("gone", undefined, before.s3());
  expect((await versionsOf("", before.s3())).versions).toEqual([["null", true]]);
  await before.endpoint.stop();

  const after = await runEndpoint(stackOf([], versioned), before.dataDirectory);
  const s3 = after.s3();

  expect(await read("old", undefined, s3)).toBe("before");
  const version = await put("old", "after", s3);
  expect(await versionsOf("", s3)).toEqual({
    versions: [
      [version, true],
      ["null", false],
    ],
    markers: [],
  });
  await remove("old", undefined, s3);
  await remove("old", version, s3);
  await after.endpoint.stop();
  const again = await runEndpoint(stackOf([], versioned), before.dataDirectory);
  expect(await read("old", "null", again.s3())).toBe("before");
  expect((await versionsOf("old", again.s3())).markers).toHaveLength(1);
  await again.remove();
});
