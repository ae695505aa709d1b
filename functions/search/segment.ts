import { DatabaseSync, type StatementSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Audience } from "../drops/audiences.ts";
import {
  type IndexEntry,
  type IndexedTexts,
  isRemoved,
  partNames,
  type SearchDocument,
  searchedParts,
} from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { termsOf } from "./tokens.ts";

// A segment is one SQLite file, which is written once and then only read: docs/adr/0101-full-text-search.md.

/** A document of a segment, without its texts. */
export interface SegmentRow extends Omit<SearchDocument, "texts" | "titleWords" | "audiences" | "metadata"> {
  readonly id: number;
  readonly audiences: ReadonlySet<Audience>;
  /** The pairs as JSON: few searches read them. */
  readonly metadata: string;
  /** Number of words, which a word's frequency is compared with. */
  readonly length: number;
  readonly isRemoved: boolean;
}

/** The files are written once: nothing is to be undone, and no other process reads them meanwhile. */
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

/** Writes the file of a segment, in which a drop comes once. Returns the number of entries. */
export function writeSegment(path: string, entries: Iterable<IndexEntry>): number {
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
    const vocabulary = new Set<string>();
    let id = 0;
    for (const entry of entries) {
      id += 1;
      if (isRemoved(entry)) {
        document.run(id, entry.ownerId, entry.slug, 0, 0, "", 0, 0, "[]", 0, "[]", 0, 1);
        continue;
      }
      const { ownerId, slug, revision, version, pageKey, createdAtMs, updatedAtMs } = entry;
      const terms = partNames.map((part) => termsOf(entry.texts[part]));
      const length = terms.reduce((sum, part) => sum + part.length, 0);
      const rights = [JSON.stringify(entry.audiences), Number(entry.isLocked)] as const;
      const times = [createdAtMs, updatedAtMs] as const;
      const metadata = JSON.stringify(entry.metadata);
      document.run(id, ownerId, slug, revision, version, pageKey, ...times, ...rights, metadata, length, 0);
      titles.run(id, entry.titleWords);
      texts.run(id, deflateRawSync(JSON.stringify(entry.texts)));
      words.run(id, ...terms.map((part) => part.join(" ")));
      for (const term of terms.flat()) vocabulary.add(term);
    }
    database
      .prepare("INSERT INTO vocabulary VALUES (?)")
      .run(Buffer.from(["", ...vocabulary, ""].join("\n")));
    database.exec("COMMIT; INSERT INTO words (words) VALUES ('optimize');");
    return id;
  } finally {
    database.close();
  }
}

/** Parameters of BM25, as FTS5 has them: https://sqlite.org/fts5.html#the_bm25_function. */
const saturation = 1.2;
const lengthShare = 0.75;

/** The length that a page's length is compared with. FTS5 takes the mean, which would tell of pages that the reader may not read. */
const referenceLength = 600;

/** Alternatives in one expression of FTS5. */
const alternativesMax = 100;

/** Words with at least so many letters are looked for in longer ones; fewer in scripts without case, whose words are shorter. */
const lettersMin = { cased: 4, caseless: 2 } as const;

/** Decides whether a word is looked for in longer words, too. */
export function isSoughtWithin(word: string): boolean {
  if (/\p{N}/u.test(word)) return false;
  const isCased = word.toLowerCase() !== word.toUpperCase();
  return [...word].length >= (isCased ? lettersMin.cased : lettersMin.caseless);
}

