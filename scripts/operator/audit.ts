import { open } from "node:fs/promises";
import { type NamedLine, personNames, readAudit } from "../../functions/administration/audit-reader.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import {
  type Actor,
  type AuditLine,
  accountCreation,
  scimActions,
  scimNameTaken,
  serviceActions,
  signInRefusal,
} from "../../functions/table/audit.ts";
import { describeSubject, presentAuditLine } from "../../functions/table/audit-presenter.ts";
import { isUserId } from "../../functions/table/identifiers.ts";
import { quote, UsageError } from "./command.ts";
import { defineServiceCommand, operatorActions } from "./service.ts";
import { findUser } from "./table-reads.ts";

/** Actions that an audit entry can record. */
const auditActions: readonly string[] = [
  ...new Set([
    // SCIM's audit actions are not named after its operations.
    ...operationIds.filter((id) => routeOf(id).grants.audit && routeOf(id).resource !== "scim"),
    accountCreation,
    signInRefusal,
    scimNameTaken,
    ...operatorActions,
    ...scimActions,
    ...serviceActions,
  ]),
].sort();

export const auditCommand = defineServiceCommand({
  usage: "audit",
  summary: "prints the audit trail: who changed what, and who signed in",
  details: `
Prints the lines that match every filter, oldest first. This command itself is not recorded. docs/security.md, "The audit trail", describes
the lines.`,
  options: {
    "account <account>": "about an account: a user id or a namespace, or the user id of a deleted account",
    "token <id>": "by or about a token; GET /api/tokens lists the ids",
    "drop <slug>": "about a drop",
    "file <id>": "about a file",
    "action <name>": `one of ${auditActions.join(", ")}`,
    "from <time>": "since the start of a day in UTC (2026-11-22), or since a time (2026-11-22T09:30:00Z)",
    "to <time>": "until the end of a day in UTC, or before a time",
    json: "prints one JSON object per line",
    "export <file>": "writes JSON lines into a new file that only you can read",
  },
  async run({ options, service, print }) {
    const { account, token, drop, file: fileId, action, from, to, json: isJson, export: path } = options;
    if (path !== undefined && isJson) throw new UsageError("Use --json or --export <file>, not both.");
    const nowMs = Date.now();
    const fromMs = readMoment("from", from, 0) ?? nowMs - Number(service.auditDays) * dayMs;
    const untilMs = readMoment("to", to, dayMs) ?? nowMs + 1;
    if (fromMs >= untilMs) throw new UsageError("--from is not before --to.");
    if (action !== undefined && !auditActions.includes(action))
      throw new UsageError(`--action is ${JSON.stringify(action)}: choose from ${auditActions.join(", ")}.`);
    requireId("token", token, patterns.tokenId, "the 12 characters of a token's id, not the token");
    requireId("drop", drop, patterns.slug, "the 7 characters of a slug");
    requireId("file", fileId, patterns.blobId, "the 7 characters of a file's id");
    const isWanted = ({ act, subject }: AuditLine) =>
      (token === undefined ||
        subject.tokenId === token ||
        (act.actor.kind === "token" && act.actor.tokenId === token)) &&
      (drop === undefined || subject.slug === drop) &&
      (fileId === undefined || subject.blobId === fileId) &&
      (action === undefined || act.action === action);
    const ownerId = account === undefined ? undefined : await findOwnerId(account);
    const target = path === undefined ? undefined : await createFile(path);
    const withPerson = personNames();
    let count = 0;
    try {
      for await (const found of readAudit({ fromMs, untilMs, ownerId })) {
        if (!isWanted(found)) continue;
        const line = await withPerson(found);
        if (count === 0 && target === undefined && !isJson) print(heading);
        if (target !== undefined) await target.write(`${toJson(line)}\n`);
        else print(isJson ? toJson(line) : toRow(line));
        count += 1;
      }
    } finally {
      await target?.close();
    }
    if (!isJson) print(`Lines${path === undefined ? "" : ` in ${path}`}: ${count}.`);
  },
});

function requireId(option: string, value: string | undefined, shape: RegExp, what: string): void {
  // The message does not repeat the value, which may be a secret.
  if (value !== undefined && !shape.test(value))
    throw new UsageError(`--${option} is not an id. Use ${what}.`);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Parses a day in UTC, or a time with its time zone. Adds `wholeDayMs` to a day, so that `--to` means the end of the day. */
function readMoment(option: string, text: string | undefined, wholeDayMs: number): number | undefined {
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const atMs = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Some engines parse the 30th of February as the 2nd of March.
  const isReal = Number.isFinite(atMs) && (!isDay || new Date(atMs).toISOString().startsWith(text));
  if (isReal) return isDay ? atMs + wholeDayMs : atMs;
  throw new UsageError(
    `--${option} is ${JSON.stringify(text)}: use a day in UTC such as 2026-11-22, or a time such as 2026-11-22T09:30:00Z.`,
  );
}

/** Finds the user id of an account. Accepts the user id of a deleted account, whose audit entries are kept. */
async function findOwnerId(name: string): Promise<string> {
  try {
    return (await findUser(name)).userId;
  } catch (error) {
    if (isUserId(name)) return name;
    throw error;
  }
}

function createFile(file: string) {
  return open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new UsageError(`${file} exists already. Name another file.`);
  });
}

/** Formats an audit entry as JSON, with the field names of the API. */
function toJson(line: NamedLine): string {
  const { actor, secretsAllowedFor } = line.act;
  return JSON.stringify({
    ...presentAuditLine(line),
    person: line.person,
    identity: "identity" in actor ? actor.identity : undefined,
    operator: actor.kind === "operator" ? actor.name : undefined,
    secrets_allowed_for: secretsAllowedFor,
  });
}

const widths = [24, 17, 18, 16, 16] as const;
const toColumns = (...cells: readonly string[]) =>
  cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ");
const heading = toColumns("when", "action", "by", "person", "account", "about");

function toRow(line: NamedLine): string {
  const { actor, secretsAllowedFor } = line.act;
  const { at, action, account_id: accountId = "-" } = presentAuditLine(line);
  const about = describeSubject(line);
  if (secretsAllowedFor !== undefined) about.push(`secrets allowed: ${JSON.stringify(secretsAllowedFor)}`);
  const person = line.person === undefined ? "-" : escapeText(line.person);
  return toColumns(at, action, nameOf(actor), person, accountId, about.join(", ") || "-");
}

/** Escapes untrusted text like `quote`, but without the quotation marks. */
function escapeText(text: string): string {
  return quote(text).slice(1, -1);
}

function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case "token":
    case "scim":
      return `${actor.kind} ${actor.tokenId}`;
    case "service":
    case "visitor":
      return actor.kind;
    case "administrator":
    case "reader":
      return `${actor.kind} ${escapeText(actor.identity)}`;
    case "operator":
      // Escapes the ARN, because it contains a session name that the caller chose.
      return escapeText(actor.name);
  }
}
