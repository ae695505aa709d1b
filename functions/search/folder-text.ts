import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { entryOf } from "../folders/entry.ts";

/** Maximum of a folder's pages that are searched besides its entry page. */
const pagesMax = 100;

const page = /\.html?$/i;

/** A readable page of a folder. */
interface FolderPage {
  readonly sizeBytes: number;
  /** Undefined if the version was deleted meanwhile. */
  read(): Promise<Buffer | undefined>;
}

/** The other pages of the latest version's folder, and the names of all its files. */
export async function readFolder({ latest }: Pick<Drop, "latest">): Promise<{
  readonly pages: readonly FolderPage[];
  readonly names: readonly string[];
}> {
  const manifest = (await pages.getManifest(latest.pageKey)) ?? { files: {} };
  const entry = entryOf(manifest);
  const files = Object.entries(manifest.files);
  const others = files.filter(([path]) => page.test(path) && path !== entry).slice(0, pagesMax);
  return {
    pages: others.map(([, file]) => ({ sizeBytes: file.sizeBytes, read: () => pages.getPart(file) })),
    names: files.map(([path]) => path),
  };
}
