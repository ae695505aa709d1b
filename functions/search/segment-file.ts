import { DatabaseSync } from "node:sqlite";
import { deflateRawSync } from "node:zlib";
import { boundTexts } from "./indexed-terms.ts";
import { type IndexEntry, isRemoved, partNames } from "./search-document.ts";

// A segment is a SQLite file that is written once, and read-only afterwards; see docs/adr/0101-full-text-search.md.

/** SQLite settings for a new file. A failed write needs no rollback, and no other process reads the file meanwhile. */
const writeOnce = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;";

const tables = `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, ownerId TEXT NOT NULL, slug TEXT NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL,
    pageKey TEXT NOT NULL, createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL, audiences TEXT NOT NULL, isLocked INTEGER NOT NULL,
    metadata TEXT NOT NULL, length INTEGER NOT NULL, isRemoved INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE titles (id INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT;
  CREATE TABLE texts (id INTEGER PRIMARY KEY, parts BLOB NOT NULL) STRICT;
  CREATE TABLE vocabulary (words BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(${partNames.join(", ")}, content = '', tokenize = 'ascii');
`;

/**
 * Limits of one owner's words in a segment's vocabulary: their number and length. Without them, one account could slow down all searches.
 */
const ownersWordsMax = 50_000;
const wordLengthMax = 64;

/**
 * Writes a segment file with one entry for each drop. Returns the number of entries, and the number of terms in all entries, which
 * determines the cost of the segment.
 */
export function writeSegment(path: string, entries: Iterable<IndexEntry>) {
  const database = new DatabaseSync(path);
  try {
    database.exec(`${writeOnce} ${tables} BEGIN;`);
    const document = database.prepare("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const titles = database.prepare("INSERT INTO titles VALUES (?, ?)");
    const texts = database.prepare("INSERT INTO texts VALUES (?, ?)");
    const places = partNames.map(() => "?").join(", ");
    const words = database.prepare(
      `INSERT INTO words (rowid, ${partNames.join(", ")}) VALUES (?, ${places})`,
    );
    const vocabulary = new Vocabulary();
    let [id, tokens] = [0, 0];
    for (const entry of entries) {
      id += 1;
      if (isRemoved(entry)) {
        document.run(id, entry.ownerId, entry.slug, 0, 0, "", 0, 0, "[]", 0, "[]", 0, 1);
        continue;
      }
      const { ownerId, slug, revision, version, pageKey, createdAtMs, updatedAtMs } = entry;
      const bounded = entry.bounded ?? boundTexts(entry.texts);
      const { length } = bounded;
      const rights = [JSON.stringify(entry.audiences), Number(entry.isLocked)] as const;
      const times = [createdAtMs, updatedAtMs] as const;
      const metadata = JSON.stringify(entry.metadata);
      document.run(id, ownerId, slug, revision, version, pageKey, ...times, ...rights, metadata, length, 0);
      titles.run(id, entry.titleWords);
      texts.run(id, deflateRawSync(JSON.stringify(bounded.texts)));
      words.run(id, ...partNames.map((part) => bounded.terms[part].join(" ")));
      vocabulary.add(ownerId, bounded.vocabulary);
      tokens += length;
    }
    database
      .prepare("INSERT INTO vocabulary VALUES (?)")
      .run(Buffer.from(["", ...vocabulary.words(), ""].join("\n")));
    database.exec("COMMIT; INSERT INTO words (words) VALUES ('optimize');");
    return { entries: id, tokens };
  } finally {
    database.close();
  }
}

/** The distinct words of a segment. */
class Vocabulary {
  readonly #byOwner = new Map<string, Set<string>>();

  add(ownerId: string, words: Iterable<string>): void {
    const known = this.#byOwner.get(ownerId) ?? new Set();
    this.#byOwner.set(ownerId, known);
    for (const word of words) {
      if (known.size >= ownersWordsMax) break;
      if (word.length <= wordLengthMax) known.add(word);
    }
  }

  /** Lists one word of each owner in turn, so that a truncated list still has words of every owner. */
  words(): Set<string> {
    const all = new Set<string>();
    let iterators = [...this.#byOwner.values()].map((words) => words.values());
    while (iterators.length > 0) {
      iterators = iterators.filter((words) => {
        const { done, value } = words.next();
        if (!done) all.add(value);
        return !done;
      });
    }
    return all;
  }
}
