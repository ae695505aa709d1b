import { Emblem } from "../platform/html/icons.tsx";
import { renderSheetPage } from "../platform/html/sheet.tsx";
import type { Draft } from "./draft.ts";
import { feedbackText } from "./feedback-text.ts";

/** What somebody has typed about a page that was locked meanwhile: nothing of the page, and all of their words. */
export function renderKeptWordsPage({
  draft: { quote, text },
  url,
  nonce,
}: {
  readonly draft: Draft;
  /** Where the gate stands. */
  readonly url: string;
  readonly nonce: string;
}): string {
  const words = feedbackText.kept;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p role="alert">{words.lead}</p>
        {quote !== "" && <Kept label={feedbackText.quote} words={quote} />}
        {text !== "" && <Kept label={words.words} words={text} />}
        <a class="button" href={url}>
          {words.open}
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
