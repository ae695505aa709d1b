import { Emblem } from "./icons.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** Inside the viewer's frame, where a locked page was opened and the cookie is gone. */
export function renderReloadPage({ nonce }: { readonly nonce: string }): string {
  const words = text.reload;
  return renderSheetPage({
    title: words.heading,
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
