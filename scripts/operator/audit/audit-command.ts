import { type FileHandle, open } from "node:fs/promises";
import type { Actor, AuditLine } from "../../../functions/table/audit.ts";
import { type Command, textOption, UsageError } from "../command.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";
import { auditActions, isWanted, readAuditFilter } from "./audit-filter.ts";
import { readAudit } from "./audit-search.ts";

/** `audit` */
export const auditCommand: Command = {
  usage: `[filters] [--json | --export <file>] ${serviceUsage}`,
  summary: "tells who has written or signed in, when, and what that was about",
  help: `
A line for each write and each sign-in, oldest first: when, what was done, by whom, and to what. All of them, or those that
every given filter fits. Reading changes nothing and leaves no line. docs/security.md, "The audit trail", says what a line
holds.

  --account <name> of an account, by user id or namespace; by user id also when it is deleted
  --token <id>     what a token did, and who made or revoked it; GET /api/tokens gives ids
  --drop <slug>    about a drop
  --file <id>      about a file
  --action <name>  what was done: ${auditActions.join(", ")}
  --from <when>    from a day in UTC on (2026-11-22), or a moment (2026-11-22T09:30:00Z); all that is kept
  --to <when>      up to the end of a day, or before a moment; now
  --json           prints JSON, one object a line
  --export <file>  writes the same into a new file that only you can read${serviceHelp}`,
  options: {
    ...serviceOptions,
    account: { type: "string" },
    token: { type: "string" },
    drop: { type: "string" },
    file: { type: "string" },
    action: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    json: { type: "boolean" },
    export: { type: "string" },
  },
  async run(input, terminal) {
    if (input.words.length > 0) throw new UsageError("There is nothing to say but options.");
    const file = textOption(input, "export");
    if (file !== undefined && input.options.json === true)
      throw new UsageError("Say --json or --export <file>, not both.");
    const service = await openService(input);
    const filter = readAuditFilter(input, Date.now(), Number(service.auditDays));
    const ownerId = filter.account === undefined ? undefined : await userIdOf(filter.account);
    const lines = wantedLines({ ...filter, ownerId });
    if (file !== undefined) return exportLines(lines, file, terminal);
    const present = input.options.json === true ? toJson : toRow;
    let count = 0;
    for await (const line of lines) {
      if (count === 0 && present === toRow) terminal.print(heading);
      terminal.print(present(line));
      count += 1;
    }
    if (present === toRow) terminal.print(`Lines: ${count}.`);
    return true;
  },
};

async function* wantedLines(filter: Parameters<typeof readAudit>[0] & ReturnType<typeof readAuditFilter>) {
  for await (const line of readAudit(filter)) if (isWanted(line, filter)) yield line;
}

/** Of an account that is deleted the lines are left, and whoever asks for them has its id. */
async function userIdOf(name: string): Promise<string> {
  const user = await findUser(name).catch((error: unknown) => {
    if (/^[A-Za-z0-9]{16}$/.test(name)) return undefined;
    throw error;
  });
  return user?.userId ?? name;
}

async function exportLines(
  lines: AsyncIterable<AuditLine>,
  file: string,
  terminal: Terminal,
): Promise<boolean> {
  const target = await createFile(file);
  let count = 0;
  try {
    for await (const line of lines) {
      await target.write(`${toJson(line)}\n`);
      count += 1;
    }
  } finally {
    await target.close();
  }
  terminal.print(`Lines in ${file}: ${count}.`);
  return true;
}

async function createFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`The file ${file} is there: name another.`);
  }
}

/** A line as one JSON object: names as the API has them, and nothing where there is nothing. */
function toJson({ id, act, subject }: AuditLine): string {
  const { actor, action, atMs, requestId } = act;
  return JSON.stringify({
    at: new Date(atMs).toISOString(),
    action,
    by: actor.kind,
    token_id: actor.kind === "token" ? actor.tokenId : undefined,
    identity: actor.kind === "reader" ? actor.identity : undefined,
    operator: actor.kind === "operator" ? actor.name : undefined,
    account_id: subject.ownerId,
    new_account_id: subject.newOwnerId,
    slug: subject.slug,
    version: subject.version,
    thread: subject.thread,
    comment: subject.comment,
    blob_id: subject.blobId,
    about_token_id: subject.tokenId,
    request_id: requestId,
    id,
  });
}

const widths = [24, 17, 18, 16] as const;
const heading = toColumns("when", "action", "by", "account", "about");

function toRow({ act, subject }: AuditLine): string {
  const { slug, version, thread, comment, blobId, tokenId, newOwnerId } = subject;
  const about = [
    slug && `drop ${slug}`,
    version && `version ${version}`,
    thread && `thread ${thread}`,
    comment && `comment ${comment}`,
    blobId && `file ${blobId}`,
    tokenId && `token ${tokenId}`,
    newOwnerId && `to ${newOwnerId}`,
  ].filter(Boolean);
  const at = new Date(act.atMs).toISOString();
  return toColumns(at, act.action, nameOf(act.actor), subject.ownerId ?? "-", about.join(", ") || "-");
}

function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case "token":
      return `token ${actor.tokenId}`;
    case "visitor":
      return "visitor";
    case "reader":
      return `reader ${quote(actor.identity).slice(1, -1)}`;
    case "operator":
      // Sessions have names that their users choose.
      return quote(actor.name).slice(1, -1);
  }
}

function toColumns(...cells: readonly [string, string, string, string, string]): string {
  return cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ");
}
