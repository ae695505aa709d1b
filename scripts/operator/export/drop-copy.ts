import { createHash } from "node:crypto";
import type { Drop, Version } from "../../../functions/drops/drop.ts";
import { pages } from "../../../functions/drops/page-objects.ts";
import { presentDrop, presentVersion } from "../../../functions/drops/presenter.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { presentConversation } from "../../../functions/feedback/presenter.ts";
import { feedback } from "../../../functions/feedback/store.ts";
import type { Site } from "../../../functions/http/site.ts";
import type { CopyFolder } from "./copy-folder.ts";

/**
 * Copies a drop with every page, context, source and folder of its versions, and what readers have written, into `drops/<slug>/`, and returns what is missing or
 * damaged: a line each. A version that was deleted meanwhile is left out.
 */
export async function copyDrop(site: Site, drop: Drop, folder: CopyFolder): Promise<string[]> {
  const problems: string[] = [];
  const versions: object[] = [];
  for (const version of (await publicDrops.listVersions(drop.slug)).reverse()) {
    const found = await copyVersion(version, folder);
    problems.push(...found);
    versions.push({ ...presentVersion(version), sha256: version.sha256, page: fileName(version) });
  }
  await folder.writeJson({ ...presentDrop(site, drop), versions }, "drops", drop.slug, "drop.json");
  const conversations = await feedback.list(drop.slug);
  if (conversations.length > 0)
    await folder.writeJson(conversations.map(presentConversation), "drops", drop.slug, "feedback.json");
  return problems;
}

async function copyVersion(version: Version, folder: CopyFolder): Promise<string[]> {
  const { slug, pageKey, hasContext, sha256 } = version;
  const [page, context, source] = await Promise.all([
    pages.get(pageKey),
    hasContext ? pages.getContext(pageKey) : undefined,
    version.source && pages.getSource(pageKey),
  ]);
  if (page) await folder.writeBytes(page.bytes, "drops", slug, fileName(version));
  if (context) await folder.writeBytes(context, "drops", slug, `${stem(version)}.context.txt`);
  if (source) await folder.writeBytes(source, "drops", slug, `${stem(version)}.md`);
  const absent = await copyFiles(version, folder);
  const isWhole = page !== undefined && createHash("sha256").update(page.bytes).digest("hex") === sha256;
  const isContextThere = !hasContext || context !== undefined;
  const isSourceThere = version.source === undefined || source !== undefined;
  if (isWhole && isContextThere && isSourceThere && absent.length === 0) return [];
  // Deleted between the listing and now.
  if ((await publicDrops.findVersion(slug, version.version)) === undefined) return [];
  const name = `version ${version.version} of ${slug}`;
  return [
    ...(page === undefined ? [`The page of ${name} is not in the bucket.`] : []),
    ...(page !== undefined && !isWhole ? [`The page of ${name} is not the one that was published.`] : []),
    ...(isContextThere ? [] : [`The context of ${name} is not in the bucket.`]),
    ...(isSourceThere ? [] : [`The Markdown of ${name} is not in the bucket.`]),
    ...absent.map((path) => `The file ${path} of ${name} is not in the bucket.`),
  ];
}

/** Copies the files of a folder into `<version>.files/`, and returns the paths of those that are not there. */
async function copyFiles({ slug, pageKey, ...version }: Version, folder: CopyFolder): Promise<string[]> {
  if (version.folder === undefined) return [];
  const manifest = await pages.getManifest(pageKey);
  if (manifest === undefined) return ["manifest"];
  const absent: string[] = [];
  for (const [path, file] of Object.entries(manifest.files)) {
    const bytes = await pages.getPart(file);
    if (bytes === undefined) absent.push(path);
    else await folder.writeBytes(bytes, "drops", slug, `${stem(version)}.files`, ...path.split("/"));
  }
  return absent;
}

function fileName(version: Version): string {
  return `${stem(version)}.html`;
}

function stem({ version }: Pick<Version, "version">): string {
  return `v${String(version).padStart(6, "0")}`;
}
