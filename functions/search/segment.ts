import { DatabaseSync, type StatementSync } from "node:sqlite";
import { inflateRawSync } from "node:zlib";
import type { Audience } from "../policies/access.ts";
import {
  type IndexEntry,
  type IndexedTexts,
  type SearchDocument,
  type SearchedPart,
  searchedParts,
} from "./search-document.ts";
import { type SearchTerm, termsMax } from "./search-query.ts";

/** Row of a document in a segment, without its texts. */
export interface SegmentRow extends Omit<SearchDocument, "texts" | "titleWords" | "audiences" | "metadata"> {
  readonly id: number;
  readonly audiences: ReadonlySet<Audience>;
  /** Metadata pairs as JSON, which are parsed only for the few searches that need them. */
  readonly metadata: string;
  /** Number of words in the document, by which BM25 normalizes word frequencies. */
  readonly length: number;
  readonly isRemoved: boolean;
}

/** Parameters of BM25, with the same values as in FTS5; see https://sqlite.org/fts5.html#the_bm25_function. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Reference document length of BM25. FTS5 uses the mean length, which would reveal pages that the reader may not read. */
const referenceLength = 600;

/**
 * Maximum number of alternative words in one FTS5 expression, and in total. A search term that is part of more words is too unspecific to
 * find all of them.
 */
const alternativesMax = 100;
const longerWordsMax = 300;

/**
 * Maximum number of words with the same prefix that FTS5 scans. If a segment has more, only the first `longerWordsMax`
 * words are searched.
 */
const beginningsMax = 2_000;

/** Minimum number of letters for a search within longer words. In scripts without case, words have fewer letters. */
const lettersMin = { cased: 4, caseless: 2 } as const;

/** Returns true if a word is also searched within longer words. */
function isSoughtWithin(word: string): boolean {
  if (/\p{N}/u.test(word)) return false;
  const isCased = word.toLowerCase() !== word.toUpperCase();
  return [...word].length >= (isCased ? lettersMin.cased : lettersMin.caseless);
}

/** Returns true if a term is also found within longer words. */
export function isFoundWithin({ terms: [only, ...more], isExact }: SearchTerm): boolean {
  return more.length === 0 && !isExact && isSoughtWithin(only as string);
}

