import { type Command, type CommandInput, confirmByName, onlyWord, textOption } from "../command.ts";
import { copyBlob } from "../export/blob-copy.ts";
import { makeCopyFolder } from "../export/copy-folder.ts";
import { copyDrop } from "../export/drop-copy.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import {
  findTakedown,
  forgetAgain,
  publicAddresses,
  type Takedown,
  takeDown,
  waitUntilGone,
} from "./takedown.ts";
import { parseTarget, type TakedownTarget, toUrl } from "./takedown-target.ts";

/** CloudFront has forgotten a path everywhere after a minute or two, mostly. */
const waitMsMax = 180_000;

/** `takedown <slug or address>` */
export const takedownCommand: Command = {
  usage: `<slug or address> ${serviceUsage}`,
  summary: "takes a page or a file down, for everyone and at once",
  help: `
The page, with all its versions, is deleted as if its owner had done it: readers and the owner's API hear not_found, and
the edge forgets it. Then this waits until its public addresses answer 404, and the reported one. A file's address (/b/…)
takes down the file. Any spelling of an address will do; what it was understood as is said first.

There is no way back: a slug is never issued twice, and all versions that S3 keeps are deleted too, those that the owner
deleted before among them. What was there is copied into a folder first.

  --copy <folder>  where the copy goes (takedown-<slug>)
  --no-copy        copies nothing
  --yes            does not ask${serviceHelp}`,
  options: {
    ...serviceOptions,
    copy: { type: "string" },
    "no-copy": { type: "boolean" },
    yes: { type: "boolean" },
  },
  async run(input, terminal) {
    const address = onlyWord(input, "page or file");
    const service = await openService(input);
    const target = parseTarget(service, address);
    terminal.print(`${address} is understood as ${nameOf(target)}.`);
    const takedown = await findTakedown(service, target);
    if (takedown === undefined) {
      terminal.print(`There is nothing at ${address}: never was, or not any more.`);
      return false;
    }
    const name = takedown.kind === "page" ? takedown.slug : takedown.id;
    await confirmByName(terminal, { name, isSure: input.options.yes === true, warning: describe(takedown) });
    const isCopied = await copy(service, takedown, input, terminal);
    const reported = address === name ? undefined : toUrl(service, address.trim())?.href;
    const addresses = [
      ...new Set([...(await publicAddresses(service, takedown)), ...(reported ? [reported] : [])]),
    ];
    await takeDown(service, takedown, await operatorAct(service, "takedown"));
    terminal.print(`${name} is deleted. Waiting for the edge to forget it …`);
    await forgetAgain(service, takedown);
    const left = await waitUntilGone(addresses, waitMsMax);
    for (const one of left) terminal.print(`Still to be seen at ${one}`);
    if (left.length === 0) terminal.print(`${name} is gone: ${addresses.length} addresses answer 404.`);
    return left.length === 0 && isCopied;
  },
};

function nameOf(target: TakedownTarget): string {
  return target.kind === "page" ? `the page ${target.slug}` : `the file ${target.id} of ${target.namespace}`;
}

function describe(takedown: Takedown): string {
  if (takedown.kind === "file") {
    const { id, namespace, blob } = takedown;
    if (blob === undefined) return `What is left of the file ${id} of ${namespace} will be deleted.`;
    return `The file ${blob.id}, ${blob.filename}, of ${blob.namespace} will be deleted.`;
  }
  const { drop, slug } = takedown;
  if (drop === undefined) return `What is left of the page ${slug} will be deleted.`;
  return `The page ${slug}, ${quote(drop.title)}, of ${drop.namespace} will be deleted with its ${drop.versionCount} versions.`;
}

/** Whether the copy holds everything; what is damaged is taken down all the same. */
async function copy(
  service: Service,
  takedown: Takedown,
  input: CommandInput,
  terminal: Terminal,
): Promise<boolean> {
  if (input.options["no-copy"] === true) return true;
  const name = takedown.kind === "page" ? takedown.slug : takedown.id;
  const folder = await makeCopyFolder(textOption(input, "copy") ?? `takedown-${name}`);
  const problems = await copyInto(folder, service, takedown);
  for (const problem of problems) terminal.print(problem);
  terminal.print(`A copy is in ${folder.path}.`);
  return problems.length === 0;
}

async function copyInto(
  folder: Awaited<ReturnType<typeof makeCopyFolder>>,
  service: Service,
  takedown: Takedown,
): Promise<string[]> {
  if (takedown.kind === "file") {
    if (takedown.blob === undefined) return [];
    await folder.writeJson(takedown.blob, "file.json");
    return copyBlob(service.blobsBucket, takedown.blob, folder);
  }
  return takedown.drop === undefined ? [] : copyDrop(service, takedown.drop, folder);
}
