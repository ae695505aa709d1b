import { findTarget as findNamed, type Target } from "../../functions/administration/targets.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { rawUrl, type Site } from "../../functions/http/site.ts";
import { quote, UsageError } from "./command.ts";

/**
 * Finds the page or file by its slug or address.
 *
 * @throws UsageError if there is no such page or file
 */
export async function findTarget(site: Site, text: string): Promise<Target> {
  const target = await findNamed(site, text);
  if (target !== undefined) return target;
  throw new UsageError(
    `${quote(text)} is neither a slug nor an address of ${site.baseUrl}. Use the address of a page or file, such as ${rawUrl(site, "ada", "Ab3dE6g")}.`,
  );
}

/** Finds a drop by its slug or address. Throws if the drop does not exist. */
export async function findDrop(site: Site, text: string): Promise<Drop> {
  const target = await findTarget(site, text);
  const drop = target.kind === "page" ? await publicDrops.findBySlug(target.slug) : undefined;
  if (drop !== undefined) return drop;
  const what =
    target.kind === "page" ? `with the slug ${quote(target.slug)}` : `at ${quote(text)}, which is a file`;
  throw new UsageError(`There is no drop ${what}.`);
}
