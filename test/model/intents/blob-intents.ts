import fc from "fast-check";
import type { OperationId } from "../../../functions/routes.ts";
import type { VisibilityBody } from "../rules/visibility-rule.ts";
import { type AccountState, ownerAddress } from "../state.ts";
import {
  blobIdOf,
  choose,
  credential,
  credentialWords,
  type Intent,
  nameOf,
  type Target,
  target,
  tokenFor,
} from "./intent.ts";

const filename = fc.constantFrom("a.txt", "my picture-1.png", "x".repeat(200));
const contentType = fc.constantFrom("text/plain", "image/png", "text/html", "application/octet-stream");
const bytes = fc.constantFrom("x", "twelve bytes", "é".repeat(5_000));

/** Visibility of a file, often omitted. */
type WhoMayRead = fc.Arbitrary<VisibilityBody>;
const visibility: WhoMayRead = fc.constantFrom<VisibilityBody>(
  {},
  {},
  { visibility: "public" },
  { visibility: "unlisted" },
  { visibility: "members" },
  { visibility: "people", readers: ["grace@example.com"] },
  { visibility: "people" },
  { readers: ["grace"] },
);
/** The default visibility. The owner's page shows such a file, so it can be found after a lost response. */
const shown: WhoMayRead = fc.constant({});

const uploadBlob = (wish: WhoMayRead) =>
  fc.tuple(filename, contentType, bytes, wish, credential).map(
    ([name, type, text, readable, wanted]): Intent => ({
      words: `upload-blob ${name.slice(0, 20)} of ${Buffer.byteLength(text)} bytes as ${type}${credentialWords(wanted)}`,
      toCall: (state) => ({
        operation: "upload-blob",
        ...tokenFor(state, wanted),
        query: { filename: name, ...asQuery(readable) },
        text,
        headers: { "content-type": type },
      }),
    }),
  );

/** Presents a visibility as query parameters, with one reader at most. */
function asQuery({ visibility: kind, readers: [reader] = [] }: VisibilityBody): Record<string, string> {
  return { ...(kind ? { visibility: kind } : {}), ...(reader ? { readers: reader } : {}) };
}

const startUpload = (wish: WhoMayRead) =>
  fc.tuple(filename, contentType, fc.constantFrom(1, 12), wish, credential).map(
    ([name, type, size, readable, wanted]): Intent => ({
      words: `start-upload ${name.slice(0, 20)} of ${size} bytes as ${type}${credentialWords(wanted)}`,
      toCall: (state) => ({
        operation: "start-upload",
        ...tokenFor(state, wanted),
        body: { filename: name, content_type: type, size_bytes: size, ...readable },
      }),
    }),
  );

/** Sends a file for an upload. Without a started upload there is no URL, so the account is read instead. */
const sendFile = fc.tuple(fc.nat({ max: 2 }), fc.constantFrom("x", "twelve bytes")).map(
  ([index, text]): Intent => ({
    words: `send ${text.length} bytes for upload ${index}`,
    toCall(state) {
      const upload = state.uploads[index % state.uploads.length];
      if (upload === undefined) return { operation: "get-me", ...tokenFor(state, "good") };
      const headers = { ...upload.headers, "content-length": String(Buffer.byteLength(text)) };
      return {
        operation: "send-file",
        params: { id: upload.id },
        address: upload.url,
        method: "PUT",
        headers,
        text,
      };
    },
  }),
);

const completeUpload = onId("complete-upload", "upload", (one, state, other) => {
  const ofBoth = ({ uploads, blobs }: AccountState) => [...uploads, ...blobs].map(({ id }) => id);
  return choose(one, { own: ofBoth(state), deleted: state.deletedBlobIds, other: ofBoth(other) });
});

const serveBlob = fc.tuple(target, fc.boolean()).map(
  ([one, isElsewhere]): Intent => ({
    words: `serve-blob ${nameOf("file", one)}${isElsewhere ? " on another owner's host" : ""}`,
    toCall(state, other) {
      const owner = ownerAddress(isElsewhere ? other : state);
      // The model of this account does not know the other account's current files.
      const id = blobIdOf(one.whose === "other" ? { ...one, whose: "unknown" } : one, state, other);
      return { operation: "serve-blob", address: `${owner}/b/${id}`, headers: { accept: "text/html" } };
    },
  }),
);

function onId(
  operation: OperationId,
  kind: string,
  idOf: (one: Target, state: AccountState, other: AccountState) => string,
): fc.Arbitrary<Intent> {
  return fc.tuple(target, credential).map(([one, wanted]) => ({
    words: `${operation} ${nameOf(kind, one)}${credentialWords(wanted)}`,
    toCall: (state, other) => ({
      operation,
      ...tokenFor(state, wanted),
      params: { id: idOf(one, state, other) },
    }),
  }));
}

/** Intents about files and stepwise uploads. */
export const blobIntents = {
  uploadBlob: uploadBlob(visibility),
  uploadShownBlob: uploadBlob(shown),
  deleteBlob: onId("delete-blob", "file", blobIdOf),
  editBlob: fc.tuple(onId("edit-blob", "file", blobIdOf), visibility).map(
    ([edit, body]): Intent => ({
      words: `${edit.words} ${JSON.stringify(body)}`,
      toCall: (state, other) => ({ ...edit.toCall(state, other), body }),
    }),
  ),
  startUpload: startUpload(visibility),
  startShownUpload: startUpload(shown),
  sendFile,
  completeUpload,
  serveBlob,
} as const;
