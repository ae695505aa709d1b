import type { ComponentChildren } from "preact";
import { renderDocument } from "./document.tsx";
import { LeafMark } from "./icons.tsx";
import sheetStyle from "./sheet.css";
import { text } from "./text.ts";

/** A page with one subject on one sheet: sign-in, gate, errors. */
interface SheetPageProps {
  readonly title: string;
  readonly nonce: string;
  /** @default - the page has no script */
  readonly script?: string;
  /** More elements of the head. @default - none */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The whole document of a page with one subject. */
export function renderSheetPage({ title, nonce, script, head, children }: SheetPageProps): string {
  return renderDocument({
    title: `${title} · ${text.product}`,
    nonce,
    style: sheetStyle,
    script,
    head,
    layout: "sheet-page",
    children: (
      <main>
        <p class="brand">
          <LeafMark />
          {text.product}
        </p>
        <div class="sheet">{children}</div>
      </main>
    ),
  });
}
