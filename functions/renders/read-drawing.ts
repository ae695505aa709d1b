import * as z from "zod/mini";
import { schema } from "../http/schemas.ts";
import {
  attemptKinds,
  consoleKinds,
  type Drawing,
  impacts,
  type PictureName,
  pdfLimits,
  pictureBytesMax,
  reportLimits,
  requestFailures,
  views,
} from "./report.ts";

const viewNames = views.map(({ name }) => name);
const pictureNames = Object.keys(pictureBytesMax) as PictureName[];

/**
 * Validates the drawing function's response. Returns undefined for an invalid response. A page that escapes the browser can forge the
 * response, so no field is an object key, and all sizes are limited.
 */
export function readDrawing(answer: unknown): Drawing | undefined {
  const { data } = z.safeParse(drawing, answer);
  const isWithin = Object.entries(data?.pictures ?? {}).every(
    ([name, { bytes }]) => Buffer.byteLength(bytes, "base64") <= pictureBytesMax[name as PictureName],
  );
  const isPdfWithin = Buffer.byteLength(data?.pdf ?? "", "base64") <= pdfLimits.bytesMax;
  return isWithin && isPdfWithin ? data : undefined;
}

const count = z.int().check(z.nonnegative());
const amount = z.number().check(z.nonnegative());
const text = z.pipe(
  z.string(),
  z.transform((whole) => whole.slice(0, reportLimits.textCharactersMax)),
);

/** Schema of a list that is truncated to a report's limit. */
function listOf<Entry extends z.ZodMiniType>(entry: Entry) {
  return z.pipe(
    z.array(entry),
    z.transform((all) => all.slice(0, reportLimits.entriesMax)),
  );
}

const view = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.object({
      name: z.enum(viewNames),
      loadMs: z.optional(amount),
      console: listOf(z.object({ kind: z.enum(consoleKinds), text })),
      requests: listOf(z.object({ url: text, kind: text, why: z.enum(requestFailures) })),
      attempts: listOf(z.object({ kind: z.enum(attemptKinds), count })),
      overflow: z.optional(
        z.object({ pixels: amount, elements: listOf(z.object({ selector: text, pixels: amount })) }),
      ),
      accessibility: listOf(
        z.object({
          rule: text,
          impact: z.enum(impacts),
          help: text,
          count,
          selectors: listOf(text),
        }),
      ),
      forms: z.optional(listOf(z.object({ selector: text, url: text }))),
      isUnjudged: z.optional(z.literal(true)),
      isWithoutScripts: z.optional(z.literal(true)),
    }),
    // JSON omits undefined fields.
    z.transform(({ loadMs, overflow, ...more }) => ({ ...more, loadMs, overflow })),
  ),
);

const base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/));

const picture = /* @__PURE__ */ schema(() =>
  z.object({
    mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
    widthPx: count,
    heightPx: count,
    bytes: base64,
  }),
);

const drawing = /* @__PURE__ */ schema(() =>
  z.object({
    report: z.object({
      views: z.array(view).check(z.maxLength(viewNames.length)),
      stopped: z.optional(z.enum(["time", "memory", "crash"])),
      weight: z.object({ pageBytes: count, fileBytes: count, requests: count }),
    }),
    pictures: z.partialRecord(z.enum(pictureNames), picture),
    // The decoded PDF begins with "%PDF-".
    pdf: z.optional(base64.check(z.startsWith("JVBERi0"))),
    milliseconds: amount,
  }),
);
