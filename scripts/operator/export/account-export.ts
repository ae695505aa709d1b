import { presentToken } from "../../../functions/account/schemas.ts";
import { presentBlob } from "../../../functions/blobs/schemas.ts";
import { toBlob } from "../../../functions/blobs/store.ts";
import { drops } from "../../../functions/drops/store.ts";
import { type StoredResponse, storedResponses } from "../../../functions/http/idempotency.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { type Command, onlyWord, textOption, UsageError } from "../command.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { findUser, type User } from "../users.ts";
import { blobFileName, copyBlob } from "./blob-copy.ts";
import { type CopyFolder, makeCopyFolder } from "./copy-folder.ts";
import { copyDrop } from "./drop-copy.ts";

/** What an export found. */
export interface Exported {
  readonly dropCount: number;
  readonly fileCount: number;
  /** What is missing or damaged: a line each. */
  readonly problems: readonly string[];
}

/** Copies everything of an account into an empty folder. */
export async function exportAccount(service: Service, user: User, folder: CopyFolder): Promise<Exported> {
  const { userId, namespace, item, identity } = user;
  await folder.writeJson(
    {
      user_id: userId,
      namespace,
      username: item.username,
      identity,
      last_sign_in: item.lastIdentity ?? null,
      created_at: item.createdAtMs,
    },
    "account.json",
  );
  await folder.writeJson((await tokens.list(userId)).map(presentToken), "tokens.json");
  await folder.writeJson((await storedResponses.list(userId)).map(presentKept), "kept-answers.json");
  const problems: string[] = [];
  const all = await drops.list(userId);
  for (const drop of all) problems.push(...(await copyDrop(service, drop, folder)));
  const blobs = (await queryAll(ranges.blobs(userId))).map(toBlob);
  for (const blob of blobs) problems.push(...(await copyBlob(service.blobsBucket, blob, folder)));
  await folder.writeJson(
    blobs.map((blob) => ({ ...presentBlob(service, blob), file: blobFileName(blob) })),
    "files.json",
  );
  return { dropCount: all.length, fileCount: blobs.length, problems };
}

function presentKept({ operation, status, body, createdAtMs }: StoredResponse): object {
  return { operation, status, response: JSON.parse(body), created_at: createdAtMs };
}

/** `export <user>` */
export const exportCommand: Command = {
  usage: `<user id or namespace> --to <folder> ${serviceUsage}`,
  summary: "copies everything of an account into a folder",
  help: `
Copies the account, its drops with every version's page and context, their metadata, its files, the responses that are kept
for a day for repeated calls, and what is known of its tokens (not the tokens: they are not kept) into an empty folder that only you can read: JSON, and pages and files as they
were sent. Every page is compared with its digest. Changes nothing. Passcodes and device codes are left out.

  --to <folder>    where to; it is made, and must be empty${serviceHelp}`,
  options: { ...serviceOptions, to: { type: "string" } },
  async run(input, terminal) {
    const name = onlyWord(input, "account");
    const to = textOption(input, "to");
    if (to === undefined) throw new UsageError("Say where to: --to <folder>.");
    const service = await openService(input);
    const user = await findUser(name);
    const { dropCount, fileCount, problems } = await exportAccount(service, user, await makeCopyFolder(to));
    for (const problem of problems) terminal.print(problem);
    terminal.print(`${user.namespace}: ${dropCount} drops and ${fileCount} files are in ${to}.`);
    return problems.length === 0;
  },
};
