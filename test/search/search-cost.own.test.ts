import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDrop } from "../../functions/drops/drop.ts";
import { toDropItem } from "../../functions/drops/items.ts";
import type { Reader } from "../../functions/identity/readers.ts";
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
import { environmentOf } from "../../scripts/bench/calls/measure-in-stack.ts";
import { median } from "../../scripts/bench/median.ts";
import { measureCpuMs } from "../../scripts/bench/processor-time.ts";
import { seededNumbers } from "../../scripts/bench/seeded-numbers.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";

// The processor time of whole searches, in one process: ordinary ones, and those that an account makes as dear as it can by what it publishes.

let storage: OwnStorage;

const randomInt = seededNumbers(1);
const words = Array.from({ length: 2_000 }, (_, index) => `word${index.toString(36)}x`);
/** Ordinary text: each word comes about as often as in other pages. */
const ordinary = () =>
  Array.from({ length: 700 }, () => words[Math.floor(words.length ** (randomInt(1_000) / 1_000)) - 1]).join(
    " ",
  );

/** Texts of 500,000 characters, and the words with which a search meets them. */
const hostile: readonly (readonly [name: string, text: (page: number) => string])[] = [
  ["characters of Han in turns", () => "報告数字".repeat(125_000)],
  ["one word everywhere", () => "stuffed ".repeat(62_500)],
  ["different words with the same beginning", (page) => numbered("begin", page, 40_000)],
  ["words within words", (page) => numbered("outinsideword", page, 30_000)],
  [
    "many words everywhere",
    () => Array.from({ length: 60_000 }, (_, index) => `many${letters((index % 19) + 10)}`).join(" "),
  ],
  ["what is sought behind all else", () => `${"異体".repeat(9_000)} hiddenterm`],
];

function numbered(word: string, page: number, count: number): string {
  return Array.from({ length: count }, (_, index) => word + letters(page * count + index)).join(" ");
}

function letters(number: number): string {
  return [...number.toString(36)]
    .map((digit) => String.fromCharCode(97 + (Number.parseInt(digit, 36) % 26)))
    .join("");
}

beforeAll(async () => {
  storage = await runOwnStorage();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  Object.assign(
    process.env,
    await environmentOf({ template: storage.template, awsEndpoint: storage.endpoint }),
  );
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
}, 300_000);
afterAll(() => storage.remove());

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

/** As many terms as a query takes, which all stand in the same pages. */
function manyTerms(word: string): string {
  const beginnings = Array.from({ length: word.length - 1 }, (_, index) => `${word.slice(0, index + 1)}*`);
  const phrases = [word, `"${word}"`, `"${word} ${word}"`, `"${word} ${word} ${word}"`];
  return [...beginnings.slice(0, 24), ...(word === "stuffed" ? phrases : [])].join(" ");
}

let readers = 0;

/** Searches as somebody new: a reader has so many searches a minute. */
async function search(q: string, pageSize: number): Promise<number> {
  readers += 1;
  const id = `reader${readers}`;
  const identity = { provider: "test", id, username: id, emails: [], groups: [], organizations: [] };
  const reader: Reader = { identity, userId: undefined, isMember: true, isBarred: false };
  const { results } = await findDrops(reader, { q, tags: [], page: 1, pageSize }, Date.now());
  return results.length;
}

const ordinaryQueries = ["word5x word7x", "word1x", '"word1x word2x"', "word1a*", "word2x word9x -wordzzz"];

const worst: readonly (readonly [what: string, q: string])[] = [
  ["characters", "報告"],
  ["a phrase", '"報告数字報告数字報告数字"'],
  ["many phrases", "報告数字報告 告数字報告数 数字報告数字 字報告数字報"],
  ["a beginning of Han", "報*"],
  ["a word that fills pages", "stuffed"],
  ["a phrase of one word", '"stuffed stuffed stuffed stuffed"'],
  ["a beginning", "begin*"],
  ["words within words", "insideword"],
  ["a match behind all else", "hiddenterm"],
  ["many terms", manyTerms("stuffed")],
  ["many beginnings", manyTerms("beginaaabbb")],
  ["many words", Array.from({ length: 19 }, (_, index) => `many${letters(index + 10)}`).join(" ")],
];

test("the dearest search takes at most three times the processor time of an ordinary one", {
  timeout: 300_000,
}, async () => {
  for (const q of [...ordinaryQueries, ...worst.map(([, one]) => one)]) await search(q, 20);
  const times = new Map<string, number[]>();
  for (let round = 0; round < 7; round += 1) {
    // In turns, so that a busy machine slows all alike.
    for (const q of [...ordinaryQueries, ...worst.map(([, one]) => one)]) {
      const ms = await measureCpuMs(() => search(q, 20));
      times.set(q, [...(times.get(q) ?? []), ms]);
    }
  }
  const medianOf = (q: string) => median(times.get(q) ?? []);
  const ordinaryMs = median(ordinaryQueries.map(medianOf));

  const ratios = worst.map(([what, q]) => [what, Number((medianOf(q) / ordinaryMs).toFixed(1))] as const);
  process.stderr.write(
    `${JSON.stringify({ ordinaryMs, ordinaries: ordinaryQueries.map(medianOf), ratios })}\n`,
  );
  expect(ratios.filter(([, ratio]) => ratio > 3)).toEqual([]);
});
