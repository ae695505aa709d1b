import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { choice, integer, optionalText } from "../http/query.ts";
import { count, patterns, schema, slug, text, unixMilliseconds, versionNumber } from "../http/schemas.ts";
import { threadStates } from "./feedback.ts";

const words = /* @__PURE__ */ schema(() => z.string());
const number = /* @__PURE__ */ schema(() => z.int().check(z.minimum(1)));
const fraction = /* @__PURE__ */ schema(() => z.number().check(z.minimum(0), z.maximum(1)));

/** A thread on the wire, in every response. */
const threadFields = /* @__PURE__ */ schema(() => ({
  id: number,
  state: z.enum(threadStates),
  quote: z.nullable(words),
  selector: z.optional(words),
  region: z.optional(z.object({ x: fraction, y: fraction, width: fraction, height: fraction })),
  path: z.optional(words),
  version: versionNumber,
  comment_count: count,
  created_at: unixMilliseconds,
  updated_at: unixMilliseconds,
}));

const thread = /* @__PURE__ */ schema(() => z.object(threadFields));

/** A thread in a list, with the state of its quoted passage. */
const listedThread = /* @__PURE__ */ schema(() =>
  z.object({
    ...threadFields,
    passage: z.object({ state: z.enum(["kept", "gone", "none", "unknown"]), version: versionNumber }),
  }),
);

const commentFields = /* @__PURE__ */ schema(() => ({
  number,
  slug,
  comment: number,
  from: z.enum(["reader", "owner"]),
  author: z.object({ name: words, signed_in: z.boolean() }),
  text: words,
  version: versionNumber,
  created_at: unixMilliseconds,
}));

/** Limit of the comments in one response, in characters of JSON: a model's context holds no more. */
export const listedCharactersMax = 200_000;

/** `GET /api/feedback`: comments of readers and the owner, in the order of writing. */
export const feedbackListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    untrusted: words,
    comments: z.array(z.object({ ...commentFields, thread: listedThread })),
    next_since: count,
    has_more: z.boolean(),
    ask_again_in_seconds: count,
  }),
);

/** The new comment. */
export const replyResponse = /* @__PURE__ */ schema(() =>
  z.object({ untrusted: words, ...commentFields, thread }),
);

/** A thread after a change. */
export const threadResponse = /* @__PURE__ */ schema(() => z.object({ untrusted: words, slug, thread }));

export type FeedbackListResponse = z.output<typeof feedbackListResponse>;
export type ReplyResponse = z.output<typeof replyResponse>;
export type ThreadResponse = z.output<typeof threadResponse>;

/** `POST /api/drops/{slug}/feedback/{thread}/replies`. */
export const replyBody = /* @__PURE__ */ schema(() =>
  z.object({
    text: text({
      name: "text",
      codePointsMax: limits.commentCodePointsMax,
      tooLong: "invalid_arg",
      trimmed: true,
      empty: "invalid_arg",
    }),
  }),
);

/** `PATCH /api/drops/{slug}/feedback/{thread}`. */
export const resolveBody = /* @__PURE__ */ schema(() => z.object({ state: z.enum(threadStates) }));

/** States that a list of threads can have; the first is the default. */
const listedStates = ["all", ...threadStates] as const;

function listQuery(waitSecondsMax: number) {
  return z.object({
    since: z._default(integer({ minimum: 0 }), 0),
    slug: optionalText({
      what: "the slug of a drop: letters and digits",
      maxLength: 7,
      pattern: patterns.slug.source,
    }),
    state: z._default(choice(listedStates), "all"),
    wait: z._default(integer({ minimum: 0, maximum: waitSecondsMax }), 0),
  });
}

/** `GET /api/feedback`. */
export const listFeedbackQuery = /* @__PURE__ */ schema(() => listQuery(limits.feedbackWaitSecondsMax));

/** Query of the tool `list_feedback`, with a shorter wait: some clients abort longer calls. */
export const listFeedbackToolQuery = /* @__PURE__ */ schema(() =>
  listQuery(limits.feedbackToolWaitSecondsMax),
);
