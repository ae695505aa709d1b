import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import baseStyle from "./base.css";
import { text } from "./text.ts";

interface DocumentProps {
  readonly title: string;
  /** Description of the page for search engines. @default - no description */
  readonly description?: string;
  /** Nonce in the response's Content-Security-Policy. @default - the policy allows the `inlineSources` by their hashes */
  readonly nonce?: string;
  /** The page's own style rules, from its `.css` file. These rules follow the shared rules. @default - only the shared rules */
  readonly style?: string;
  /** The page's script, from its `.client.ts` file. @default - no script */
  readonly script?: string;
  /** True if search engines may list the page. @default false */
  readonly indexed?: boolean;
  /** Additional elements for the document's head. @default - none */
  readonly head?: ComponentChildren;
  /** Class name of the body, which selects the page's layout. */
  readonly layout: string;
  readonly children: ComponentChildren;
}

// Leaf icon of `icons.tsx` as a data URL, so that the favicon needs no request.
const favicon = `data:image/svg+xml,${"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='#2f8a5b' d='M3 3h9a9 9 0 0 1 9 9v9h-9a9 9 0 0 1-9-9z'/><path stroke='#fff' stroke-width='1.6' d='m7 7 14 14'/></svg>".replace(/[<>#]/g, encodeURIComponent)}`;

const wholeId = "whole";
/**
 * Delays painting until the last element of the page has been parsed and the page's script has run. This avoids layout shifts (HTML
 * Standard, "Link type expect"). Browsers without support ignore the link.
 */
const paintWhenWhole = { rel: "expect", href: `#${wholeId}`, blocking: "render" };

/** Renders a whole HTML document, including the doctype. The renderer escapes all texts in `children`. */
export function renderDocument(props: DocumentProps): string {
  const { title, description, nonce, indexed, head, layout, children } = props;
  const { style, script } = inlineSources(props);
  const html = (
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
        <Inline tag="style" nonce={nonce} source={style} />
      </head>
      <body class={layout}>
        {children}
        {script && <Inline tag="script" nonce={nonce} source={script} />}
        <div id={wholeId} hidden />
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

/** Exact contents of a document's inline elements. */
export interface InlineSources {
  readonly style: string;
  /** Source of the inline script. @default - no script */
  readonly script?: string | undefined;
}

/** Returns the inline style and script of a document, for a content security policy that allows them by hash. */
export function inlineSources({ style = "", script }: Partial<InlineSources>): InlineSources {
  return { style: baseStyle + style, script };
}

interface InlineProps {
  readonly tag: "style" | "script";
  readonly nonce: string | undefined;
  readonly source: string;
}

/**
 * Inline style or script. No other component writes unescaped HTML. The contents of the element are always the bundler's output for our
 * files, never user input.
 */
function Inline({ tag: Tag, nonce, source }: InlineProps) {
  return <Tag nonce={nonce} dangerouslySetInnerHTML={{ __html: source }} />;
}
