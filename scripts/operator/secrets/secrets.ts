import pLimit from "p-limit";
import { scanForSecrets } from "../../../functions/secrets/secret-scan.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { isDropSubject, type Key, keys, parseKey } from "../../../functions/table/keys.ts";
import { tableName } from "../../../functions/table/table.ts";
import { defineCommand, UsageError } from "../command.ts";
import { withInterruption } from "../interruption.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { readPartition, readTableParts, type StoredItem } from "../table-reads.ts";
import type { Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";
import { readTexts, type StoredText } from "./stored-texts.ts";

/** Drops and files that are read at the same time. The scan takes one processor, so more would only wait in memory. */
const readAtOnce = 4;

/** Time of a processor for one text, in milliseconds. A request has less. */
const storedScanMsMax = 60_000;

const progressMs = 10_000;

/** `secrets` */
export const secretsCommand = defineCommand({
  name: "secrets",
  words: "[<account>]",
  summary: "scans stored pages, contexts, Markdown, text files and their descriptions for secrets",
  details: `
Scans as the setting secretScan does before something is stored (docs/adr/0094-secretlint.md), but files to their end. Reads every drop's
newest version and every text file, of one account (a user id or a namespace) or of all, also those that are restricted, locked, expired,
in the trash or suspended. Prints owner, drop or file, version, part, rule, line and column, and never the secret. Ends with 1 if there are any, or if a
text was not scanned to its end.

Reads four drops or files at a time. If it stops, it prints the position from which --from goes on. Without <account> it reads the whole
table. The audit trail gets a line.`,
  options: {
    ...serviceOptions,
    "all-versions": { type: "boolean", help: "scans older versions, too" },
    json: { type: "boolean", help: "prints one JSON object a line" },
    from: {
      type: "string",
      value: "<position>",
      help: "goes on where an earlier run of all accounts stopped",
    },
  },
  async run({ words: [name], options }, terminal) {
    if (name !== undefined && options.from !== undefined)
      throw new UsageError("--from goes on with all accounts. Leave out the account, or --from.");
    const from = options.from === undefined ? undefined : parsePosition(options.from);
    const service = await openService(options);
    const userId = name === undefined ? undefined : (await findUser(name)).userId;
    await appendToAudit(await operatorAct(service, "scan-secrets"), { ownerId: userId });
    const scan = new StoredScan(terminal, options.json);
    const readOptions = { allVersions: options["all-versions"], blobsBucket: service.blobsBucket };
    await withInterruption(
      terminal,
      "the position is printed when the texts at hand are scanned.",
      async (signal) => {
        let position = from;
        try {
          for await (const { items, next } of readRows(userId, from)) {
            await pLimit(readAtOnce).map(items, async (item) => {
              if (signal.aborted) return;
              for await (const text of readTexts(item, readOptions)) scan.add(text);
              scan.countRow(item);
            });
            if (signal.aborted) break;
            position = next;
          }
        } finally {
          scan.tellPosition(position);
        }
        if (signal.aborted) scan.isWell = false;
      },
    );
    scan.tellProgress();
    return scan.isWell;
  },
});

/** The scan of a service's texts: prints findings as they come, and now and then how far it is. */
class StoredScan {
  isWell = true;
  readonly #terminal: Terminal;
  readonly #isJson: boolean;
  readonly #counts = { drops: 0, files: 0, texts: 0, findings: 0 };
  #toldAtMs = Date.now();

  constructor(terminal: Terminal, isJson: boolean) {
    this.#terminal = terminal;
    this.#isJson = isJson;
  }

  add(stored: StoredText): void {
    const { found, isComplete } = scanForSecrets(stored.text, storedScanMsMax);
    this.#counts.texts += 1;
    this.#counts.findings += found.length;
    for (const { rule, line, column } of found) this.#print(stored, { rule, line, column });
    if (!isComplete) this.#print(stored, { incomplete: true });
    if (found.length > 0 || !isComplete) this.isWell = false;
    if (Date.now() - this.#toldAtMs > progressMs) this.tellProgress();
  }

  countRow(item: StoredItem): void {
    const subject = parseKey(item);
    if (isDropSubject(subject)) this.#counts.drops += 1;
    if (subject?.kind === "blob") this.#counts.files += 1;
  }

  tellProgress(): void {
    this.#toldAtMs = Date.now();
    const { drops, files, texts, findings } = this.#counts;
    this.#terminal.report(`Scanned: ${drops} drops, ${files} files, ${texts} texts. Findings: ${findings}.`);
  }

  /** Prints the position of what is left. After the last row, and for one account, there is none. */
  tellPosition(position: Key | undefined): void {
    if (position === undefined) return;
    this.#terminal.report(`Go on with --from ${formatPosition(position)}`);
  }

  #print({ place, part }: StoredText, finding: Finding): void {
    const { ownerId, namespace, slug, version, blobId } = place;
    if (this.#isJson) {
      const ids = { account_id: ownerId, owner: namespace, slug, blob_id: blobId, version };
      this.#terminal.print(JSON.stringify({ ...ids, part, ...finding }));
      return;
    }
    const what = slug === undefined ? `file ${blobId}` : `drop ${slug}`;
    const where =
      "rule" in finding ? [finding.rule, `${finding.line}:${finding.column}`] : ["not scanned to its end"];
    const columns = [namespace, what, version === undefined ? "" : `version ${version}`, part, ...where];
    this.#terminal.print(columns.filter((column) => column !== "").join("  "));
  }
}

type Finding =
  | { readonly rule: string; readonly line: number; readonly column: number }
  | { readonly incomplete: true };

async function* readRows(userId: string | undefined, from: Key | undefined) {
  if (userId === undefined) yield* readTableParts(tableName(), { from });
  else yield { items: await readPartition(tableName(), keys.account(userId).pk), next: undefined };
}

function formatPosition({ pk, sk }: Key): string {
  return Buffer.from(JSON.stringify([pk, sk])).toString("base64url");
}

/** @throws UsageError if no run has printed it */
function parsePosition(text: string): Key {
  try {
    const [pk, sk] = JSON.parse(Buffer.from(text, "base64url").toString());
    if (typeof pk === "string" && typeof sk === "string") return { pk, sk };
  } catch {
    // Refused as anything else.
  }
  throw new UsageError("--from is no position. Copy it from the line that the earlier run printed.");
}
