import { PutObjectCommand } from "@aws-sdk/client-s3";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { type Render, renderObjectKeys } from "../../functions/renders/render.ts";
import { toRenderItem } from "../../functions/renders/store.ts";
import { writeItems } from "../../functions/table/table-writes.ts";

/** Stores the items and objects of a rendering of a drop's first version and its PDF. The tests' service has no rendering. */
export async function givenRender(pagesBucket: string, slug: string): Promise<Render> {
  const pageKey = (await publicDrops.findVersion(slug, 1))?.pageKey ?? "";
  const picture = { name: "card" as const, mediaType: "image/png", widthPx: 1, heightPx: 1, sizeBytes: 1 };
  const render: Render = {
    slug,
    version: 1,
    pageKey,
    state: "rendered",
    folder: `${slug}/Render0000000001`,
    pictures: [picture],
    atMs: Date.now(),
    milliseconds: 1,
  };
  const pdf: Render = { ...render, extent: "pdf", folder: `${slug}/Printed000000001`, pictures: [] };
  for (const Key of [render, pdf].flatMap(renderObjectKeys)) {
    await s3.send(new PutObjectCommand({ Bucket: pagesBucket, Key, Body: "rendered" }));
  }
  await writeItems({ puts: [render, pdf].map(toRenderItem), deletes: [] });
  return render;
}
