import { setTimeout as sleep } from "node:timers/promises";
import { findHolder } from "../../functions/administration/legal-holds.ts";
import { findTakedown, forget, type Takedown, takeDown } from "../../functions/administration/takedown.ts";
import { toUrl } from "../../functions/administration/targets.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { folderHostId } from "../../functions/http/folder-host.ts";
import { blobUrl, folderUrl, rawUrl, type Site } from "../../functions/http/site.ts";
import { quote, yesOption } from "./command.ts";
import { copyBlob, copyDrop, makeCopyFolder, writeJson } from "./export.ts";
import { onHold } from "./hold.ts";
import { sendPublic } from "./public-request.ts";
import { defineServiceCommand } from "./service.ts";
import { findTarget } from "./target.ts";

export const takedownCommand = defineServiceCommand({
  usage: "takedown <slug or address>",
  summary: "deletes a page or a file for everyone, at once",
  details: `
Deletes all versions, including deleted ones that S3 still keeps, invalidates CloudFront's cache, and waits until the public addresses and
the reported address respond 404. Accepts an address in any spelling, and prints which page or file it found. Addresses with /b/ are those
of files.

A takedown cannot be undone, and the slug is never used again. Saves a copy in a folder first. Refuses pages and files on legal hold. Run
suspend for these instead.`,
  options: {
    "copy <folder>": "the folder of the copy (takedown-<slug>)",
    "no-copy": "saves no copy",
    yes: yesOption,
  },
  async run({ word: address, options, service, action, confirm, print, printAll }) {
    const target = await findTarget(service, address);
    const isPage = target.kind === "page";
    const name = isPage ? target.slug : target.id;
    print(`${address} is ${isPage ? `the page ${name}` : `the file ${name} of ${target.namespace}`}.`);
    const takedown = await findTakedown(service, target);
    if (takedown === undefined) {
      print(`Nothing exists at ${address}. It may be deleted already.`);
      return false;
    }
    // The transaction of the deletion checks the hold again.
    const holder = await findHolder(takedown.ownerId, isPage ? name : undefined);
    if (holder !== undefined) throw onHold(holder);
    await confirm(name, describe(takedown));
    const problems: string[] = [];
    if (!options["no-copy"]) {
      const folder = await makeCopyFolder(options.copy ?? `takedown-${name}`);
      if (takedown.kind === "page" && takedown.drop)
        problems.push(...(await copyDrop(service, takedown.drop, folder)));
      if (takedown.kind === "file" && takedown.blob) {
        await writeJson(takedown.blob, folder, "file.json");
        problems.push(...(await copyBlob(service.blobsBucket, takedown.blob, folder)));
      }
      printAll(problems, `A copy is in ${folder}.`);
    }
    const reported = address === name ? undefined : toUrl(service, address.trim())?.href;
    const all = [...(await publicAddresses(service, takedown)), reported ?? []].flat();
    const addresses = [...new Set(all)];
    await takeDown(service, takedown, await action("takedown"));
    print(`${name} is deleted. Waiting until the edge cache is invalidated …`);
    // Invalidates the cache twice, because the response to a request that began before the takedown may be cached after the first
    // invalidation.
    await sleep(service.requestMsMax);
    await forget(takedown);
    const isGone = await waitUntilGone(addresses, print);
    if (isGone) print(`${name} is gone: ${addresses.length} addresses respond 404.`);
    // The content is taken down even if the copy had problems. These problems were printed before.
    return isGone && problems.length === 0;
  },
});

function describe(takedown: Takedown): string {
  if (takedown.kind === "file") {
    const { id, namespace, blob } = takedown;
    if (blob === undefined) return `The remaining data of the file ${id} of ${namespace} will be deleted.`;
    return `The file ${blob.id} (${blob.filename}) of ${blob.namespace} will be deleted.`;
  }
  const { drop, slug } = takedown;
  if (drop === undefined) return `The remaining data of the page ${slug} will be deleted.`;
  return `The page ${slug} (${quote(drop.title)}) of ${drop.namespace} will be deleted with its ${drop.versionCount} versions.`;
}

/** Lists the public addresses that may be in the edge's cache. */
async function publicAddresses(site: Site, takedown: Takedown): Promise<string[]> {
  if (takedown.kind === "file") return [blobUrl(site, takedown.namespace, takedown.id)];
  const { slug, drop } = takedown;
  const listed = await publicDrops.listVersions(slug);
  const page = `${site.baseUrl}/p/${slug}`;
  const raws = [`${page}/raw`, ...(drop ? [rawUrl(site, drop.namespace, slug)] : [])];
  const folders = listed.filter(({ folder }) => folder !== undefined).map(({ version }) => version);
  const id = folderHostId(slug);
  return [
    page,
    ...[undefined, ...folders].flatMap((version) => folderUrl(site, { id, version }) ?? []),
    ...raws.flatMap((raw) => [raw, ...listed.map(({ version }) => `${raw}?v=${version}`)]),
  ];
}

/** Maximum wait for an invalidation. CloudFront takes one or two minutes. */
const waitMsMax = 180_000;

/** Waits until all addresses respond 404 or redirect. After `waitMsMax`, prints the remaining addresses and resolves to false. */
export async function waitUntilGone(
  addresses: readonly string[],
  print: (line: string) => void,
): Promise<boolean> {
  const untilMs = Date.now() + waitMsMax;
  let left = addresses;
  for (;;) {
    const statuses = await Promise.all(left.map(async (address) => (await sendPublic(address)).status));
    left = left.filter((_, index) => statuses[index] !== 404 && statuses[index] !== 308);
    if (left.length === 0) return true;
    if (Date.now() >= untilMs) break;
    await sleep(1_000);
  }
  for (const address of left) print(`Still visible at ${address}`);
  return false;
}
