import { renderSheetPage } from "../html/sheet.tsx";
import type { Draft } from "./draft.ts";
import { feedbackText } from "./feedback-text.ts";

interface UnsentCommentPageProps {
  /** `locked`: the drop was locked. `missing`: the drop does not exist or the reader has no access; the text does not say which. */
  readonly why: "locked" | "missing";
  readonly draft: Draft;
  /** URL of the passcode page or the sign-in page. */
  readonly url: string;
  readonly nonce: string;
}

/** Renders a page with a comment that was not sent, because the reader no longer has access. The page reveals nothing about the drop. */
export function renderUnsentCommentPage({ why, draft, url, nonce }: UnsentCommentPageProps): string {
  const { quote, text } = draft;
  const words = feedbackText.unsent;
  return renderSheetPage({
    title: words.title,
    heading: words.heading[why],
    sign: why,
    nonce,
    children: (
      <>
        <p role="alert">{words.lead[why]}</p>
        {quote !== "" && <UnsentText label={feedbackText.quote} words={quote} />}
        {text !== "" && <UnsentText label={words.words} words={text} />}
        <a class="button" href={url}>
          {words.way[why]}
        </a>
      </>
    ),
  });
}

function UnsentText({ label, words }: { readonly label: string; readonly words: string }) {
  return (
    <label>
      {label}
      <textarea class="field" readOnly rows={4} dir="auto">
        {words}
      </textarea>
    </label>
  );
}
