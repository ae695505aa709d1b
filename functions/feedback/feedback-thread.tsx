import { limits } from "../core/limits.ts";
import { formatCount, Time } from "../html/format.tsx";
import type { Author, Comment } from "./feedback.ts";
import { CommentForm } from "./feedback-form.tsx";
import { feedbackText } from "./feedback-text.ts";
import type { FeedbackPageProps, ShownThread } from "./shown-threads.ts";

const words = feedbackText;

/** Thread of comments. Readers' texts are rendered as plain text. */
export function Thread(props: FeedbackPageProps & { readonly shown: ShownThread }) {
  const { shown, threadUrl } = props;
  const { thread, comments, commentCount } = shown;
  const [first, ...rest] = comments;
  const hidden = commentCount - comments.length;
  return (
    <article id={`t${thread}`} aria-label={words.thread(thread)}>
      <Passage {...props} />
      <ol>
        {first && <CommentItem comment={first} />}
        {hidden > 0 && (
          <li class="quiet">
            {words.hidden(formatCount(hidden), hidden)}.{" "}
            <a href={threadUrl(thread)} aria-label={`${words.wholeThread}: ${words.thread(thread)}`}>
              {words.wholeThread}
            </a>
          </li>
        )}
        {rest.map((comment) => (
          <CommentItem key={comment.comment} comment={comment} />
        ))}
      </ol>
      <Reply {...props} />
    </article>
  );
}

function Passage(props: FeedbackPageProps & { readonly shown: ShownThread }) {
  const { shown, version, versionUrl, framedPageUrl } = props;
  const { thread, quote, selector, path } = shown;
  const isElsewhere = shown.version !== version;
  const isMarked = quote !== undefined || selector !== undefined;
  if (!isMarked && path === undefined && !isElsewhere) return null;
  return (
    <div class="passage">
      {path !== undefined && (
        <p class="quiet small">
          {words.onPage}{" "}
          {framedPageUrl ? (
            <a href={framedPageUrl(path)} target="page">
              <bdi>{path}</bdi>
            </a>
          ) : (
            <bdi>{path}</bdi>
          )}
        </p>
      )}
      {quote !== undefined && <blockquote dir="auto">{quote}</blockquote>}
      {quote === undefined && selector !== undefined && <p class="small">{words.place}</p>}
      {isMarked && !shown.isGone && (
        <p class="scripted">
          <button
            type="button"
            class="plain"
            data-show={thread}
            data-selector={quote === undefined ? selector : undefined}
            data-shown={words.shown}
            data-missing={quote === undefined ? words.placeNotFound : words.notFound}
          >
            {words.show}
          </button>{" "}
          <span role="status" />
        </p>
      )}
      {isElsewhere && (
        <p class="quiet small">
          {words.writtenAt(shown.version)}. {quote !== undefined && shown.isGone && `${words.gone(version)} `}
          {quote !== undefined && shown.hasVersion && (
            <a href={`${versionUrl(shown.version)}#t${thread}`}>{words.seeVersion(shown.version)}</a>
          )}
        </p>
      )}
    </div>
  );
}

function CommentItem({
  comment: { thread, comment, author, text, createdAtMs },
}: {
  readonly comment: Comment;
}) {
  return (
    <li id={`t${thread}-${comment}`} class={author.kind === "owner" ? "of-owner" : undefined}>
      <p class="author">
        <AuthorName author={author} /> <Time atMs={createdAtMs} />
      </p>
      <p class="text" dir="auto">
        {text}
      </p>
    </li>
  );
}

/** Name and role of an author. The name's text direction is isolated from the surrounding text. */
function AuthorName({ author: { kind, name } }: { readonly author: Author }) {
  const shown = (
    <bdi>
      <b>{name}</b>
    </bdi>
  );
  if (kind === "named")
    return (
      <>
        <i>{words.authors.named}</i> {shown}
      </>
    );
  return (
    <>
      {shown} <i>{kind === "owner" ? words.authors.owner : words.authors.signedIn}</i>
    </>
  );
}

function Reply(props: FeedbackPageProps & { readonly shown: ShownThread }) {
  const { shown, refused, writer } = props;
  const { thread, state, commentCount } = shown;
  const draft = refused?.draft.thread === thread ? refused.draft : undefined;
  const mayWrite = writer.kind === "signed-in" || writer.kind === "named";
  if (draft === undefined && (state === "resolved" || !mayWrite)) return null;
  if (draft === undefined && commentCount >= limits.commentsPerThreadMax)
    return <p class="quiet small">{words.problems.manyComments}</p>;
  return (
    <details open={draft !== undefined}>
      <summary aria-label={words.replyTo(thread)}>{words.reply}</summary>
      <CommentForm {...props} thread={thread} draft={draft} />
    </details>
  );
}
