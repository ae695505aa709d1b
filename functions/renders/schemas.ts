import * as z from "zod/mini";
import { integer } from "../http/query.ts";
import { accepts, count, schema, slug, unixMilliseconds, versionNumber } from "../http/schemas.ts";
import { attemptKinds, consoleKinds, impacts, requestFailures, views } from "./report.ts";

const text = /* @__PURE__ */ schema(() => z.string());

const picture = /* @__PURE__ */ schema(() =>
  z.object({
    url: z.url(),
    expires_at: unixMilliseconds,
    content_type: text,
    width: count,
    height: count,
    size_bytes: count,
  }),
);

const view = /* @__PURE__ */ schema(() =>
  z.object({
    name: z.enum(views.map(({ name }) => name)),
    width: count,
    height: count,
    color_scheme: z.enum(["light", "dark"]),
    picture: z.nullable(picture),
    load_ms: z.nullable(count),
    console: z.array(z.object({ kind: z.enum(consoleKinds), text })),
    requests: z.array(z.object({ url: text, kind: text, why: z.enum(requestFailures) })),
    attempts: z.array(z.object({ kind: z.enum(attemptKinds), count })),
    overflow: z.nullable(
      z.object({ pixels: count, elements: z.array(z.object({ selector: text, pixels: count })) }),
    ),
    accessibility: z.nullable(
      z.array(
        z.object({
          rule: text,
          impact: z.enum(impacts),
          help: text,
          count,
          selectors: z.array(text),
        }),
      ),
    ),
    without_scripts: z.optional(z.boolean()),
  }),
);

/** Response of `GET /api/drops/{slug}/render`: the state of the render and, when it is done, its findings. */
export const renderResponse = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    version: versionNumber,
    state: z.enum(["rendered", "asked", "failed"]),
    message: text,
    retry_after_seconds: z.optional(count),
    ask_again_at: z.optional(unixMilliseconds),
    rendered_at: z.optional(unixMilliseconds),
    milliseconds: z.optional(count),
    untrusted: z.optional(text),
    findings: z.optional(z.array(text)),
    views: z.optional(z.array(view)),
    weight: z.optional(z.object({ page_bytes: count, file_bytes: count, requests: count })),
  }),
);

export type RenderResponse = z.output<typeof renderResponse>;

/** Query of `GET /api/drops/{slug}/render`: the version, by default the latest. */
export const getRenderQuery = /* @__PURE__ */ schema(() =>
  z.object({ v: z.optional(integer({ minimum: 1 })) }),
);

/** Arguments of the tool `see_drop`: the version and the views. The default omits dark views, which would double the size of the result. */
export const seeDropQuery = /* @__PURE__ */ schema(() => {
  const each = z.pipe(
    z.array(z.enum(views.map(({ name }) => name))),
    z.transform((names) => [...new Set(names)]),
  );
  return z.object({
    version: z.optional(integer({ minimum: 1 })),
    views: z._default(accepts(each, { type: "array", items: { type: "string" } }), [
      "phone-light",
      "desktop-light",
    ]),
  });
});
