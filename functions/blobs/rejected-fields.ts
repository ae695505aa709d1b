import { expiryNames, type MeantNames, passcodeNames, readingNames } from "../http/rejected-fields.ts";

const common: readonly MeantNames[] = [
  ...readingNames,
  {
    names: ["passcode", ...passcodeNames],
    way: 'A file has no passcode. Who may read it is said by visibility: "unlisted", "members", or "people" with readers.',
  },
  { names: expiryNames, way: "A file does not expire: DELETE /api/blobs/{id} when it is to go." },
];

/** Fields that a new file rejects. */
export const refusedOfNewFile: readonly MeantNames[] = [
  ...common,
  {
    names: ["id"],
    way: "The service chooses the id of a new file, and what is there keeps its bytes: upload it anew.",
  },
];

/** Fields that an edit rejects: name, type and bytes of a file cannot change. */
export const refusedOfFileEdit: readonly MeantNames[] = [
  ...common,
  {
    names: ["filename", "name", "contenttype", "type", "content", "text", "base64"],
    way: "A file keeps its name, type and bytes: upload it anew with POST /api/blobs, and delete this one.",
  },
];