/** A segment that is open for reading. */
export class Segment {
  readonly rows: readonly SegmentRow[];
  readonly bySlug: ReadonlyMap<string, SegmentRow>;
  readonly #database: DatabaseSync;
  readonly #match: StatementSync;
  readonly #texts: StatementSync;
  readonly #indexedCount: number;
  readonly #meanLength: number;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true });
    this.rows = this.#database.prepare("SELECT * FROM documents ORDER BY id").all().map(toRow);
    this.bySlug = new Map(this.rows.map((row) => [row.slug, row]));
    const indexed = this.rows.filter((row) => !row.isRemoved);
    this.#indexedCount = indexed.length;
    this.#meanLength = indexed.reduce((sum, row) => sum + row.length, 0) / Math.max(1, indexed.length);
    this.#texts = this.#database.prepare("SELECT parts FROM texts WHERE id = ?");
    const weights = Object.values(searchedParts).join(", ");
    this.#match = this.#database.prepare(
      `SELECT rowid AS id, bm25(words, ${weights}) AS rank FROM words WHERE words MATCH ?`,
    );
    this.#match.setReturnArrays(true);
  }

  close(): void {
    this.#database.close();
  }

  /** The texts of a document. */
  textsOf(id: number): IndexedTexts {
    return JSON.parse(inflateRawSync(this.#texts.get(id)?.parts as Uint8Array).toString());
  }

  /** All entries, for the segment that replaces this one. */
  *entries(isWanted: (row: SegmentRow) => boolean): Generator<IndexEntry> {
    const titleWordsOf = this.#database.prepare("SELECT words FROM titles WHERE id = ?");
    for (const row of this.rows) {
      if (!isWanted(row)) continue;
      const { id, ownerId, slug, isRemoved, audiences, metadata, length: _, ...head } = row;
      if (isRemoved) {
        yield { ownerId, slug, isRemoved };
        continue;
      }
      const { words: titleWords } = titleWordsOf.get(id) as { words: string };
      const rights = { audiences: [...audiences], metadata: JSON.parse(metadata) };
      yield { ...head, ...rights, ownerId, slug, titleWords, texts: this.textsOf(id) };
    }
  }

  /** The documents whose titles and descriptions have each of these normalized words, also within a longer one. */
  matchTitle(words: readonly string[]): number[] {
    const condition = words.map(() => "instr(words, ?) > 0").join(" AND ");
    return this.#database
      .prepare(`SELECT id FROM titles WHERE ${condition}`)
      .all(...words)
      .map(({ id }) => id as number);
  }

  /**
   * Gives the documents that have a term, with the frequency part of BM25: how much the term's frequency counts, from 0 to 2.2, whatever
   * other documents have.
   */
  match(term: SearchTerm, add: (id: number, frequency: number) => void): void {
    const found = this.#match.all(matchExpression(term)) as unknown as [id: number, rank: number][];
    const others = this.#indexedCount - found.length;
    const rarity = Math.max(1e-6, Math.log((others + 0.5) / (found.length + 0.5)));
    for (const [id, rank] of found) add(id, this.#withoutStatistics(id, -rank / rarity));
  }

  /** The documents that have a longer word with this one in it. */
  matchWithin(word: string): number[] {
    if (!isSoughtWithin(word)) return [];
    const words = this.#longerWords(word).map((longer) => `"${longer}"`);
    return Array.from({ length: Math.ceil(words.length / alternativesMax) }).flatMap((_, index) => {
      const some = words.slice(index * alternativesMax, (index + 1) * alternativesMax);
      const found = this.#match.all(some.join(" OR ")) as unknown as [id: number][];
      return found.map(([id]) => id);
    });
  }

  /** The words with this one in them. FTS5's own table of words takes a hundred times as long: it counts the documents of each. */
  #longerWords(word: string): string[] {
    const found = this.#database.prepare("SELECT words FROM vocabulary").get();
    const [words, sought] = [Buffer.from(found?.words as Uint8Array), Buffer.from(word)];
    const longer: string[] = [];
    for (let at = words.indexOf(sought); at !== -1; ) {
      const [start, end] = [words.lastIndexOf("\n", at) + 1, words.indexOf("\n", at)];
      if (end - start > sought.length) longer.push(words.toString("utf8", start, end));
      at = words.indexOf(sought, end);
    }
    return longer;
  }

  /**
   * FTS5's frequency part depends on the mean length of all documents; with it removed, it is the weighted frequency itself, a whole number
   * up to rounding errors, whose digits depend on all documents, too. It is then compared with the reference length.
   */
  #withoutStatistics(id: number, part: number): number {
    const length = this.rows[id - 1]?.length ?? referenceLength;
    const frequency = Math.round(
      (part * saturation * lengthNorm(length, this.#meanLength)) / Math.max(1e-9, saturation + 1 - part),
    );
    return (frequency * (saturation + 1)) / (frequency + saturation * lengthNorm(length, referenceLength));
  }
}

function lengthNorm(length: number, mean: number): number {
  return 1 - lengthShare + (lengthShare * length) / Math.max(1, mean);
}

/** A phrase in FTS5's language. Terms have no quotation marks. */
function matchExpression({ terms, isPrefix }: SearchTerm): string {
  return `"${terms.join(" ")}"${isPrefix ? " *" : ""}`;
}

function toRow(found: Record<string, unknown>): SegmentRow {
  const { audiences, isLocked, isRemoved, ...rest } = found;
  return {
    ...(rest as unknown as Omit<SegmentRow, "audiences" | "isLocked" | "isRemoved">),
    audiences: new Set(JSON.parse(audiences as string)),
    isLocked: isLocked === 1,
    isRemoved: isRemoved === 1,
  };
}
