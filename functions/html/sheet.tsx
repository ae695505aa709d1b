import type { ComponentChildren, ComponentProps } from "preact";
import { renderDocument } from "./document.tsx";
import { Emblem, LeafMark } from "./icons.tsx";
import sheetStyle from "./sheet.css";
import { text } from "./text.ts";

interface SheetPageProps {
  readonly title: string;
  /** Heading of the page. @default - the title */
  readonly heading?: string | undefined;
  /** Emblem above the heading. @default - none */
  readonly sign?: ComponentProps<typeof Emblem>["sign"] | undefined;
  readonly nonce: string;
  /** Source of the page's script. @default - no script */
  readonly script?: string;
  /** Additional elements for the document's head. @default - none */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders a short page about a single subject, such as a sign-in page, a passcode page or an error page. */
export function renderSheetPage({
  title,
  heading = title,
  sign,
  children,
  ...props
}: SheetPageProps): string {
  return renderDocument({
    title: `${title} · ${text.product}`,
    ...props,
    style: sheetStyle,
    layout: "sheet-page",
    children: (
      <main>
        <p class="brand">
          <LeafMark />
          {text.product}
        </p>
        <div class="sheet">
          {sign && <Emblem sign={sign} />}
          <h1>{heading}</h1>
          {children}
        </div>
      </main>
    ),
  });
}

interface ErrorPageProps {
  /** Status of the HTTP response. */
  readonly status: number;
  /** Short name of the problem. */
  readonly heading: string;
  /** Advice for the reader. */
  readonly message: string;
  /** Link to another page. */
  readonly way: { readonly href: string; readonly label: string };
  readonly nonce: string;
}

/** Renders an error page for people, such as the 404 page. */
export function renderErrorPage({ status, heading, message, way, nonce }: ErrorPageProps): string {
  return renderSheetPage({
    title: heading,
    sign: "missing",
    nonce,
    children: (
      <>
        <p>{message}</p>
        <a class="button" href={way.href} dir="auto">
          {way.label}
        </a>
        <p class="quiet small">Error {status}</p>
      </>
    ),
  });
}
