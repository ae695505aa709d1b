import pLimit from "p-limit";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { entryPath } from "../folders/folder.ts";

/** Pages of a folder that are searched beside its entry page. */
const pagesMax = 100;

/** Pages that are read at the same time. */
const readsAtOnce = 10;

const page = /\.html?$/i;

/** The other pages of the latest version's folder, and the names of all its files. Nothing for an ordinary page. */
export async function readFolder({
  latest,
}: Pick<Drop, "latest">): Promise<{ readonly pages: readonly string[]; readonly names: readonly string[] }> {
  const manifest = latest.folder && (await pages.getManifest(latest.pageKey));
  if (manifest === undefined) return { pages: [], names: [] };
  const names = Object.keys(manifest.files);
  const limit = pLimit(readsAtOnce);
  const others = Object.entries(manifest.files).filter(([path]) => page.test(path) && path !== entryPath);
  const read = await Promise.all(
    others.slice(0, pagesMax).map(([, file]) => limit(() => pages.getPart(file))),
  );
  return { pages: read.flatMap((bytes) => (bytes === undefined ? [] : [bytes.toString()])), names };
}
