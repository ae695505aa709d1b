import { completeUpload } from "../blobs/complete-upload.ts";
import { editBlob } from "../blobs/edit-blob.ts";
import { startUpload } from "../blobs/start-upload.ts";
import { uploadBlob } from "../blobs/upload-blob.ts";
import { editDrop } from "../drops/edit-drop.ts";
import { moveDrop } from "../drops/move-drop.ts";
import { publishDrop } from "../drops/publish-drop.ts";
import { publishFolder } from "../drops/publish-folder.ts";
import { publishVersion } from "../drops/publish-version.ts";
import { restoreVersion } from "../drops/restore-version.ts";
import { setPasscode } from "../drops/set-passcode.ts";
import { startFolder } from "../drops/start-folder.ts";
import { undeleteDrop } from "../drops/undelete-drop.ts";
import { upsertDrop } from "../drops/upsert-drop.ts";
import { replyToFeedback } from "../feedback/reply-to-feedback.ts";
import { resolveFeedback } from "../feedback/resolve-feedback.ts";
import type { Operation } from "../http/operation.ts";
import type { Route } from "../http/route.ts";
import { routeOf } from "../routes.ts";
import { ingestOperationIds } from "./rows.ts";

/** Operations of this server by id. Each operation also has its own Lambda function. */
const handlers = new Map<string, Operation>(
  [
    completeUpload,
    editBlob,
    editDrop,
    moveDrop,
    publishDrop,
    publishFolder,
    publishVersion,
    replyToFeedback,
    resolveFeedback,
    restoreVersion,
    setPasscode,
    startFolder,
    startUpload,
    undeleteDrop,
    uploadBlob,
    upsertDrop,
  ].map((operation) => [operation.id, operation]),
);

/** Operation that matches a request, with its definition (`route`) and path parameters. */
export interface FoundOperation {
  readonly route: Route;
  readonly operation: Operation;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const candidates = ingestOperationIds.map((id) => {
  const route = routeOf(id);
  const operation = handlers.get(id);
  if (operation === undefined) {
    throw new Error(
      `functions/ingest/operations.ts lacks the operation "${id}", whose row takes large bodies.`,
    );
  }
  return { route, operation, pattern: toPattern(route.path) };
});

/** Finds the operation for a method and a path, like API Gateway. Returns undefined if no operation matches. */
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

/** Decodes percent-encoding. Malformed text stays unchanged, and the operation refuses it. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
