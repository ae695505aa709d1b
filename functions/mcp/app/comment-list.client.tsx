import type { AppComment } from "./app-responses.ts";
import { appText } from "./app-text.ts";
import type { Formats } from "./host-context.client.ts";

interface CommentListProps {
  readonly comments: readonly AppComment[];
  readonly hasMore: boolean;
  readonly formats: Formats;
  readonly isBusy: boolean;
  readonly onResolve: (thread: number) => void;
  /** Called with a draft message to the agent about a comment. */
  readonly onAsk: (words: string) => void;
}

/** List of open comments by thread, with the passage that each thread quotes. */
export function CommentList({ comments, hasMore, formats, isBusy, onResolve, onAsk }: CommentListProps) {
  const threads = new Map<number, AppComment[]>();
  for (const comment of comments)
    threads.set(comment.thread.id, [...(threads.get(comment.thread.id) ?? []), comment]);
  return (
    <details>
      <summary>
        <b>{appText.comments(formats.count(threads.size), threads.size)}</b>
      </summary>
      <ol class="threads">
        {[...threads].map(([id, written]) => (
          <li key={id}>
            {written[0]?.thread.quote && <blockquote dir="auto">{written[0].thread.quote}</blockquote>}
            {written.map((comment) => (
              <p key={comment.comment}>
                <span class="quiet">
                  <bdi>{comment.author.name}</bdi>, {formats.time(comment.created_at)}
                </span>
                <span class="words" dir="auto">
                  {comment.text}
                </span>
              </p>
            ))}
            <button class="plain" type="button" onClick={() => onAsk(askAbout(written))}>
              {appText.askAbout}
            </button>
            <button class="plain" type="button" disabled={isBusy} onClick={() => onResolve(id)}>
              {appText.resolve}
            </button>
          </li>
        ))}
      </ol>
      {hasMore && <p class="quiet">{appText.moreComments}</p>}
    </details>
  );
}

/** Drafts a message to the agent about a thread. The message quotes the first comment, because the others are replies to it. */
function askAbout([comment]: readonly AppComment[]): string {
  if (comment === undefined) return "";
  return appText.commented(comment.thread.quote, comment.author.name, comment.text);
}
