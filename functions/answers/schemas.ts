import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { integer, optionalText } from "../http/query.ts";
import { count, schema, unixMilliseconds, versionNumber } from "../http/schemas.ts";

const words = /* @__PURE__ */ schema(() => z.string());

/** Maximum length of the answers in one response, in characters of JSON, so that a response fits into a model's context window. */
export const listedCharactersMax = 200_000;

/** Response of `GET /api/drops/{slug}/answers`: answers, oldest first. */
export const answerListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    untrusted: words,
    answers: z.array(
      z.object({
        number: z.int().check(z.minimum(1)),
        form: words,
        fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
        version: versionNumber,
        path: z.optional(words),
        created_at: unixMilliseconds,
        author: z.object({ name: z.nullable(words), signed_in: z.boolean() }),
      }),
    ),
    next_since: count,
    has_more: z.boolean(),
    ask_again_in_seconds: count,
  }),
);

export type AnswerListResponse = z.output<typeof answerListResponse>;

const form = /* @__PURE__ */ schema(() =>
  optionalText({
    what: "the value of data-answers: letters, digits, - and _",
    maxLength: limits.formNameCharactersMax,
    pattern: "^[A-Za-z0-9_-]*$",
  }),
);

const since = /* @__PURE__ */ schema(() => z._default(integer({ minimum: 0 }), 0));

function listQuery(waitSecondsMax: number) {
  return z.object({
    form,
    since,
    wait: z._default(integer({ minimum: 0, maximum: waitSecondsMax }), 0),
  });
}

/** Query of `GET /api/drops/{slug}/answers`. */
export const listAnswersQuery = /* @__PURE__ */ schema(() => listQuery(limits.feedbackWaitSecondsMax));

/** Query of the tool `read_answers`. The maximum wait is shorter than over HTTP, because some clients abort longer calls. */
export const readAnswersToolQuery = /* @__PURE__ */ schema(() =>
  listQuery(limits.feedbackToolWaitSecondsMax),
);

/** Query of the tool `page_answers`. The tool's only argument is the slug. */
export const pageAnswersQuery = /* @__PURE__ */ schema(() => z.object({}));

/** Query of `GET /api/drops/{slug}/answers.csv`. */
export const exportAnswersQuery = /* @__PURE__ */ schema(() => z.object({ form, since }));

/** Query of `DELETE /api/drops/{slug}/answers`. */
export const deleteAnswersQuery = /* @__PURE__ */ schema(() => z.object({ form }));
