import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rankDrops } from "../../functions/search/rank.ts";
import { type IndexedTexts, noTexts, type SearchDocument } from "../../functions/search/search-document.ts";
import { parseSearchQuery, type SearchTerm } from "../../functions/search/search-query.ts";
import { Segment } from "../../functions/search/segment.ts";
import { writeSegment } from "../../functions/search/segment-file.ts";
import { describeMatches, type MatchDescription } from "../../functions/search/snippet.ts";

const directory = mkdtempSync(join(tmpdir(), "segment-"));
afterAll(() => rmSync(directory, { recursive: true }));

function page(
  slug: string,
  texts: Partial<IndexedTexts>,
  facts: Partial<SearchDocument> = {},
): SearchDocument {
  const place = { ownerId: "ada", slug, revision: 1, version: 1, pageKey: `${slug}/1.html` };
  const head = { ...place, createdAtMs: 0, updatedAtMs: 0, isLocked: false, titleWords: "", metadata: [] };
  return { ...head, audiences: ["members"], texts: { ...noTexts, ...texts }, ...facts };
}

const day = 24 * 60 * 60 * 1000;

let count = 0;

function openSegment(documents: readonly SearchDocument[]): Segment {
  count += 1;
  const path = join(directory, `${count}.sqlite`);
  writeSegment(path, documents);
  return new Segment(path);
}

function search(segment: Segment, query: string, userId?: string): string[] {
  const rows = new Map(segment.rows.map((row) => [row.id, row]));
  const scope = { searcher: { userId, audiences: new Set(["members"] as const) } };
  return rankDrops([{ segment, rows }], parseSearchQuery(query), scope, 1_000 * day).candidates.map(
    ({ row }) => row.slug,
  );
}

function describeOne(texts: IndexedTexts, query: string): MatchDescription {
  return describeMatches([texts], parseSearchQuery(query))[0] as MatchDescription;
}

