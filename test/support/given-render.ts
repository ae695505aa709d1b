import { randomInt } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import {
  pictureKey,
  type Render,
  type RenderedPicture,
  shownPictures,
} from "../../functions/renders/render.ts";
import { cardSize } from "../../functions/renders/report.ts";
import { toRenderItem } from "../../functions/renders/store.ts";
import { createObjectId } from "../../functions/table/identifiers.ts";
import { transact } from "../../functions/table/table-writes.ts";

/** Unique bytes that stand for a stored card or thumbnail; not a valid picture. */
export function givenPictureBytes(slug: string, version: number, name: string): Buffer {
  return Buffer.from(`${name} of ${slug}, version ${version}`);
}

/** Stores the card and the thumbnail of a version as the worker would: the objects first, then their item. */
export async function givenRender(
  { slug }: Pick<Drop, "slug">,
  version = 1,
  changes: Partial<Render> & { readonly thumbnail?: Buffer } = {},
): Promise<void> {
  const found = await publicDrops.findVersion(slug, version);
  if (found === undefined) throw new Error(`There is no version ${version} of ${slug}.`);
  const { thumbnail, ...row } = changes;
  const folder = `${slug}/${createObjectId(randomInt)}`;
  const bytesOf = (name: string) =>
    (name === "thumbnail" ? thumbnail : undefined) ?? givenPictureBytes(slug, version, name);
  const pictures = shownPictures.map(
    (name): RenderedPicture => ({
      name,
      mediaType: name === "card" ? "image/png" : "image/webp",
      widthPx: name === "card" ? cardSize.widthPx : 320,
      heightPx: name === "card" ? cardSize.heightPx : 200,
      sizeBytes: bytesOf(name).byteLength,
    }),
  );
  const Bucket = readEnvironment(environmentNames.pagesBucket);
  await Promise.all(
    pictures.map((picture) =>
      s3.send(
        new PutObjectCommand({
          Bucket,
          Key: pictureKey(folder, picture),
          Body: bytesOf(picture.name),
          ContentType: picture.mediaType,
        }),
      ),
    ),
  );
  const { pageKey } = found;
  const render = { slug, version, pageKey, folder, pictures, atMs: Date.now(), milliseconds: 1 };
  await transact([{ put: toRenderItem({ ...render, state: "rendered", ...row }) }]);
}
