import { untrusted } from "./presenter.ts";
import type { FeedbackListResponse, ReplyResponse, ThreadResponse } from "./schemas.ts";

/** Example of a comment on a quote, the owner's reply, and the resolved thread. */
export function exampleFeedback({
  slug,
  writtenAtMs,
}: {
  readonly slug: string;
  readonly writtenAtMs: number;
}) {
  const repliedAtMs = writtenAtMs + 3_600_000;
  const thread = {
    id: 1,
    state: "open",
    quote: "Revenue is up by 12 percent.",
    version: 1,
    comment_count: 1,
    created_at: writtenAtMs,
    updated_at: writtenAtMs,
  } as const;
  const comment = {
    number: 41,
    slug,
    comment: 1,
    from: "reader",
    author: { name: "grace", signed_in: true },
    text: "Is that compared with last year, or with the quarter before?",
    version: 1,
    created_at: writtenAtMs,
  } as const;
  const replied = { ...thread, comment_count: 2, updated_at: repliedAtMs };
  return {
    list: {
      untrusted,
      comments: [{ ...comment, thread: { ...thread, passage: { state: "kept", version: 2 } } }],
      next_since: 41,
      has_more: false,
      ask_again_in_seconds: 0,
    } satisfies FeedbackListResponse,
    reply: {
      untrusted,
      ...comment,
      number: 42,
      comment: 2,
      from: "owner",
      author: { name: "ada", signed_in: true },
      text: "With last year. The page says so now.",
      version: 2,
      created_at: repliedAtMs,
      thread: replied,
    } satisfies ReplyResponse,
    resolved: {
      untrusted,
      slug,
      thread: { ...replied, state: "resolved", updated_at: repliedAtMs + 1_000 },
    } satisfies ThreadResponse,
  };
}
