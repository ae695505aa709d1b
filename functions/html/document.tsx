import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import baseStyle from "./base.css";
import { text } from "./text.ts";

/** Props that every page shares: head, styles, and at most one inline script. */
interface DocumentProps {
  /** The title of the tab. */
  readonly title: string;
  /** @default - no description */
  readonly description?: string;
  /** The nonce of the response's Content-Security-Policy. @default - a policy with the hashes of `inlineSources` */
  readonly nonce?: string;
  /** The page's own rules, after the shared ones, from its `.css`. @default - the shared rules only */
  readonly style?: string;
  /**
   * The page's script, from its `.client.ts`.
   * @default - no script
   */
  readonly script?: string;
  /**
   * True if search engines may list the page.
   * @default false
   */
  readonly indexed?: boolean;
  /** More elements of the head. @default - none */
  readonly head?: ComponentChildren;
  /** The class of the body, for the page's layout. */
  readonly layout: string;
  readonly children: ComponentChildren;
}

// The leaf of `icons.tsx` as a data address, so that the favicon needs no request.
const favicon = `data:image/svg+xml,${"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='#2f8a5b' d='M3 3h9a9 9 0 0 1 9 9v9h-9a9 9 0 0 1-9-9z'/><path stroke='#fff' stroke-width='1.6' d='m7 7 14 14'/></svg>".replace(/[<>#]/g, encodeURIComponent)}`;

const wholeId = "whole";
/**
 * Delays painting until the last element of the page has been parsed and its script has run, which avoids layout shifts (HTML Standard,
 * "Link type expect"). Other browsers ignore it.
 */
const paintWhenWhole = { rel: "expect", href: `#${wholeId}`, blocking: "render" };

/** A whole HTML document as a string, doctype included. Everything in `children` is escaped by the renderer. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToString(<Document {...props} />)}`;
}

function Document({
  title,
  description,
  nonce,
  style,
  script,
  indexed,
  head,
  layout,
  children,
}: DocumentProps) {
  const inline = /* @__PURE__ */ inlineSources({ style, script });
  return (
    <html lang={text.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {!indexed && <meta name="robots" content="noindex" />}
        <link rel="icon" href={favicon} />
        {head}
        <link {...paintWhenWhole} />
        <Inline tag="style" nonce={nonce} source={inline.style} />
      </head>
      <body class={layout}>
        {children}
        {inline.script && <Inline tag="script" nonce={nonce} source={inline.script} />}
        <div id={wholeId} hidden />
      </body>
    </html>
  );
}

/** The exact texts of a document's inline elements. */
export interface InlineSources {
  readonly style: string;
  /** @default - no script */
  readonly script?: string | undefined;
}

/** Inline style and script of a document, for a policy that allows them by hash. */
export function inlineSources({
  style = "",
  script,
}: Pick<DocumentProps, "style" | "script">): InlineSources {
  return { style: baseStyle + style, script };
}

/** The only place that writes unescaped HTML. It only gets the bundler's output for our files, never user input. */
function Inline({
  tag: Tag,
  nonce,
  source,
}: {
  tag: "style" | "script";
  nonce: string | undefined;
  source: string;
}) {
  return <Tag nonce={nonce} dangerouslySetInnerHTML={{ __html: source }} />;
}
