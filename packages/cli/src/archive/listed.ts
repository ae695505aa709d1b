import * as z from "zod/mini";
import { count, identifier, unixMs, versionNumber, webAddress } from "../service/fields.ts";

/** A drop in the service's list. Fields that are not in the specification are optional. */
export const listedDrop = z.object({
  slug: identifier,
  title: z.string(),
  description: z.nullish(z.string()),
  url: webAddress,
  raw_url: webAddress,
  locked: z.optional(z.boolean()),
  visibility: z.optional(z.string()),
  readers: z.optional(z.array(z.string())),
  indexed: z.optional(z.boolean()),
  feedback: z.optional(z.string()),
  answers: z.optional(z.string()),
  answers_results: z.optional(z.boolean()),
  expires_at: z.nullish(unixMs),
  metadata: z.record(z.string(), z.string()),
  view_count: count,
  created_at: unixMs,
  updated_at: unixMs,
});
export type ListedDrop = z.output<typeof listedDrop>;

export const listedVersion = z.object({
  version: versionNumber,
  size_bytes: count,
  has_context: z.boolean(),
  has_source: z.optional(z.boolean()),
  /** Number of files in a folder. @default - the version is a single page */
  files: z.optional(count),
  original_date: z.optional(unixMs),
  note: z.optional(z.string()),
  created_at: unixMs,
});
export type ListedVersion = z.output<typeof listedVersion>;

export const listedFile = z.object({
  id: identifier,
  filename: z.string(),
  content_type: z.string().check(z.regex(/^[ -~]{1,255}$/, "must be a media type")),
  size_bytes: count,
  url: webAddress,
  created_at: z.optional(unixMs),
  visibility: z.optional(z.string()),
  readers: z.optional(z.array(z.string())),
  expires_at: z.optional(unixMs),
});
export type ListedFile = z.output<typeof listedFile>;
