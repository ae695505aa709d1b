import { exitCodes, Problem } from "./problem.ts";

/** Tags of a drop, in the given order. */
export type Tags = readonly (readonly [key: string, value: string])[];

/**
 * Parses tags of the form `key=value`.
 *
 * @throws Problem for a tag without a value
 */
export function readTags(tags: readonly string[]): Tags {
  return tags.map((tag) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(tag) ?? [];
    if (key === undefined || value === undefined)
      throw new Problem(`The tag ${JSON.stringify(tag)} has no value: use --tag key=value`, exitCodes.usage);
    return [key, value];
  });
}

/** Adds tags to the query parameters. */
export function addTags(query: URLSearchParams, tags: Tags): void {
  for (const [key, value] of tags) query.append(`metadata.${key}`, value);
}
