import { ingestOperationIds } from "../contract/ingest.ts";
import type { Route } from "../contract/route.ts";
import { routeOf } from "../contract/routes.ts";
import { completeUpload } from "../handlers/blobs/complete-upload.ts";
import { startUpload } from "../handlers/blobs/start-upload.ts";
import { uploadBlob } from "../handlers/blobs/upload-blob.ts";
import { editDrop } from "../handlers/drops/edit-drop.ts";
import { publishDrop } from "../handlers/drops/publish-drop.ts";
import { publishVersion } from "../handlers/drops/publish-version.ts";
import { setPasscode } from "../handlers/drops/set-passcode.ts";
import { upsertDrop } from "../handlers/drops/upsert-drop.ts";
import type { Operation } from "../http/operation.ts";

/** The same operations that have functions of their own, by their ids. */
const handlers = new Map<string, Operation>(
  [
    completeUpload,
    editDrop,
    publishDrop,
    publishVersion,
    setPasscode,
    startUpload,
    uploadBlob,
    upsertDrop,
  ].map((operation) => [operation.id, operation]),
);

/** What a request means: the row, its operation, and what the path holds in braces. */
export interface FoundOperation {
  readonly route: Route;
  readonly operation: Operation;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Candidate {
  readonly route: Route;
  readonly operation: Operation;
  readonly pattern: RegExp;
}

const candidates = ingestOperationIds.map((id): Candidate => {
  const route = routeOf(id);
  const operation = handlers.get(id);
  if (operation === undefined) {
    throw new Error(
      `functions/ingest/operations.ts lacks the operation "${id}", whose row takes large bodies.`,
    );
  }
  return { route, operation, pattern: toPattern(route.path) };
});

/** The operation of a method and a path, as API Gateway would find it; undefined where there is none. */
export function findOperation(method: string, path: string): FoundOperation | undefined {
  for (const { route, operation, pattern } of candidates) {
    const match = route.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const parameters = Object.entries(match.groups ?? {});
    return {
      route,
      operation,
      pathParameters: Object.fromEntries(parameters.map(([name, value]) => [name, decode(value)])),
    };
  }
  return undefined;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

/** What is no percent-encoding stays as it came: its shape is refused by the operation. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
