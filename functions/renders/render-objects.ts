import { DeleteObjectsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { s3 } from "../drops/page-objects.ts";
import { environmentNames, readEnvironment } from "../http/environment.ts";
import { pictureKey, type Render, type RenderedPicture, renderObjectKeys, reportKey } from "./render.ts";
import type { Drawing, DrawnPicture, PictureName } from "./report.ts";

/** Stored fields of a render, which the rows that point at its objects share. */
type StoredRender = Pick<Render, "folder" | "pictures">;

/** Stores pictures, and a report if there is one, in a new folder, before a row points at it. */
export async function putRender(
  folder: string,
  { report, pictures }: Pick<Drawing, "pictures"> & Partial<Pick<Drawing, "report">>,
): Promise<StoredRender> {
  const drawn = Object.entries(pictures) as [PictureName, DrawnPicture][];
  const bodies = drawn.map(([name, { bytes, ...picture }]) => {
    const body = Buffer.from(bytes, "base64");
    return { body, picture: { name, ...picture, sizeBytes: body.byteLength } satisfies RenderedPicture };
  });
  await Promise.all([
    report && put(reportKey(folder), Buffer.from(JSON.stringify(report)), "application/json"),
    ...bodies.map(({ body, picture }) => put(pictureKey(folder, picture), body, picture.mediaType)),
  ]);
  return { folder, pictures: bodies.map(({ picture }) => picture) };
}

/** Removes the objects of a render that no row points at, or leaves it to the orphan check. */
export async function discardRender(stored: StoredRender): Promise<void> {
  const objects = renderObjectKeys(stored).map((Key) => ({ Key }));
  const command = new DeleteObjectsCommand({ Bucket: bucket(), Delete: { Objects: objects, Quiet: true } });
  await s3.send(command).catch(() => undefined);
}

async function put(Key: string, Body: Buffer, ContentType: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket(), Key, Body, ContentType }));
}

function bucket(): string {
  return readEnvironment(environmentNames.pagesBucket);
}
