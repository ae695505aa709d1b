import { renderAccountDropsPage } from "../../functions/account/account-page.tsx";
import { renderOwnDropPage } from "../../functions/account/drop-page.tsx";
import { renderFilesPage } from "../../functions/account/files-page.tsx";
import { toFormRevision } from "../../functions/account/form-revision.ts";
import { listPage } from "../../functions/account/list-page.ts";
import { renderNoAccountPage } from "../../functions/account/no-account-page.tsx";
import type { OwnDrop } from "../../functions/account/own-drops.ts";
import { renderSignedOutPage } from "../../functions/account/signed-out-page.tsx";
import { renderTokensPage } from "../../functions/account/tokens-page.tsx";
import { renderTrashPage } from "../../functions/account/trash-page.tsx";
import type { TrashReason } from "../../functions/drops/drop.ts";
import { tokenScopes } from "../../functions/table/identifiers.ts";
import { nonce } from "../html/nonce.ts";
import { answersOf } from "./answers-page-fixtures.ts";
import { atMs, ownDrop, ownerUrl, proofOf, signedInAs, slug } from "./owner-fixtures.ts";

const baseUrl = "https://dropleaf.test";
/** A single pixel, as a data URL: the other thumbnails are missing. */
const thumbnailWithin = "data:image/webp;base64,UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=";
const acting = {
  teams: [
    { userId: "team-1", namespace: "design", role: "editor" },
    { userId: "team-2", namespace: "growth", role: "owner" },
  ],
  team: { userId: "team-2", namespace: "growth", role: "owner" },
  dropOwner: "design",
  proof: proofOf(),
} as const;

/** The list of so many drops with these words as titles. */
export function listOfDrops(words: string, count: number): string {
  const drops = Array.from({ length: count }, (_, index) => ({
    slug: `aB3d${String(index).padStart(3, "0")}`,
    title: words,
    version: index + 1,
    visibility: (["public", "unlisted", "members", "people"] as const)[index % 4] ?? "public",
    isLocked: index % 3 === 0,
    isExpired: index % 5 === 2,
    versionCount: index + 1,
    viewCount: index * 17,
    updatedAtMs: atMs - index * 86_400_000,
  }));
  return renderAccountDropsPage({
    signedIn: signedInAs(words),
    ownerUrl,
    waiting: [
      { slug, title: words, count: 2 },
      { slug: "aB3d001", title: words, count: 1 },
    ],
    drops: listPage(drops, 1),
    thumbnails: new Map([["aB3d000", thumbnailWithin]]),
    done: "deleted",
    nonce,
  });
}

/** The results of a search in an owner's drops. */
function searchOfDrops(words: string, fault?: "no-words"): string {
  const drop: OwnDrop = {
    slug: "aB3d000",
    title: words,
    version: 1,
    visibility: "public",
    isLocked: false,
    isExpired: false,
    versionCount: 1,
    updatedAtMs: atMs,
    snippet: { text: words, marks: [[0, 1]] },
  };
  return renderAccountDropsPage({
    signedIn: signedInAs(words),
    ownerUrl,
    waiting: [],
    drops: { ...listPage(fault === undefined && words !== "" ? [drop] : [], 1), number: 2 },
    search: { query: words, fault, hasMore: true },
    thumbnails: new Map([["aB3d000", thumbnailWithin]]),
    nonce,
  });
}

