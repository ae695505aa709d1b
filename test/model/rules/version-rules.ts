import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { type DropState, type VersionState, withDrop, withLeftovers } from "../state.ts";
import { onDrop } from "./drop-rules.ts";
import { outdated } from "./entity-tags.ts";
import { isHeld, refuseHeld } from "./hold-rule.ts";
import { during, expectJson, expectNoContent } from "./rule.ts";

const forgottenMs = 5_000;

/** GET /api/drops/{slug}/versions */
export const listVersions = onDrop((state, drop, observation) => {
  const versions = drop.versions.map((version) => presentedVersion(drop, version)).reverse();
  expectJson(observation, { versions });
  return state;
});

/** GET /api/drops/{slug}/v/{n} */
export const getVersion = onDrop((state, drop, observation) => {
  const version = findVersion(drop, observation);
  if (version) expectJson(observation, presentedVersion(drop, version));
  else expectError(observation.response, "not_found");
  return state;
});

/** DELETE /api/drops/{slug}/v/{n}: the last version cannot be deleted. The highest that remains becomes the latest. */
export const deleteVersion = onDrop((state, drop, observation) => {
  const version = findVersion(drop, observation);
  if (version === undefined) {
    expectError(observation.response, "not_found");
    return state;
  }
  const [first, ...others] = drop.versions.filter((other) => other !== version);
  if (first === undefined) {
    expectError(observation.response, "last_version_cannot_be_deleted");
    return state;
  }
  if (isHeld(state, drop.slug)) return refuseHeld(state, observation);
  expectNoContent(observation);
  const after = withDrop(state, {
    ...drop,
    versions: [first, ...others],
    updatedAtMs: during(observation),
    tags: outdated(drop),
  });
  return withLeftovers(after, drop.slug, [version.html], observation.answeredAtMs + forgottenMs);
});

function findVersion({ versions }: DropState, { call }: Observation): VersionState | undefined {
  return versions.find(({ version }) => version === call.params?.n);
}

function presentedVersion(
  { slug }: DropState,
  { version, html, context, createdAtMs }: VersionState,
): object {
  return {
    slug,
    version,
    size_bytes: Buffer.byteLength(html),
    has_context: context !== undefined,
    created_at: createdAtMs,
  };
}
