import { expect } from "vitest";
import type { BlobResponse, UploadResponse } from "../../../functions/blobs/schemas.ts";
import { expectError } from "../../support/expect-error.ts";
import { Between, exactly } from "../range.ts";
import {
  type AccountState,
  type BlobState,
  ownerAddress,
  type UploadState,
  withLeftovers,
} from "../state.ts";
import { nothingChanged } from "./drop-rules.ts";
import { isHeld, refuseHeld } from "./hold-rule.ts";
import { during, expectJson, expectNoContent, type Rule } from "./rule.ts";
import {
  forAnybody,
  isOpenToAll,
  readableBy,
  refuseVisibility,
  type VisibilityBody,
  whoMayRead,
} from "./visibility-rule.ts";

const forgottenMs = 5_000;
/** A file becomes readable at its own URL only some time after the call that opens it. */
const openedMs = 10_000;
const anyId = expect.stringMatching(/^[A-Za-z0-9]{7}$/);

/** Fields of a file that its owner may send. */
interface BlobFields extends VisibilityBody {
  readonly filename: string;
}

/** POST /api/blobs */
export const uploadBlob: Rule = (state, observation) => {
  const { query, text = "", headers } = observation.call;
  const { filename, readers, ...rest } = query as unknown as BlobFields & { readonly readers?: string };
  const readable = whoMayRead(forAnybody, {
    ...rest,
    ...(readers === undefined ? {} : { readers: [readers] }),
  });
  if (readable === undefined) return refuseVisibility(state, observation);
  const blob = { filename, ...readable, contentType: String(headers?.["content-type"] ?? ""), bytes: text };
  const { id } = JSON.parse(observation.response.text) as Partial<BlobResponse>;
  const answered = expectJson<BlobResponse>(observation, {
    ...presented(state, { ...blob, id: id ?? "none", createdAtMs: during(observation) }),
    id: anyId,
    ...warningOfType(blob),
  });
  return withBlob(state, { ...blob, id: answered.id, createdAtMs: exactly(answered.created_at) });
};

/** Returns the warning about a picture that is served as bytes, so that browsers download it. */
function warningOfType({ filename, contentType }: Pick<BlobState, "filename" | "contentType">): object {
  const isHidden = filename.endsWith(".png") && contentType === "application/octet-stream";
  return isHidden ? { warnings: [expect.stringContaining("Content-Type: image/png")] } : {};
}

/** PATCH /api/blobs/{id} */
export const editBlob: Rule = (state, observation) => {
  const blob = state.blobs.find(({ id }) => id === observation.call.params?.id);
  if (blob === undefined) {
    expectError(observation.response, "not_found");
    return state;
  }
  const body = (observation.call.body ?? {}) as VisibilityBody;
  const readable = whoMayRead(blob, body);
  if (readable === undefined) return refuseVisibility(state, observation);
  const opens = !isOpenToAll(blob) && isOpenToAll(readable);
  const closes = isOpenToAll(blob) && !isOpenToAll(readable);
  const { answeredAtMs } = observation;
  const edited = { ...blob, ...readable, ...(opens ? { opensByMs: answeredAtMs + openedMs } : {}) };
  const expected = { ...presented(state, edited), ...nothingChanged(body) };
  const { created_at } = expectJson<BlobResponse>(observation, expected);
  const after = withBlob(state, { ...edited, createdAtMs: exactly(created_at) });
  return closes ? withLeftovers(after, blob.id, [blob.bytes], answeredAtMs + forgottenMs) : after;
};

/** DELETE /api/blobs/{id} */
export const deleteBlob: Rule = (state, observation) => {
  const blob = state.blobs.find(({ id }) => id === observation.call.params?.id);
  if (blob === undefined) {
    expectError(observation.response, "not_found");
    return state;
  }
  if (isHeld(state, "")) return refuseHeld(state, observation);
  expectNoContent(observation);
  const blobs = state.blobs.filter((other) => other !== blob);
  const after = { ...state, blobs, deletedBlobIds: [...state.deletedBlobIds, blob.id] };
  return withLeftovers(after, blob.id, [blob.bytes], observation.answeredAtMs + forgottenMs);
};

/** POST /api/blobs/uploads */
export const startUpload: Rule = (state, observation) => {
  const body = observation.call.body as BlobFields & {
    readonly content_type: string;
    readonly size_bytes: number;
  };
  const readable = whoMayRead(forAnybody, body);
  if (readable === undefined) return refuseVisibility(state, observation);
  const answered = expectJson<UploadResponse>(observation, {
    id: anyId,
    url: expect.stringMatching(/^http/),
    method: "PUT",
    headers: { "content-length": String(body.size_bytes), "content-type": body.content_type },
    expires_in: 600,
  });
  const { id, url, headers } = answered;
  const { filename, content_type: contentType, size_bytes: sizeBytes } = body;
  const facts = { filename, ...readable, contentType, sizeBytes };
  return { ...state, uploads: [...state.uploads, { ...facts, id, url, headers, arrived: undefined }] };
};

/** Sends the file to its upload URL, which refuses another length. */
export const sendFile: Rule = (state, { call, response }) => {
  const upload = state.uploads.find(({ id }) => id === call.params?.id);
  const text = call.text ?? "";
  if (upload === undefined || Buffer.byteLength(text) !== upload.sizeBytes) {
    expect(response.status).toBe(403);
    return state;
  }
  expect(response.status).toBe(200);
  return withUpload(state, { ...upload, arrived: text });
};

/** POST /api/blobs/uploads/{id}/complete: repeated calls return the same file. */
export const completeUpload: Rule = (state, observation) => {
  const { response, call } = observation;
  const completed = state.blobs.find(({ id }) => id === call.params?.id);
  if (completed) {
    const { created_at } = expectJson<BlobResponse>(observation, presented(state, completed));
    return withBlob(state, { ...completed, createdAtMs: exactly(created_at) });
  }
  const upload = state.uploads.find(({ id }) => id === call.params?.id);
  if (upload?.arrived === undefined) {
    expectError(response, upload ? "invalid_arg" : "not_found");
    return state;
  }
  const { id, filename, visibility, readers, contentType, arrived } = upload;
  const readable = { visibility, readers };
  const blob = { id, filename, ...readable, contentType, bytes: arrived, createdAtMs: during(observation) };
  const { created_at } = expectJson<BlobResponse>(observation, presented(state, blob));
  const uploads = state.uploads.filter((other) => other !== upload);
  return withBlob({ ...state, uploads }, { ...blob, createdAtMs: exactly(created_at) });
};

/** Adds a file to the account, or replaces the one with the same id. */
function withBlob(state: AccountState, blob: BlobState): AccountState {
  const isThere = state.blobs.some(({ id }) => id === blob.id);
  const blobs = isThere
    ? state.blobs.map((one) => (one.id === blob.id ? blob : one))
    : [...state.blobs, blob];
  return { ...state, blobs };
}

function withUpload(state: AccountState, changed: UploadState): AccountState {
  return { ...state, uploads: state.uploads.map((one) => (one.id === changed.id ? changed : one)) };
}

/** Section "Blob" of the specification. */
function presented(
  state: AccountState,
  { id, filename, contentType, bytes, visibility, readers, createdAtMs }: BlobState,
): object {
  return {
    id,
    filename,
    content_type: contentType,
    size_bytes: Buffer.byteLength(bytes),
    url: `${ownerAddress(state)}/b/${id}`,
    created_at: new Between(createdAtMs),
    visibility,
    ...(readers.length > 0 ? { readers } : {}),
    readable_by: readableBy({ visibility, readers }),
  };
}
