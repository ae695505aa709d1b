/** A version that is to be rendered. */
export interface RenderMessage {
  readonly slug: string;
  readonly version: number;
}

/** As the queue carries it. */
export function toRenderMessage({ slug, version }: RenderMessage): string {
  return JSON.stringify({ slug, version });
}

/**
 * The version that a message of the queue tells of.
 *
 * @throws Error when it tells of none.
 */
export function parseRenderMessage(text: string): RenderMessage {
  const { slug, version } = Object(JSON.parse(text));
  if (typeof slug === "string" && Number.isSafeInteger(version) && version > 0) return { slug, version };
  throw new Error("The message names no version.");
}
