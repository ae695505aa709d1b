import { confirmByName, defineCommand, yesOption } from "../command.ts";
import { copyBlob } from "../export/blob-copy.ts";
import { type CopyFolder, makeCopyFolder } from "../export/copy-folder.ts";
import { copyDrop } from "../export/drop-copy.ts";
import { requireNotHeld } from "../hold/legal-holds.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import {
  findTakedown,
  invalidateAgain,
  publicAddresses,
  type Takedown,
  takeDown,
  waitUntilGone,
} from "./takedown.ts";
import { findTarget, type TakedownTarget, toUrl } from "./takedown-target.ts";

/** `takedown <slug or address>` */
export const takedownCommand = defineCommand({
  name: "takedown",
  words: "<slug or address>",
  summary: "deletes a page or a file for everyone, at once",
  details: `
Deletes the page with all versions as its owner would, and all versions in S3, also of earlier deletions. Invalidates CloudFront's cache
and waits until the public addresses and the reported one answer 404. An address with /b/ is that of a file. Any spelling of an address
works: the command prints what it understood.

This cannot be undone, and the slug is never used again. A copy is saved in a folder first. What is on legal hold is refused: suspend
makes it unreadable.`,
  options: {
    ...serviceOptions,
    copy: { type: "string", value: "<folder>", help: "the folder of the copy (takedown-<slug>)" },
    "no-copy": { type: "boolean", help: "saves no copy" },
    yes: yesOption,
  },
  async run(input, terminal) {
    const address = input.word;
    const service = await openService(input.options);
    const target = await findTarget(service, address);
    terminal.print(`${address} is ${nameOf(target)}.`);
    const takedown = await findTakedown(service, target);
    if (takedown === undefined) {
      terminal.print(`Nothing exists at ${address}. It may be deleted already.`);
      return false;
    }
    const name = takedown.kind === "page" ? takedown.slug : takedown.id;
    await requireNotHeld(takedown.ownerId, takedown.kind === "page" ? name : undefined);
    await confirmByName(terminal, { name, isSure: input.options.yes, warning: describe(takedown) });
    const { copy: folder = `takedown-${name}`, "no-copy": isUncopied } = input.options;
    const isCopied = isUncopied || (await copy(service, takedown, await makeCopyFolder(folder), terminal));
    const reported = address === name ? undefined : toUrl(service, address.trim())?.href;
    const addresses = [
      ...new Set([...(await publicAddresses(service, takedown)), ...(reported ? [reported] : [])]),
    ];
    await takeDown(service, takedown, await operatorAct(service, "takedown"));
    terminal.print(`${name} is deleted. Waiting until the edge cache is invalidated …`);
    await invalidateAgain(service, takedown);
    const isGone = await waitUntilGone(addresses, terminal);
    if (isGone) terminal.print(`${name} is gone: ${addresses.length} addresses answer 404.`);
    return isGone && isCopied;
  },
});

function nameOf(target: TakedownTarget): string {
  return target.kind === "page" ? `the page ${target.slug}` : `the file ${target.id} of ${target.namespace}`;
}

function describe(takedown: Takedown): string {
  if (takedown.kind === "file") {
    const { id, namespace, blob } = takedown;
    if (blob === undefined) return `The rest of the file ${id} of ${namespace} will be deleted.`;
    return `The file ${blob.id}, ${blob.filename}, of ${blob.namespace} will be deleted.`;
  }
  const { drop, slug } = takedown;
  if (drop === undefined) return `The rest of the page ${slug} will be deleted.`;
  return `The page ${slug}, ${quote(drop.title)}, of ${drop.namespace} will be deleted with its ${drop.versionCount} versions.`;
}

/** Resolves to false if the copy is incomplete. Damaged content is taken down all the same. */
async function copy(
  service: Service,
  takedown: Takedown,
  folder: CopyFolder,
  terminal: Terminal,
): Promise<boolean> {
  const problems = await copyInto(folder, service, takedown);
  for (const problem of problems) terminal.print(problem);
  terminal.print(`A copy is in ${folder.path}.`);
  return problems.length === 0;
}

async function copyInto(folder: CopyFolder, service: Service, takedown: Takedown): Promise<string[]> {
  if (takedown.kind === "file") {
    if (takedown.blob === undefined) return [];
    await folder.writeJson(takedown.blob, "file.json");
    return copyBlob(service.blobsBucket, takedown.blob, folder);
  }
  return takedown.drop === undefined ? [] : copyDrop(service, takedown.drop, folder);
}
