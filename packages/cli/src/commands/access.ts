import { existsSync } from "node:fs";
import {
  type AnswersOptions,
  answersFields,
  callForDrop,
  describeReaders,
  dropPath,
  findNamedDrop,
  readDrop,
} from "../drop.ts";
import type { Expiry } from "../expiry.ts";
import { forgetPublishedSlug } from "../published-files.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { askSecret, confirm } from "../terminal/dialog.ts";
import { type Output, writeResult, writeWarnings } from "../terminal/output.ts";

interface LockOptions extends ServiceOption {
  readonly passcode?: string;
  readonly off?: true;
}

/** Sets or removes the passcode of a drop. By default, asks for it, so that it is not in the shell's history. */
export async function lock(name: string, options: LockOptions, output: Output): Promise<void> {
  const named = await findNamedDrop(name, options.service);
  const passcode = options.off
    ? ""
    : (options.passcode ?? process.env.DROPLEAF_PASSCODE ?? (await askPasscode(output)));
  const drop = await callForDrop(named, "/passcode", { passcode });
  const message = options.off ? "no longer needs a passcode." : "now needs the passcode.";
  writeResult(output, drop, [`${drop.url} ${message}`]);
}

function askPasscode(output: Output): Promise<string> {
  return askSecret(output, "Passcode (4 characters or more)", {
    otherwise: "Can't ask for the passcode here. Set DROPLEAF_PASSCODE, or add --passcode",
    refusal: "Nothing was changed.",
  });
}

interface ShareOptions extends ServiceOption, AnswersOptions {
  readonly visibility?: string;
  readonly reader: readonly string[];
  readonly expires?: Expiry;
}

/** Shows or changes a drop's readers, its expiry, and who may answer its forms. Named readers replace the earlier readers. */
export async function share(
  name: string,
  { service, visibility, reader, expires, ...options }: ShareOptions,
  output: Output,
): Promise<void> {
  const named = await findNamedDrop(name, service);
  const namesReaders = visibility !== undefined || reader.length > 0;
  const answers = answersFields(options);
  const fields = {
    ...(namesReaders ? { visibility: visibility ?? "people" } : {}),
    ...expires,
    ...answers,
    ...(reader.length > 0 ? { readers: reader } : {}),
  };
  const drop =
    Object.keys(fields).length > 0 ? await callForDrop(named, "", fields, "PATCH") : await readDrop(named);
  writeWarnings(drop);
  writeResult(output, drop, [drop.url, describeReaders(drop)]);
}

/** Moves a drop to a team that the user may publish for, or to the user's own account. */
export async function move(
  name: string,
  { service, to }: ServiceOption & { readonly to: string },
  output: Output,
): Promise<void> {
  const drop = await callForDrop(await findNamedDrop(name, service), "/move", { to });
  writeResult(output, drop, [`${drop.url} now belongs to ${to}. Its address and readers stay the same.`]);
}

/** Deletes a drop with all its versions, after the user's confirmation. */
export async function remove(
  name: string,
  { service, yes }: ServiceOption & { readonly yes?: true },
  output: Output,
): Promise<void> {
  const named = await findNamedDrop(name, service);
  const { client, slug } = named;
  if (!yes) {
    const { title, latest_version: count } = await readDrop(named);
    const question = `Delete "${title}" with its ${count} version${count === 1 ? "" : "s"}? Its link will stop working.`;
    await confirmDeletion(question, `dropleaf rm ${slug}`, output);
  }
  await client.send(dropPath(slug), { method: "DELETE" });
  if (existsSync(name)) await forgetPublishedSlug(name);
  writeResult(output, { slug, deleted: true }, [
    `${slug} is deleted, with all its versions. dropleaf trash lists the drops that you can restore.`,
  ]);
}

/**
 * Asks the user for confirmation.
 * @throws Problem if the user does not confirm
 */
export function confirmDeletion(message: string, command: string, output: Output): Promise<void> {
  return confirm(output, message, {
    otherwise: `Can't ask for confirmation here. To delete the drop with all its versions, run: ${command} --yes`,
    refusal: "Nothing was deleted.",
  });
}
