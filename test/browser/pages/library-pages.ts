import { page } from "../../../functions/html/page.ts";
import type { HttpResponse } from "../../../functions/http/response.ts";
import type { LibraryFilters } from "../../../functions/library/library-filters.ts";
import { type LinkedDrop, renderLibraryPage } from "../../../functions/library/library-page.tsx";
import { publishedAtMs } from "../../html/page-fixtures.ts";

const longWord = "migration_checklist__customers_and_invoices__eu_central_1__final_v3_"
  .repeat(3)
  .slice(0, 200);

type Props = Parameters<typeof renderLibraryPage>[0];

const everything: LibraryFilters = { search: undefined, owner: undefined, tags: [] };

const locked = { kind: "locked", epoch: 1, passcodeHash: "" } as const;

/** Full page of the library, which follows other pages. */
export const libraryOfTwenty = library({
  drops: Array.from({ length: 20 }, (_, index) => linked({ slug: `bbbbb${10 + index}` })),
  isFurther: true,
  nextCursor: "more",
});

/** Responses of the library in each of its states. */
export const libraryPages: Readonly<Record<string, HttpResponse>> = {
  "/library": library({
    drops: [
      linked({
        visibility: { kind: "members" },
        metadata: new Map([
          ["project", "billing"],
          ["stage", "draft"],
        ]),
      }),
      linked(
        { slug: "aaaaaa2", visibility: { kind: "people", readers: [] }, gate: locked },
        { isHidden: true },
      ),
      linked({ slug: "aaaaaa3", description: null }, { isOwn: true, owner: "ida" }),
      linked({ slug: "aaaaaa4", gate: locked, title: "What we pay for" }, { isOwn: true, owner: "ida" }),
      linked({ slug: "aaaaaa5", title: "تقرير المبيعات للربع الثالث", description: "ملاحق وجداول طويلة" }),
    ],
    nextCursor: "more",
  }),
  "/library-without-drops": library({}),
  "/library-search": library({
    filters: { ...everything, search: "numbers revenue" },
    drops: [
      linked(
        {},
        {
          snippet: {
            text: "Quarterly numbers: revenue is up 🌿 again.",
            marks: [
              [10, 17],
              [19, 26],
            ],
          },
        },
      ),
      linked(
        { slug: "aaaaaa2", title: "تقرير المبيعات للربع الثالث" },
        { snippet: { text: "ملاحق وجداول طويلة", marks: [[6, 12]] }, isOwn: true, owner: "ida" },
      ),
      linked(
        { slug: "aaaaaa3", gate: locked },
        { snippet: { text: "", marks: [] }, isOwn: true, owner: "ida" },
      ),
    ],
    results: { number: 2, hasMore: true },
  }),
  "/library-search-refused": library({
    filters: { search: '"numbers', owner: "ada", tags: [] },
    fault: "open-quotation-mark",
  }),
  "/library-without-results": library({
    filters: { search: "nowhere", owner: "ada", tags: [["project", "billing"]] },
  }),
  "/library-without-results-so-far": library({
    filters: { ...everything, search: "nowhere" },
    isFurther: true,
    nextCursor: "more",
  }),
  "/library-with-long-words": library({
    drops: [
      linked(
        {
          title: longWord,
          description: longWord + longWord,
          metadata: new Map([["k".repeat(64), longWord]]),
        },
        { owner: "a".repeat(40), snippet: { text: longWord, marks: [[0, 30]] } },
      ),
    ],
    filters: { search: longWord, owner: "a".repeat(40), tags: [["k".repeat(64), longWord]] },
  }),
};

function linked(drop: Partial<LinkedDrop["drop"]>, facts: Partial<LinkedDrop> = {}): LinkedDrop {
  return {
    owner: "ada",
    isOwn: false,
    isHidden: false,
    href: "/d/aaaaaa1",
    ...facts,
    drop: {
      slug: "aaaaaa1",
      ownerId: "u1",
      namespace: "ada",
      ownerNamespace: "ada",
      title: "Quarterly numbers",
      description: "Revenue, churn and cost, with what changed since the last quarter and why.",
      metadata: new Map(),
      latest: { version: 1, pageKey: "", hasContext: false },
      nextVersion: 2,
      revision: 1,
      versionCount: 1,
      gate: { kind: "open", epoch: 0 },
      visibility: { kind: "public" },
      indexed: false,
      viewCount: 0,
      createdAtMs: publishedAtMs,
      updatedAtMs: publishedAtMs,
      ...drop,
    },
  };
}

function library(changes: Partial<Props>): HttpResponse {
  const identity = {
    provider: "https://id.example.com",
    id: "1",
    username: "grace.hopper",
    emails: [],
    groups: [],
    organizations: [],
  };
  const session = { reference: "", identity, userId: undefined, createdAtMs: 0, expiresAtMs: 0 };
  const reader = {
    identity,
    userId: undefined,
    namespace: undefined,
    isMember: true,
    isInTeam: true,
    isBarred: false,
  };
  const props = {
    signedIn: { session, reader },
    filters: everything,
    isFurther: false,
    drops: [],
    thumbnails: new Map<string, string>(),
  };
  return page("signed-in", (nonce) =>
    renderLibraryPage({ ...props, nextCursor: undefined, ...changes, nonce }),
  );
}
