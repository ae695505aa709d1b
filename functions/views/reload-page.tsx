import { Emblem } from "./icons.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/**
 * What the viewer's frame shows where a locked page's cookie did not come along: it was locked while it was open, or
 * it loaded itself again. The frame may neither send a form with the cookie nor lead the whole window elsewhere, so
 * words are all there is.
 */
export function renderReloadPage({ nonce }: { readonly nonce: string }): string {
  const words = text.reload;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
      </>
    ),
  });
}
