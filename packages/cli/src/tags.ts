import { exitCodes, Problem } from "./problem.ts";

/**
 * Reads tags of the form `key=value`.
 *
 * @throws Problem for a tag without a value
 */
export function readTags(tags: readonly string[]): readonly (readonly [key: string, value: string])[] {
  return tags.map((tag) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(tag) ?? [];
    if (key === undefined || value === undefined)
      throw new Problem(
        `The tag ${JSON.stringify(tag)} has no value: write --tag key=value`,
        exitCodes.usage,
      );
    return [key, value];
  });
}

/**
 * Adds tags of the form `key=value` to a query.
 *
 * @throws Problem for a tag without a value
 */
export function addTags(query: URLSearchParams, tags: readonly string[]): void {
  for (const [key, value] of readTags(tags)) query.append(`metadata.${key}`, value);
}
