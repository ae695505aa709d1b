import { open } from "node:fs/promises";
import type { Actor, AuditLine } from "../../../functions/table/audit.ts";
import { quote, UsageError } from "../command.ts";
import { defineServiceCommand } from "../service.ts";
import { findUser } from "../table-reads.ts";
import { auditActions, isWanted, readAudit, readAuditFilter } from "./audit-trail.ts";

/** `audit` */
export const auditCommand = defineServiceCommand({
  name: "audit",
  summary: "prints the audit trail: who changed what, and who signed in",
  details: `
Prints a line for each change and each sign-in, oldest first: time, action, actor and subject. All lines, or those that match every
filter. Reading adds no line. docs/security.md, "The audit trail", describes the lines.`,
  options: {
    account: {
      type: "string",
      value: "<account>",
      help: "of an account: a user id or a namespace, or the user id of a deleted account",
    },
    token: { type: "string", value: "<id>", help: "by or about a token; GET /api/tokens lists the ids" },
    drop: { type: "string", value: "<slug>", help: "about a drop" },
    file: { type: "string", value: "<id>", help: "about a file" },
    action: { type: "string", value: "<name>", help: `one of ${auditActions.join(", ")}` },
    from: {
      type: "string",
      value: "<time>",
      help: "from a day in UTC (2026-11-22) or a moment (2026-11-22T09:30:00Z) on",
    },
    to: { type: "string", value: "<time>", help: "to the end of a day, or before a moment" },
    json: { type: "boolean", help: "prints one JSON object a line" },
    export: {
      type: "string",
      value: "<file>",
      help: "writes JSON lines into a new file that only you can read",
    },
  },
  async run({ options, service, print }) {
    const { export: file, json: isJson } = options;
    if (file !== undefined && isJson) throw new UsageError("Use --json or --export <file>, not both.");
    const filter = readAuditFilter(options, Date.now(), Number(service.auditDays));
    const ownerId = filter.account === undefined ? undefined : await findOwnerId(filter.account);
    const target = file === undefined ? undefined : await createFile(file);
    let count = 0;
    try {
      for await (const line of readAudit({ ...filter, ownerId })) {
        if (!isWanted(line, filter)) continue;
        if (count === 0 && target === undefined && !isJson) print(heading);
        if (target !== undefined) await target.write(`${toJson(line)}\n`);
        else print(isJson ? toJson(line) : toRow(line));
        count += 1;
      }
    } finally {
      await target?.close();
    }
    if (!isJson) print(file === undefined ? `Lines: ${count}.` : `Lines in ${file}: ${count}.`);
  },
});

/** Accepts the user id of a deleted account, whose lines are kept. */
async function findOwnerId(name: string): Promise<string> {
  const user = await findUser(name).catch((error: unknown) => {
    if (/^[A-Za-z0-9]{16}$/.test(name)) return undefined;
    throw error;
  });
  return user?.userId ?? name;
}

function createFile(file: string) {
  return open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new UsageError(`${file} exists already. Name another file.`);
  });
}

/** Formats a line as JSON, with the field names of the API. */
function toJson({ id, act, subject }: AuditLine): string {
  const { actor, action, atMs, requestId, secretsAllowedFor } = act;
  return JSON.stringify({
    at: new Date(atMs).toISOString(),
    action,
    by: actor.kind,
    token_id: "tokenId" in actor ? actor.tokenId : undefined,
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
    scim_id: subject.provisionedId,
    tokens: subject.ended?.tokens,
    sessions: subject.ended?.sessions,
    grants: subject.ended?.grants,
    secrets_allowed_for: secretsAllowedFor,
    request_id: requestId,
    id,
  });
}

const widths = [24, 17, 18, 16] as const;
const toColumns = (...cells: readonly string[]) =>
  cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ");
const heading = toColumns("when", "action", "by", "account", "about");

function toRow({ act, subject }: AuditLine): string {
  const { slug, version, thread, comment, blobId, tokenId, newOwnerId, provisionedId, ended } = subject;
  const about = [
    slug && `drop ${slug}`,
    version && `version ${version}`,
    thread && `thread ${thread}`,
    comment && `comment ${comment}`,
    blobId && `file ${blobId}`,
    tokenId && `token ${tokenId}`,
    newOwnerId && `to ${newOwnerId}`,
    provisionedId && `SCIM ${provisionedId}`,
    ended && `ended: tokens ${ended.tokens}, sessions ${ended.sessions}, grants ${ended.grants}`,
    act.secretsAllowedFor && `secrets allowed: ${JSON.stringify(act.secretsAllowedFor)}`,
  ].filter(Boolean);
  const at = new Date(act.atMs).toISOString();
  return toColumns(at, act.action, nameOf(act.actor), subject.ownerId ?? "-", about.join(", ") || "-");
}

function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case "token":
    case "scim":
      return `${actor.kind} ${actor.tokenId}`;
    case "service":
    case "visitor":
      return actor.kind;
    case "reader":
      return `reader ${quote(actor.identity).slice(1, -1)}`;
    case "operator":
      // Users choose the names of their sessions.
      return quote(actor.name).slice(1, -1);
  }
}
