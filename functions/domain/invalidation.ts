/** What the edge is to forget. The same reference again is the same invalidation, and is done once. */
export interface Invalidation {
  readonly paths: readonly string[];
  readonly reference: string;
}

/** The same invalidation once more: answers that were under way may have come into the edge's cache after the first. */
export function repeatOf({ paths, reference }: Invalidation): Invalidation {
  return { paths, reference: `${reference}-again` };
}

/** An invalidation as the queue carries it. */
export function toInvalidationMessage({ paths, reference }: Invalidation): string {
  return JSON.stringify({ paths, reference });
}

/**
 * The invalidation that a message of the queue tells of.
 *
 * @throws Error when the message is none.
 */
export function parseInvalidationMessage(text: string): Invalidation {
  const { paths, reference } = Object(JSON.parse(text));
  const isPath = (path: unknown) => typeof path === "string" && path.startsWith("/");
  const isInvalidation =
    Array.isArray(paths) && paths.length > 0 && paths.every(isPath) && typeof reference === "string";
  if (!isInvalidation) throw new Error("The message is no invalidation.");
  return { paths, reference };
}