describe("a segment", () => {
  // Each page is in one language. The queries are typed as people do: without accents, in another case, as a part of
  // a compound.
  const languages: readonly (readonly [language: string, text: string, queries: readonly string[]])[] = [
    ["English", "Revenue grew by 12% in O’Brien’s café", ["revenue", "CAFE", "obriens", '"revenue grew"']],
    ["German", "Die Straße der Donaudampfschifffahrt ist geöffnet", ["strasse", "dampfschiff", "geoffnet"]],
    ["French", "L’été, les œuvres d’art", ["ete", "oeuvres", "été"]],
    ["Polish", "Zażółć gęślą jaźń w Łodzi", ["zazolc", "lodzi", "gesla"]],
    ["Turkish", "İstanbul'da ışık", ["istanbul*", "isik", "ISTANBUL*"]],
    ["Vietnamese", "Đường phố Hà Nội", ["duong pho", "ha noi"]],
    ["Greek", "Ο δρόμος της Αθήνας", ["δρομος", "ΑΘΗΝΑΣ"]],
    ["Russian", "Ёлка и отчёт за квартал", ["елка", "отчет", "квартал"]],
    ["Chinese", "我们在北京大学发布了季度报告", ["北京", "季度报告", "大学"]],
    ["Japanese", "東京タワーのデータを公開しました", ["タワー", "東京", "公開", "ﾃﾞｰﾀ"]],
    ["Thai", "รายงานประจำไตรมาสของกรุงเทพ", ["ไตรมาส", "กรุงเทพ"]],
    ["Arabic", "نُشِرَ التقرير في القاهرة", ["تقرير", "القاهره", "نشر"]],
    ["Hebrew", "הדו״ח הרבעוני פורסם בבית", ["רבעוני", "בית"]],
    ["Korean", "서울에서 분기 보고서를 발표했다", ["서울", "보고서"]],
    ["Hindi", "तिमाही रिपोर्ट प्रकाशित हुई", ["रिपोर्ट", "तिमाही"]],
  ];
  const segment = openSegment(languages.map(([language, text]) => page(language, { text })));

  test.each(languages.flatMap(([language, , queries]) => queries.map((query) => [language, query] as const)))(
    "finds a page in %s by %s, and shows the passage",
    (language, query) => {
      expect(search(segment, query)).toEqual([language]);
      const row = segment.bySlug.get(language);
      const { matched, snippet } = describeOne(segment.textsOf(row?.id ?? 0), query);
      expect(matched).toEqual(["text"]);
      expect(snippet.marks.length).toBeGreaterThan(0);
      const characters = [...snippet.text];
      for (const [start, end] of snippet.marks) {
        expect(characters.slice(start, end).join("").trim()).not.toBe("");
        expect(end).toBeLessThanOrEqual(characters.length);
      }
    },
  );

  test("matches all words of a query, excludes the excluded words, keeps phrases in order, and matches prefixes", () => {
    const some = openSegment([
      page("both", { text: "apples and pears" }),
      page("apples", { text: "apples" }),
      page("turned", { text: "pears and apples" }),
    ]);
    expect(search(some, "apples pears").sort()).toEqual(["both", "turned"]);
    expect(search(some, "apples -pears")).toEqual(["apples"]);
    expect(search(some, '"apples and pears"')).toEqual(["both"]);
    expect(search(some, "pea*").sort()).toEqual(["both", "turned"]);
  });

  test("ranks a title above text, a newer page above an older one, and a rare word above a frequent one", () => {
    const some = openSegment([
      page("text", { text: "numbers" }),
      page("title", { title: "numbers" }),
      page("old", { text: "twins" }, { updatedAtMs: 1 }),
      page("new", { text: "twins" }, { updatedAtMs: 1_000 * day }),
    ]);
    expect(search(some, "numbers")).toEqual(["title", "text"]);
    expect(search(some, "twins")).toEqual(["new", "old"]);
  });

  test("ranks results independently of pages without access", () => {
    const visible = [
      page("a", { text: "alpha alpha beta filler filler" }),
      page("b", { text: "alpha beta beta" }),
      page("c", { text: "alpha gamma" }),
    ];
    const secret = { ownerId: "grace", audiences: [] };
    const hidden = Array.from({ length: 60 }, (_, index) =>
      page(`hidden${index}`, { text: `beta beta ${"long ".repeat(500)}` }, secret),
    );
    const alone = search(openSegment(visible), "alpha beta");

    expect(search(openSegment([...hidden, ...visible]), "alpha beta")).toEqual(alone);
    expect(search(openSegment([...hidden, ...visible]), "long")).toEqual([]);
    expect(search(openSegment([...hidden, ...visible]), "long", "grace")).toHaveLength(60);
  });

  test("counts a page's words independently of other pages", () => {
    const visible = [page("a", { text: "alpha alpha beta", title: "alpha" }), page("b", { text: "alpha" })];
    const others = Array.from({ length: 37 }, (_, index) => page(`other${index}`, { text: "alpha gamma" }));
    const [term] = parseSearchQuery("alpha");
    const frequencies = (documents: readonly SearchDocument[]) => {
      const found: number[] = [];
      openSegment(documents).match(term as SearchTerm, true, (_, frequency) => found.push(frequency));
      return found.slice(0, visible.length);
    };

    expect(frequencies([...visible, ...others])).toEqual(frequencies(visible));
  });

  test("finds a term only in the requested parts of a document", () => {
    const some = openSegment([
      page("a", { text: "alpha", title: "delta" }),
      page("b", { context: "alphabet" }),
      page("c", { text: "beta gamma" }),
    ]);
    const having = (query: string) => {
      const [term] = parseSearchQuery(query);
      return some.rows.flatMap(({ id, slug }) =>
        some.has(id, term as SearchTerm, ["text", "context"]) ? [slug] : [],
      );
    };

    expect(having("alpha")).toEqual(["a", "b"]);
    expect(having('"alpha"')).toEqual(["a"]);
    expect(having("alph*")).toEqual(["a", "b"]);
    expect(having('"beta gamma"')).toEqual(["c"]);
    expect(having("delta")).toEqual([]);
  });

  test("finds pages with a tag, even if many other pages are more relevant", () => {
    const others = Array.from({ length: 500 }, (_, index) => page(`other${index}`, { title: "numbers" }));
    const tagged = page("tagged", { text: "numbers" }, { metadata: [["project", "alpha"]] });
    const segment = openSegment([...others, tagged]);
    const tags = [["project", "alpha"]] as const;
    const rows = new Map(segment.rows.map((row) => [row.id, row]));
    const scope = { searcher: { userId: undefined, audiences: new Set(["members"] as const) }, tags };

    const found = rankDrops([{ segment, rows }], parseSearchQuery("numbers"), scope, day).candidates;

    expect(found.map(({ row }) => row.slug)).toEqual(["tagged"]);
  });

  test("shows the part of a long text with the most words of the query", () => {
    const filler = "lorem ipsum dolor ".repeat(100);
    const text = `${filler}first alone. ${filler}here first and second stand together. ${filler}`;

    const { snippet } = describeOne({ ...noTexts, title: "T", text }, "first second");

    expect(snippet.text).toContain("first and second");
    expect(snippet.text.length).toBeLessThanOrEqual(300);
    const characters = [...snippet.text];
    expect(snippet.marks.map(([start, end]) => characters.slice(start, end).join(""))).toEqual([
      "first",
      "second",
    ]);
  });
});
