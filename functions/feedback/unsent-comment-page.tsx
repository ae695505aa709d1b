import { renderSheetPage } from "../html/sheet.tsx";
import type { Draft } from "./draft.ts";
import { feedbackText } from "./feedback-text.ts";

/** Returns a reader's draft when they can no longer see the page. It shows nothing of the page. */
export function renderUnsentCommentPage({
  why,
  draft: { quote, text },
  url,
  nonce,
}: {
  /** The drop was locked, or does not exist or is not shared with the reader: the same text for both. */
  readonly why: "locked" | "missing";
  readonly draft: Draft;
  /** URL of the gate or the sign-in. */
  readonly url: string;
  readonly nonce: string;
}): string {
  const words = feedbackText.kept;
  return renderSheetPage({
    title: words.title,
    heading: words.heading[why],
    sign: why,
    nonce,
    children: (
      <>
        <p role="alert">{words.lead[why]}</p>
        {quote !== "" && <Kept label={feedbackText.quote} words={quote} />}
        {text !== "" && <Kept label={words.words} words={text} />}
        <a class="button" href={url}>
          {words.way[why]}
        </a>
      </>
    ),
  });
}

function Kept({ label, words }: { readonly label: string; readonly words: string }) {
  return (
    <label>
      {label}
      <textarea class="field" readOnly rows={4} dir="auto">
        {words}
      </textarea>
    </label>
  );
}
