import { renderDocument } from "../html/document.tsx";
import { formatCount } from "../html/format.tsx";
import { LeafMark } from "../html/icons.tsx";
import { frameSandbox } from "../viewer/viewer-page.tsx";
import feedbackScript from "./feedback.client.ts?text";
import feedbackStyle from "./feedback.css";
import { CommentForm } from "./feedback-form.tsx";
import { feedbackText } from "./feedback-text.ts";
import { Thread } from "./feedback-thread.tsx";
import type { FeedbackPageProps, ShownThread } from "./shown-threads.ts";

const words = feedbackText;

/** Renders `GET /p/{slug}/feedback`: the page in a sandboxed frame beside its comments, or only the comments for the viewer's panel. */
export function renderFeedbackPage(props: FeedbackPageProps): string {
  const { title, version, frameUrl, nonce, isPanel } = props;
  const comments = (
    <section id="feedback" tabIndex={-1} aria-labelledby="feedback-heading">
      <Panel {...props} />
    </section>
  );
  if (isPanel)
    return renderDocument({
      title: words.heading,
      nonce,
      style: feedbackStyle,
      layout: "",
      children: comments,
    });
  return renderDocument({
    title: `${words.heading} · ${title}`,
    nonce,
    style: feedbackStyle,
    script: feedbackScript,
    layout: "feedback-page",
    children: (
      <>
        <header>
          <a class="skip" href="#feedback">
            {words.skip}
          </a>
          <LeafMark />
          <h1 dir="auto">{title}</h1>
          <a class="back" href={props.viewerUrl}>
            {words.back}
          </a>
        </header>
        <main>
          <div class="shown">
            <iframe
              id="page"
              name="page"
              sandbox={frameSandbox}
              src={frameUrl}
              title={`${words.framedPage}, ${words.shownVersion(version)}`}
            />
            <p class="by-itself" id="by-itself" role="status" data-words={words.byItself} />
          </div>
          {comments}
        </main>
      </>
    ),
  });
}

function Panel(props: FeedbackPageProps) {
  const { threads, refused, openThreads, allUrl } = props;
  const { open = [], resolved = [] } = Object.groupBy(threads, ({ state }) => state);
  const renderThread = (thread: ShownThread) => <Thread key={thread.thread} {...props} shown={thread} />;
  const isStarting = refused !== undefined && refused.draft.thread === undefined;
  return (
    <>
      <h2 id="feedback-heading">{words.heading}</h2>
      <Version {...props} />
      {allUrl === undefined ? (
        <NewThread {...props} isOpen={isStarting || threads.length === 0} />
      ) : (
        <p>
          <a href={allUrl}>{words.allThreads}</a>
        </p>
      )}
      {threads.length === 0 ? (
        <p class="quiet empty">{words.empty}</p>
      ) : (
        <p class="quiet count">{words.openCount(formatCount(openThreads), openThreads)}</p>
      )}
      {open.map(renderThread)}
      {resolved.length > 0 && (
        <details class="resolved" open={allUrl !== undefined}>
          <summary>{words.resolved(formatCount(resolved.length), resolved.length)}</summary>
          {resolved.map(renderThread)}
        </details>
      )}
      <Parts {...props} />
    </>
  );
}

function Version({ version, latestVersion, versionUrl }: FeedbackPageProps) {
  return (
    <p class="quiet">
      {words.shownVersion(version)}
      {version !== latestVersion && (
        <>
          {", "}
          {words.older(latestVersion)}. <a href={versionUrl(latestVersion)}>{words.seeLatest}</a>
        </>
      )}
    </p>
  );
}

function NewThread(props: FeedbackPageProps & { readonly isOpen: boolean }) {
  const { writer, isOpen, isFull, signInUrl, refused } = props;
  const draft = refused?.draft.thread === undefined ? refused?.draft : undefined;
  if (writer.kind === "barred" && draft === undefined) return <p class="notice">{words.barred}</p>;
  if (isFull && draft === undefined) return <p class="notice">{words.full}</p>;
  if (writer.kind === "nobody" && draft === undefined) {
    return (
      <div class="notice">
        <p>{words.signInLead}</p>
        <a class="button" href={signInUrl}>
          {words.signIn}
        </a>
      </div>
    );
  }
  return (
    <details class="new" open={isOpen}>
      <summary class="button">{words.start}</summary>
      <CommentForm {...props} draft={draft} />
    </details>
  );
}

function Parts({ newerUrl, olderUrl }: FeedbackPageProps) {
  if (newerUrl === undefined && olderUrl === undefined) return null;
  return (
    <nav aria-label={words.pages}>
      {newerUrl && <a href={newerUrl}>{words.newerThreads}</a>}
      {olderUrl && <a href={olderUrl}>{words.olderThreads}</a>}
    </nav>
  );
}
