import type { Drop, Version } from "../../functions/drops/drop.ts";
import type { SignedIn } from "../../functions/identity/signed-in-page.ts";

export const slug = "aB3dE5f";
export const ownerUrl = "https://ada.dropleaf.test/";
export const atMs = Date.UTC(2025, 4, 3, 14, 5, 9);

/** A placeholder with the length of a form's proof. */
export function proofOf(): string {
  return "p".repeat(43);
}

/** A signed-in person with this user name. */
export function signedInAs(username: string, isMember = true): SignedIn {
  const identity = {
    provider: "https://id.example.com",
    id: "1",
    username,
    emails: [],
    groups: [],
    organizations: [],
  };
  const session = { reference: "r".repeat(43), identity, userId: "user", createdAtMs: 0, expiresAtMs: atMs };
  return {
    session,
    reader: { identity, userId: "user", namespace: "ada", isMember, isInTeam: isMember, isBarred: false },
  };
}

/** A drop with these words wherever its owner can enter text, and so many versions. */
export function ownDrop(words: string, versionCount = 3): { drop: Drop; versions: Version[] } {
  const versions = Array.from({ length: versionCount }, (_, index) => ({
    slug,
    version: versionCount - index,
    sizeBytes: 12_345,
    sha256: "",
    hasContext: false,
    pageKey: "key",
    // Only some of 200 versions have a note of the maximum length.
    note: index % 50 === 0 ? words : undefined,
    createdAtMs: atMs - index * 3_600_000,
  }));
  const drop: Drop = {
    slug,
    ownerId: "user",
    namespace: "ada",
    ownerNamespace: "ada",
    title: words,
    description: words,
    metadata: new Map(),
    latest: { version: versionCount, pageKey: "key", hasContext: false },
    nextVersion: versionCount + 1,
    revision: 7,
    versionCount,
    gate: { kind: "locked", epoch: 1, passcodeHash: "hash" },
    visibility: { kind: "people", readers: [{ kind: "username", username: words }] },
    indexed: false,
    viewCount: 1_234,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
  return { drop, versions };
}
