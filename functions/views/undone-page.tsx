import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** `POST /login/undo`: the sign-in is taken back. */
export function renderUndonePage({ nonce }: { readonly nonce: string }): string {
  const words = text.undone;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <p>{words.published}</p>
        <p>
          <a href="/">{text.error.home}</a>
        </p>
      </>
    ),
  });
}