/** A drop's page after a form whose drop had changed. */
export function conflictOf(words: string, versionCount = 3): string {
  const { drop, versions } = ownDrop(words, versionCount);
  return renderOwnDropPage({
    mayDelete: true,
    signedIn: signedInAs(words),
    nowMs: atMs,
    drop: { ...drop, expiresAtMs: atMs - 1 },
    versions,
    url: `${ownerUrl}d/${slug}`,
    feedback: { url: `${ownerUrl}p/${slug}/feedback`, openThreads: 3 },
    answerCount: 41,
    comparisonUrl: (to) => `${ownerUrl}p/${slug}/compare?to=${to}`,
    unknownGroups: [words],
    requests: [
      {
        slug,
        id: "0123456789abcdef01234567",
        name: words,
        reader: "grace@example.com",
        text: words,
        requestedAtMs: atMs,
      },
    ],
    trashDays: 7,
    proofOf,
    sent: {
      form: "share",
      fields: new URLSearchParams({ visibility: "people", readers: words, lock: "set", passcode: words }),
      problem: { message: words },
      changes: [{ what: "Title", now: toFormRevision(drop).title }],
    },
    newest: { reads: [{ reader: words, day: "2025-05-03", firstAtMs: atMs }], next: "cursor" },
    weeksReaders: [words, words, words, words],
    receivers: [
      { userId: "user", namespace: "ada" },
      { userId: "team-1", namespace: "growth", role: "editor" },
    ],
    nonce,
  });
}

/** The list of so many files with these words as names. */
export function listOfFiles(words: string, count: number): string {
  const files = Array.from({ length: count }, (_, index) => ({
    id: `f${String(index).padStart(6, "0")}`,
    ownerId: "user",
    namespace: "ada",
    filename: words,
    contentType: "image/png",
    sizeBytes: 12_345,
    visibility: { kind: index % 2 === 0 ? "public" : "unlisted" } as const,
    objectKey: "key",
    createdAtMs: atMs,
  }));
  return renderFilesPage({
    mayDelete: true,
    signedIn: signedInAs(words),
    files: listPage(files, 1),
    urlOf: ({ id }) => `${ownerUrl}b/${id}`,
    proofOf,
    once: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
    problem: { message: words, field: "filename" },
    sent: { name: words, visibility: "unlisted" },
    nonce,
  });
}

/** Every page for an owner, with the words wherever people can enter text. */
export function accountPages(words: string): Record<string, string> {
  const signedIn = signedInAs(words);
  const destination = { page: "account" } as const;
  const fields = new URLSearchParams({ title: words, description: words, readers: words });
  const trashed = (reason: TrashReason) => ({
    ...{ slug, title: words, reason },
    ...{ deletedAtMs: atMs, purgeAtMs: atMs + 1, pageBytes: 12_345 },
  });
  const token = { id: "aB3dE5fG7hJ9", userId: "user", hash: "", label: words, createdAtMs: atMs };
  return {
    "account with drops": listOfDrops(words, 3),
    "account without drops": listOfDrops(words, 0),
    "account with search results": searchOfDrops(words),
    "account with a refused search": searchOfDrops(words, "no-words"),
    "own drop": conflictOf(words),
    "own files": listOfFiles(words, 3),
    "own answers": answersOf(words),
    "own trash": renderTrashPage({
      mayDelete: true,
      signedIn,
      drops: listPage([trashed("deleted"), trashed("expired")], 1),
      proofOf,
      problem: { message: words },
      nonce,
    }),
    "own tokens": renderTokensPage({
      mayRevoke: true,
      signedIn,
      tokens: tokenScopes.map((scope) => ({ ...token, scope, lastUsedAtMs: atMs, expiresAtMs: atMs + 1 })),
      proofOf,
      problem: { message: words },
      nowMs: atMs,
      nonce,
    }),
    "own tokens of a team": renderTokensPage({
      signedIn: { ...signedIn, acting },
      tokens: [],
      proofOf,
      mayRevoke: false,
      nowMs: atMs,
      nonce,
    }),
    "no account": renderNoAccountPage({ signedIn, baseUrl, destination, nonce }),
    "no account but a team that was left": renderNoAccountPage({
      signedIn: {
        ...signedIn,
        acting: { teams: [], team: undefined, leftTeam: "growth", proof: proofOf() },
      },
      baseUrl,
      destination,
      nonce,
    }),
    "no member any more": renderNoAccountPage({
      signedIn: signedInAs(words, false),
      baseUrl,
      destination,
      nonce,
    }),
    "signed out of a form": renderSignedOutPage({ fields, destination, nonce }),
  };
}
