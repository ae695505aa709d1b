import { removeObjects } from "../background/remove-objects.ts";
import { pages, pagesBucket, s3 } from "../drops/page-objects.ts";
import { mediaTypes } from "../http/route.ts";
import {
  pdfKey,
  pictureKey,
  type Render,
  type RenderedPicture,
  renderObjectKeys,
  reportKey,
} from "./render.ts";
import type { Drawing, DrawnPicture, PictureName } from "./report.ts";

/** Stores pictures, and a report or PDF if present, in a new folder. The caller writes the render's item afterwards. */
export async function putRender(
  folder: string,
  { report, pictures, pdf }: Pick<Drawing, "pictures" | "pdf"> & Partial<Pick<Drawing, "report">>,
): Promise<Pick<Render, "folder" | "pictures">> {
  const drawn = Object.entries(pictures) as [PictureName, DrawnPicture][];
  const bodies = drawn.map(([name, { bytes, ...picture }]) => {
    const body = Buffer.from(bytes, "base64");
    return { body, picture: { name, ...picture, sizeBytes: body.byteLength } satisfies RenderedPicture };
  });
  await Promise.all([
    report && pages.putBytes(reportKey(folder), Buffer.from(JSON.stringify(report)), "application/json"),
    pdf && pages.putBytes(pdfKey(folder), Buffer.from(pdf, "base64"), mediaTypes.pdf),
    ...bodies.map(({ body, picture }) =>
      pages.putBytes(pictureKey(folder, picture), body, picture.mediaType),
    ),
  ]);
  return { folder, pictures: bodies.map(({ picture }) => picture) };
}

/** Removes the objects of a render whose item was not written. If the removal fails, the orphan check removes the objects later. */
export async function discardRender(render: Render): Promise<void> {
  await removeObjects(s3, pagesBucket(), renderObjectKeys(render)).catch(() => undefined);
}