/** An open segment, which is read-only. */
export class Segment {
  readonly rows: readonly SegmentRow[];
  readonly bySlug: ReadonlyMap<string, SegmentRow>;
  readonly #database: DatabaseSync;
  readonly #match: StatementSync;
  readonly #matchUnranked: StatementSync;
  readonly #texts: StatementSync;
  readonly #has: StatementSync;
  readonly #known = new Map<string, readonly string[]>();
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
    this.#matchUnranked = this.#database.prepare("SELECT rowid AS id FROM words WHERE words MATCH ?");
    this.#matchUnranked.setReturnArrays(true);
    // `node:sqlite` binds a JavaScript number as a float, which FTS5 does not accept as a rowid.
    this.#has = this.#database.prepare(
      "SELECT 1 FROM words WHERE words MATCH ? AND rowid = CAST(? AS INTEGER)",
    );
  }

  close(): void {
    this.#database.close();
  }

  textsOf(id: number): IndexedTexts {
    return JSON.parse(inflateRawSync(this.#texts.get(id)?.parts as Uint8Array).toString());
  }

  /** Reads the wanted entries, for the segment that will replace this one. */
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

  /** Finds documents by title and description, which must contain all of these normalized words, also within longer words. */
  matchTitle(words: readonly string[]): number[] {
    const condition = words.map(() => "instr(words, ?) > 0").join(" AND ");
    return this.#database
      .prepare(`SELECT id FROM titles WHERE ${condition}`)
      .all(...words)
      .map(({ id }) => id as number);
  }

  /**
   * Calls `add` for each document that contains a term, with the term-frequency factor of BM25. The factor is between 0 and 2.2, and does
   * not depend on other documents. An unranked term is faster, and its factor is 1.
   */
  match(term: SearchTerm, isRanked: boolean, add: (id: number, frequency: number) => void): void {
    for (const expression of this.#expressionsOf(term)) {
      if (!isRanked) {
        const found = this.#matchUnranked.all(expression) as unknown as [id: number][];
        for (const [id] of found) add(id, 1);
        continue;
      }
      const found = this.#match.all(expression) as unknown as [id: number, rank: number][];
      const others = this.#indexedCount - found.length;
      const rarity = Math.max(1e-6, Math.log((others + 0.5) / (found.length + 0.5)));
      for (const [id, rank] of found) add(id, this.#withoutStatistics(id, -rank / rarity));
    }
  }

  /** Finds documents with a longer word that contains this word. */
  matchWithin(word: string): number[] {
    return this.#longerThan(word).flatMap((words) =>
      (this.#matchUnranked.all(words) as unknown as [id: number][]).map(([id]) => id),
    );
  }

  /** Returns true if one of these parts of a document contains the term. */
  has(id: number, term: SearchTerm, parts: readonly SearchedPart[]): boolean {
    const columns = `{${parts.join(" ")}} : `;
    const matches = (expression: string) => this.#has.get(`${columns}(${expression})`, id) !== undefined;
    if (this.#expressionsOf(term).some(matches)) return true;
    return isFoundWithin(term) && this.#longerThan(term.terms[0] as string).some(matches);
  }

  /** Writes a term as FTS5 expressions. Terms contain no quotation marks. */
  #expressionsOf({ terms, isPrefix }: SearchTerm): readonly string[] {
    const phrase = `"${terms.join(" ")}"`;
    if (!isPrefix) return [phrase];
    const [word, ...more] = terms;
    const beginnings = this.#wordsWith(`\n${word}`, beginningsMax + 1);
    if (more.length > 0 || beginnings.length <= beginningsMax) return [`${phrase} *`];
    return alternativesOf(beginnings.slice(0, longerWordsMax));
  }

  /** Finds longer words that contain this word, and writes them as FTS5 expressions. */
  #longerThan(word: string): readonly string[] {
    if (!isSoughtWithin(word)) return [];
    return alternativesOf(this.#wordsWith(word, longerWordsMax).filter((one) => one !== word));
  }

  /**
   * Finds words of the vocabulary that contain this word, up to a maximum number. FTS5's own vocabulary table would take a hundred times as
   * long, because it counts the documents of each word.
   */
  #wordsWith(word: string, countMax: number): readonly string[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    // The cache is large enough for all words of at least one search.
    if (this.#known.size >= 2 * termsMax) this.#known.clear();
    const found: string[] = [];
    const row = this.#database.prepare("SELECT words FROM vocabulary").get();
    const [words, sought] = [Buffer.from(row?.words as Uint8Array), Buffer.from(word)];
    for (let at = words.indexOf(sought); at !== -1 && found.length < countMax; ) {
      // The search may start at a line end.
      const start = words[at] === lineEnd ? at + 1 : words.lastIndexOf("\n", at) + 1;
      const end = words.indexOf("\n", start);
      found.push(words.toString("utf8", start, end));
      at = words.indexOf(sought, end);
    }
    this.#known.set(word, found);
    return found;
  }

  /**
   * Computes the term-frequency factor with the reference length instead of FTS5's mean length. First computes the weighted frequency, and
   * rounds it to a whole number, since its rounding errors would depend on all documents.
   */
  #withoutStatistics(id: number, part: number): number {
    const length = this.rows[id - 1]?.length ?? referenceLength;
    const frequency = Math.round(
      (part * saturation * lengthNorm(length, this.#meanLength)) / Math.max(1e-9, saturation + 1 - part),
    );
    return frequencyPart(frequency, length);
  }
}

/** Computes the term-frequency factor of BM25 from a weighted frequency and a document's length in words. */
export function frequencyPart(frequency: number, length: number): number {
  return (frequency * (saturation + 1)) / (frequency + saturation * lengthNorm(length, referenceLength));
}

function lengthNorm(length: number, mean: number): number {
  return 1 - lengthShare + (lengthShare * length) / Math.max(1, mean);
}

/** Groups words into FTS5 expressions of at most `alternativesMax` words each. */
function alternativesOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(words.length / alternativesMax) }, (_, index) =>
    words
      .slice(index * alternativesMax, (index + 1) * alternativesMax)
      .map((word) => `"${word}"`)
      .join(" OR "),
  );
}

/** Byte that separates words in the vocabulary. */
const lineEnd = 0x0a;

function toRow(found: Record<string, unknown>): SegmentRow {
  const { audiences, isLocked, isRemoved, ...rest } = found;
  return {
    ...(rest as unknown as Omit<SegmentRow, "audiences" | "isLocked" | "isRemoved">),
    audiences: new Set(JSON.parse(audiences as string)),
    isLocked: isLocked === 1,
    isRemoved: isRemoved === 1,
  };
}
