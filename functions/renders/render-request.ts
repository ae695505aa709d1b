/** A version that is to be rendered. */
export interface RequestedVersion {
  readonly slug: string;
  readonly version: number;
  /** Whether its owner asks for it, and for all of it. Those wait: it goes before what was published. */
  readonly isAsked: boolean;
}

/** What `render-page` is invoked with. */
export interface RenderRequest {
  /** When they were requested, in Unix milliseconds: the same each time that Lambda brings the event again. */
  readonly atMs: number;
  readonly versions: readonly RequestedVersion[];
}

/**
 * The event of an invocation of `render-page`.
 *
 * @throws Error when it names no versions
 */
export function parseRenderRequest(event: unknown): RenderRequest {
  const { atMs, versions } = Object(event);
  if (Number.isSafeInteger(atMs) && Array.isArray(versions) && versions.every(isRequestedVersion))
    return { atMs, versions };
  throw new Error("The event names no versions that are to be rendered.");
}

function isRequestedVersion(one: unknown): one is RequestedVersion {
  const { slug, version, isAsked } = Object(one);
  return (
    typeof slug === "string" && Number.isSafeInteger(version) && version > 0 && typeof isAsked === "boolean"
  );
}
