import { limits } from "../http/limits.ts";
import { metadataFilterRule, query, type RawQuery } from "../http/query.ts";
import { patterns, schema } from "../http/schemas.ts";

/** Filters of the library's page. */
export interface Narrowing {
  readonly search: string | undefined;
  readonly owner: string | undefined;
  readonly tags: readonly (readonly [key: string, value: string])[];
}

const metadataPrefix = "metadata.";
const ownerCharactersMax = 40;

/** The query of `GET /library`, read so that people see no API error: what means nothing is left out. */
export const libraryPageQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      q: { type: "string" },
      owner: { type: "string" },
      metadata: metadataFilterRule,
      cursor: { type: "string" },
    },
    (_, sent) => ({ narrowing: toNarrowing(sent), cursor: textOf(sent, "cursor") }),
  ),
);

/** The address of the library's page as it is narrowed down, where it begins or further on. */
export function narrowedPath({ search, owner, tags }: Narrowing, cursor?: string): string {
  const query = new URLSearchParams({
    ...(search === undefined ? {} : { q: search }),
    ...(owner === undefined ? {} : { owner }),
  });
  for (const [key, value] of tags) query.append(metadataPrefix + key, value);
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.size > 0 ? `/library?${query}` : "/library";
}

function toNarrowing(sent: RawQuery): Narrowing {
  const tags = Object.keys(sent)
    .filter((name) => name.startsWith(metadataPrefix))
    .map((name) => [name.slice(metadataPrefix.length), sent[name]?.[0] ?? ""] as const)
    .filter(([key]) => patterns.metadataKey.test(key))
    .slice(0, limits.metadataKeysMax);
  const search = textOf(sent, "q");
  const owner = textOf(sent, "owner")?.toLowerCase();
  return {
    search: search && [...search].slice(0, limits.titleCodePointsMax).join("").toWellFormed(),
    owner: owner?.slice(0, ownerCharactersMax),
    tags,
  };
}

function textOf(sent: RawQuery, name: string): string | undefined {
  const value = sent[name]?.[0]?.trim();
  return value === "" ? undefined : value;
}
