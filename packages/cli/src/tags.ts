import { exitCodes, Problem } from "./problem.ts";

/**
 * Adds tags of the form `key=value` to a query.
 *
 * @throws Problem for a tag without a value
 */
export function addTags(query: URLSearchParams, tags: readonly string[]): void {
  for (const tag of tags) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(tag) ?? [];
    if (key === undefined || value === undefined)
      throw new Problem(
        `The tag ${JSON.stringify(tag)} has no value: write --tag key=value`,
        exitCodes.usage,
      );
    query.append(`metadata.${key}`, value);
  }
}
