import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { choice, integer, optionalText } from "../http/query.ts";
import { count, patterns, schema, slug, text, unixMilliseconds, versionNumber } from "../http/schemas.ts";
import { threadStates } from "./feedback.ts";

const words = /* @__PURE__ */ schema(() => z.string());
const number = /* @__PURE__ */ schema(() => z.int().check(z.minimum(1)));
const fraction = /* @__PURE__ */ schema(() => z.number().check(z.minimum(0), z.maximum(1)));

/** Fields of a thread in every response. */
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

/** Maximum length of the comments in one response, in characters of JSON, so that a response fits into a model's context window. */
export const listedCharactersMax = 200_000;

/** Response of `GET /api/feedback`: comments by readers and the owner, oldest first. */
export const feedbackListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    untrusted: words,
    comments: z.array(z.object({ ...commentFields, thread: listedThread })),
    next_since: count,
    has_more: z.boolean(),
    ask_again_in_seconds: count,
  }),
);

/** Response with the new comment. */
export const replyResponse = /* @__PURE__ */ schema(() =>
  z.object({ untrusted: words, ...commentFields, thread }),
);

/** Response with a changed thread. */
export const threadResponse = /* @__PURE__ */ schema(() => z.object({ untrusted: words, slug, thread }));

export type FeedbackListResponse = z.output<typeof feedbackListResponse>;
export type ReplyResponse = z.output<typeof replyResponse>;
export type ThreadResponse = z.output<typeof threadResponse>;

/** Body of `POST /api/drops/{slug}/feedback/{thread}/replies`. */
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

/** Body of `PATCH /api/drops/{slug}/feedback/{thread}`. */
export const resolveBody = /* @__PURE__ */ schema(() => z.object({ state: z.enum(threadStates) }));

/** Values of the `state` filter. */
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

/** Query of `GET /api/feedback`. */
export const listFeedbackQuery = /* @__PURE__ */ schema(() => listQuery(limits.feedbackWaitSecondsMax));

/** Query of the tool `list_feedback`. The maximum wait is shorter than over HTTP, because some clients abort longer calls. */
export const listFeedbackToolQuery = /* @__PURE__ */ schema(() =>
  listQuery(limits.feedbackToolWaitSecondsMax),
);
