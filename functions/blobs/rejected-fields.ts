import { expiryNames, passcodeNames, readingNames } from "../drops/rejected-fields.ts";
import type { RejectedNames } from "../http/route.ts";

const common: readonly RejectedNames[] = [
  ...readingNames,
  {
    names: ["passcode", ...passcodeNames],
    advice:
      'A file has no passcode. To restrict its readers, send visibility: "unlisted", "members", or "people" with readers.',
  },
  { names: expiryNames, advice: "A file does not expire. To delete it, send DELETE /api/blobs/{id}." },
];

/** Fields that a new file rejects. */
export const refusedOfNewFile: readonly RejectedNames[] = [
  ...common,
  {
    names: ["id"],
    advice: "The service chooses the id of a file, and its bytes never change. Upload a new file.",
  },
];

/** Fields that an edit rejects: name, type and bytes of a file cannot change. */
export const refusedOfFileEdit: readonly RejectedNames[] = [
  ...common,
  {
    names: ["filename", "name", "contenttype", "type", "content", "text", "base64"],
    advice:
      "A file's name, type and bytes never change. Upload a new file with POST /api/blobs, and delete this one.",
  },
];
