import { expiryNames, type MeantNames, passcodeNames, readingNames } from "../http/rejected-fields.ts";

const common: readonly MeantNames[] = [
  ...readingNames,
  {
    names: ["passcode", ...passcodeNames],
    way: 'A file has no passcode. To restrict its readers, send visibility: "unlisted", "members", or "people" with readers.',
  },
  { names: expiryNames, way: "A file does not expire. To delete it, send DELETE /api/blobs/{id}." },
];

/** Fields that a new file rejects. */
export const refusedOfNewFile: readonly MeantNames[] = [
  ...common,
  {
    names: ["id"],
    way: "The service chooses the id of a file, and its bytes never change. Upload a new file.",
  },
];

/** Fields that an edit rejects: name, type and bytes of a file cannot change. */
export const refusedOfFileEdit: readonly MeantNames[] = [
  ...common,
  {
    names: ["filename", "name", "contenttype", "type", "content", "text", "base64"],
    way: "A file's name, type and bytes never change. Upload a new file with POST /api/blobs, and delete this one.",
  },
];
