import { presentToken } from "../../../functions/account/presenter.ts";
import { presentBlob } from "../../../functions/blobs/schemas.ts";
import { drops } from "../../../functions/drops/store.ts";
import { type StoredResponse, storedResponses } from "../../../functions/http/idempotency.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { defineCommand } from "../command.ts";
import { findAccountReads, type PersonRead } from "../reads/person-reads.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { listFiles } from "../table-reads.ts";
import { findUser, type User } from "../users.ts";
import { blobFileName, copyBlob } from "./blob-copy.ts";
import { type CopyFolder, makeCopyFolder } from "./copy-folder.ts";
import { copyDrop } from "./drop-copy.ts";

export interface Exported {
  readonly dropCount: number;
  readonly fileCount: number;
  /** One line for each missing or damaged item. */
  readonly problems: readonly string[];
}

/** Copies everything in an account into an empty folder. */
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
  await folder.writeJson((await findAccountReads(user)).map(presentOwnRead), "reads.json");
  const problems: string[] = [];
  const all = await drops.list(userId);
  for (const drop of all) problems.push(...(await copyDrop(service, drop, folder)));
  const blobs = await listFiles(userId);
  for (const blob of blobs) problems.push(...(await copyBlob(service.blobsBucket, blob, folder)));
  await folder.writeJson(
    blobs.map((blob) => ({ ...presentBlob(service, blob), file: blobFileName(blob) })),
    "files.json",
  );
  return { dropCount: all.length, fileCount: blobs.length, problems };
}

function presentOwnRead({ slug, day, reader, firstAtMs }: PersonRead): object {
  return { slug, day, reader, first_at: firstAtMs };
}

function presentKept({ operation, status, body, createdAtMs }: StoredResponse): object {
  return { operation, status, response: JSON.parse(body), created_at: createdAtMs };
}

/** `export <account>` */
export const exportCommand = defineCommand({
  name: "export",
  words: "<account>",
  summary: "copies everything in an account into a folder",
  details: `
<account> is a user id or a namespace. Writes JSON, and the pages and files as they were uploaded, into an empty folder that only you can
read: the account, its drops with the page and context of each version, its files, its token records, what the read trail says of its
person, and the responses that are kept for a day for repeated requests. Compares every page with its digest. Leaves out the tokens
themselves, passcodes and device codes.`,
  options: {
    ...serviceOptions,
    to: {
      type: "string",
      value: "<folder>",
      isRequired: true,
      help: "a new or empty folder",
    },
  },
  async run(input, terminal) {
    const { to } = input.options;
    const service = await openService(input.options);
    const user = await findUser(input.word);
    const { dropCount, fileCount, problems } = await exportAccount(service, user, await makeCopyFolder(to));
    for (const problem of problems) terminal.print(problem);
    terminal.print(`${user.namespace}: ${dropCount} drops and ${fileCount} files are in ${to}.`);
    return problems.length === 0;
  },
});
