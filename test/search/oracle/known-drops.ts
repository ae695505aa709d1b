import { createDrop, type Drop } from "../../../functions/drops/drop.ts";
import { toStoredPage } from "../../../functions/drops/page-content.ts";
import { pages } from "../../../functions/drops/page-objects.ts";
import type { Reader } from "../../../functions/people/find-reader.ts";
import type { Visibility } from "../../../functions/policies/access.ts";
import { createObjectId, createSlug } from "../../../functions/table/identifiers.ts";

/** A drop in the oracle's model. */
export interface KnownDrop {
  readonly drop: Drop;
  readonly text: string;
}

export const owners = ["owner1", "owner2"];

const words = Array.from({ length: 12 }, (_, index) => `word${"abcdefghijkl"[index]}`);
const projects = ["alpha", "beta"];

function reader(name: string, isMember: boolean): Reader {
  const identity = { provider: "test", id: name, username: name, emails: [`${name}@example.com`] };
  return {
    identity: { ...identity, groups: name === "ada" ? ["team"] : [], organizations: [] },
    userId: owners.includes(name) ? name : undefined,
    isMember,
    isInTeam: isMember,
    isBarred: false,
  } as Reader;
}

export const readers = [
  reader("owner1", true),
  reader("owner2", true),
  reader("ada", true),
  reader("bob", false),
];

const visibilities: readonly Visibility[] = [
  { kind: "members" },
  { kind: "unlisted" },
  { kind: "people", readers: [{ kind: "email", email: "bob@example.com" }] },
  { kind: "people", readers: [{ kind: "group", group: "team" }] },
];

/** A search and the predicate for its expected results. */
export interface KnownSearch {
  readonly q: string;
  readonly tags: readonly (readonly [string, string])[];
  /** Decides by the words of each part of a drop. */
  readonly isFor: (parts: readonly (readonly string[])[], project: string | undefined) => boolean;
}

/** Decides whether a drop must be a result of a search at a time. */
export function isResult(
  { drop, text }: KnownDrop,
  search: KnownSearch,
  reader: Reader,
  nowMs: number,
): boolean {
  const isLocked = drop.gate.kind === "locked";
  const texts = [drop.title, ...(isLocked ? [] : [text, drop.description ?? ""])];
  const project = isLocked ? undefined : drop.metadata.get("project");
  return (
    mayFind(drop, reader, nowMs) &&
    search.isFor(
      texts.map((one) => one.split(" ")),
      project,
    )
  );
}

function mayFind(drop: Drop, { identity, userId, isMember }: Reader, nowMs: number): boolean {
  if (drop.expiresAtMs !== undefined && drop.expiresAtMs <= nowMs) return false;
  if (drop.ownerId === userId) return true;
  if (drop.gate.kind === "locked") return false;
  const { visibility } = drop;
  if (visibility.kind === "members") return isMember;
  return (
    visibility.kind === "people" &&
    visibility.readers.some((rule) =>
      rule.kind === "group"
        ? identity.groups.includes(rule.group)
        : rule.kind === "email" && identity.emails.includes(rule.email),
    )
  );
}

/** Generates random drops and searches. */
export function randomDrops(randomInt: (exclusiveMax: number) => number) {
  const oneOf = <One>(all: readonly One[]): One => all[randomInt(all.length)] as One;
  const someWords = () => Array.from({ length: 3 }, () => oneOf(words)).join(" ");
  const expiry = (nowMs: number) => oneOf([undefined, undefined, nowMs - 1, nowMs + randomInt(3_600_000)]);

  async function putPage(slug: string, text: string) {
    const page = toStoredPage(slug, createObjectId(randomInt), {
      html: `<p>${text}</p>`,
      title: "",
    } as never);
    await pages.put(page);
    return page;
  }

  return {
    oneOf,

    async create(nowMs: number): Promise<KnownDrop> {
      const [slug, text, ownerId] = [createSlug(randomInt), someWords(), oneOf(owners)];
      const page = await putPage(slug, text);
      const content = { title: someWords(), metadata: new Map([["project", oneOf(projects)]]) };
      const { drop } = createDrop({ userId: ownerId, namespace: ownerId }, content, page, {
        slug,
        passcodeHash: undefined,
        reach: { visibility: oneOf(visibilities), indexed: false },
        nowMs,
      });
      return { drop, text };
    },

    /** Applies a random change, as an owner's request would. */
    async change({ drop, text }: KnownDrop, nowMs: number): Promise<KnownDrop> {
      const next = { ...drop, revision: drop.revision + 1 };
      switch (randomInt(7)) {
        case 0: {
          const newText = someWords();
          const page = await putPage(drop.slug, newText);
          const latest = { version: drop.latest.version + 1, pageKey: page.key, hasContext: false };
          return { drop: { ...next, latest }, text: newText };
        }
        case 1:
          return { drop: { ...next, title: someWords() }, text };
        case 2:
          return { drop: { ...next, description: someWords() }, text };
        case 3: {
          const gate = { kind: "locked", epoch: drop.gate.epoch + 1, passcodeHash: "scrypt$0" } as const;
          return {
            drop: { ...next, gate: drop.gate.kind === "open" ? gate : { kind: "open", epoch: gate.epoch } },
            text,
          };
        }
        case 4:
          return { drop: { ...next, expiresAtMs: expiry(nowMs) }, text };
        case 5:
          return { drop: { ...next, metadata: new Map([["project", oneOf(projects)]]) }, text };
        default:
          return { drop: { ...next, visibility: oneOf(visibilities) }, text };
      }
    },

    search(): KnownSearch {
      const [one, other, project] = [oneOf(words), oneOf(words), oneOf(projects)];
      const has = (parts: readonly (readonly string[])[], word: string) =>
        parts.some((part) => part.includes(word));
      const search = (q: string, isFor: KnownSearch["isFor"]): KnownSearch => ({ q, tags: [], isFor });
      return oneOf<KnownSearch>([
        ...searchesOfWords().filter(({ q }) => q === one),
        search(`${one} ${other}`, (parts) => has(parts, one) && has(parts, other)),
        search(`${one} -${other}`, (parts) => has(parts, one) && !has(parts, other)),
        search(`"${one} ${other}"`, (parts) =>
          parts.some((part) => part.some((word, index) => word === one && part[index + 1] === other)),
        ),
        search(`${one.slice(0, -1)}*`, () => true),
        {
          ...search(one, (parts, tag) => has(parts, one) && tag === project),
          tags: [["project", project]],
        },
      ]);
    },
  };
}

/** Creates a search for each word. */
export function searchesOfWords(): KnownSearch[] {
  return words.map((word) => ({
    q: word,
    tags: [],
    isFor: (parts) => parts.some((part) => part.includes(word)),
  }));
}
