import { query, type RawQuery } from "../platform/query.ts";
import { patterns, schema } from "../platform/schemas.ts";

const version = { v: { type: "integer", minimum: 1 } } as const;

/**
 * `?v=N&page=N&thread=N` of a drop's feedback: of each undefined for the usual, and 0 for what is no number, which nothing has; so that
 * people see the 404 page, and not an API error.
 */
export const feedbackQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      ...version,
      page: { type: "integer", minimum: 1 },
      thread: { type: "integer", minimum: 1 },
    },
    (_, sent) => ({
      version: numberOf(sent, "v"),
      page: numberOf(sent, "page") ?? 1,
      thread: numberOf(sent, "thread"),
    }),
  ),
);

/** `?v=N` of its forms: the version that was shown. */
export const sentFeedbackQuery = /* @__PURE__ */ schema(() =>
  query(version, (_, sent) => ({ version: numberOf(sent, "v") })),
);

function numberOf(sent: RawQuery, name: string): number | undefined {
  const [first, ...others] = sent[name] ?? [];
  if (first === undefined) return undefined;
  return others.length === 0 && patterns.positiveInteger.test(first) ? Number(first) : 0;
}
