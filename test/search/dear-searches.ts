import { limits } from "../../functions/core/limits.ts";
import { createDrop } from "../../functions/drops/drop.ts";
import { toDropItem } from "../../functions/drops/items.ts";
import type { Reader } from "../../functions/people/find-reader.ts";
import { findDrops } from "../../functions/search/find-drops.ts";
import {
  putSegment,
  readManifest,
  type SegmentFile,
  writeManifest,
} from "../../functions/search/index-files.ts";
import { noTexts, type SearchDocument } from "../../functions/search/search-document.ts";
import { keys } from "../../functions/table/keys.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { median } from "../support/median.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";

// Searches in an index of ordinary pages, and of pages with which an account makes searches as expensive as possible.

const randomInt = seededNumbers(1);
const words = Array.from({ length: 2_000 }, (_, index) => `word${index.toString(36)}x`);
/** Ordinary text, in which words are about as frequent as in other pages. */
const ordinary = () =>
  Array.from({ length: 700 }, () => words[Math.floor(words.length ** (randomInt(1_000) / 1_000)) - 1]).join(
    " ",
  );

/** Texts that exceed the indexed length. */
const hostile: readonly (readonly [name: string, text: (page: number) => string])[] = [
  ["repeated Han characters", () => "報告数字".repeat(50_000)],
  ["one word everywhere", () => "stuffed ".repeat(25_000)],
  ["different words with the same beginning", (page) => numbered("begin", page, 20_000)],
  ["words within words", (page) => numbered("outinsideword", page, 12_000)],
  [
    "many words everywhere",
    () => Array.from({ length: 25_000 }, (_, index) => `many${letters((index % 19) + 10)}`).join(" "),
  ],
  ["the sought word at the end", () => `${"異体".repeat(9_000)} hiddenterm`],
];

function numbered(word: string, page: number, count: number): string {
  return Array.from({ length: count }, (_, index) => word + letters(page * count + index)).join(" ");
}

function letters(number: number): string {
  return [...number.toString(36)]
    .map((digit) => String.fromCharCode(97 + (Number.parseInt(digit, 36) % 26)))
    .join("");
}

/** Puts 400 ordinary drops and 50 of each hostile kind into the table and the index. Returns their number. */
export async function putDearCorpus(): Promise<number> {
  const pages = [
    ...Array.from(
      { length: 400 },
      (_, index) => ["neighbor", `ordin${String(index).padStart(2, "0")}`, ordinary()] as const,
    ),
    ...hostile.flatMap(([, text], kind) =>
      Array.from(
        { length: 50 },
        (_, page) => ["hostile", `bad${kind}${String(page).padStart(3, "0")}`, text(page)] as const,
      ),
    ),
  ];
  const drops = pages.map(([ownerId, slug, text]) => document(ownerId, slug, text));
  await writeItems({
    puts: [
      ...["neighbor", "hostile"].map((id) => ({
        ...keys.account(id),
        namespace: id,
        username: id,
        createdAtMs: 1,
      })),
      ...drops.map(({ item }) => item),
    ],
  });
  const segments: SegmentFile[] = [];
  for (let start = 0; start < drops.length; start += 65) {
    const file = await putSegment(
      drops.slice(start, start + 65).map(({ indexed }) => indexed),
      1,
    );
    if (file !== undefined) segments.push(file);
  }
  const found = await readManifest();
  await writeManifest({ ...found.manifest, segments }, found);
  return drops.length;
}

function document(ownerId: string, slug: string, text: string) {
  const stored = { key: `${slug}/1.html`, bytes: Buffer.from(""), sha256: "", styleOffset: 0 };
  const { drop } = createDrop({ userId: ownerId, namespace: ownerId }, { title: "A page" }, stored as never, {
    slug,
    passcodeHash: undefined,
    reach: { visibility: { kind: "members" }, indexed: false },
    nowMs: 1,
  });
  const { revision, createdAtMs, updatedAtMs, latest } = drop;
  const head = { ownerId, slug, revision, createdAtMs, updatedAtMs, version: 1, pageKey: latest.pageKey };
  const rights = { audiences: ["members"], isLocked: false, metadata: [] } as const;
  const texts = { ...noTexts, title: drop.title, text };
  const indexed: SearchDocument = { ...head, ...rights, titleWords: "A PAGE", texts };
  return { item: toDropItem(drop), indexed };
}

/** The maximum number of terms in a query, all found in the same pages. */
function manyTerms(word: string): string {
  const beginnings = Array.from({ length: word.length - 1 }, (_, index) => `${word.slice(0, index + 1)}*`);
  const phrases = [word, `"${word}"`, `"${word} ${word}"`, `"${word} ${word} ${word}"`];
  return [...beginnings.slice(0, 24), ...(word === "stuffed" ? phrases : [])].join(" ");
}

let readers = 0;

/** Searches as a new reader, because searches per reader are limited. */
async function search(q: string): Promise<number> {
  readers += 1;
  const id = `reader${readers}`;
  const identity = { provider: "test", id, username: id, emails: [], groups: [], organizations: [] };
  const reader: Reader = { identity, userId: undefined, isMember: true, isInTeam: true, isBarred: false };
  const { results } = await findDrops(
    reader,
    { q, tags: [], page: 1, pageSize: limits.pageSizeDefault },
    Date.now(),
  );
  return results.length;
}

const ordinaryQueries = ["word5x word7x", "word1x", '"word1x word2x"', "word1a*", "word2x word9x -wordzzz"];

const worst: readonly (readonly [what: string, q: string])[] = [
  ["characters", "報告"],
  ["a phrase", '"報告数字報告数字報告数字"'],
  ["many phrases", "報告数字報告 告数字報告数 数字報告数字 字報告数字報"],
  ["a prefix in Han", "報*"],
  ["a word that fills pages", "stuffed"],
  ["a phrase of one word", '"stuffed stuffed stuffed stuffed"'],
  ["a prefix", "begin*"],
  ["words within words", "insideword"],
  ["a match at the end", "hiddenterm"],
  ["many terms", manyTerms("stuffed")],
  ["many prefixes", manyTerms("beginaaabbb")],
  ["many words", Array.from({ length: 19 }, (_, index) => `many${letters(index + 10)}`).join(" ")],
];

/** Processor time of a search, and its ratio to an ordinary search. */
export interface DearSearch {
  readonly what: string;
  readonly ms: number;
  readonly ratio: number;
}

/** Measures all searches alternately, so that a busy machine slows all of them, and compares their medians. */
export async function measureDearSearches(
  rounds = 7,
): Promise<{ readonly ordinaryMs: number; readonly dear: readonly DearSearch[] }> {
  const queries = [...ordinaryQueries, ...worst.map(([, q]) => q)];
  for (const q of queries) await search(q);
  const times = new Map<string, number[]>(queries.map((q) => [q, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [q, all] of times) all.push(await measureCpuMs(() => search(q)));
  const medianOf = (q: string) => median(times.get(q) ?? []);
  const ordinaryMs = median(ordinaryQueries.map(medianOf));
  const dear = worst.map(([what, q]) => ({ what, ms: medianOf(q), ratio: medianOf(q) / ordinaryMs }));
  return { ordinaryMs, dear };
}

/** Measures this process's processor time in milliseconds. */
async function measureCpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
