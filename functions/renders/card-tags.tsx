import { cardSize } from "./report.ts";

/**
 * Metadata for link previews; see "Structured Properties", Open Graph protocol, and "Summary card with large image", X. The URL must be
 * absolute, because other sites fetch the card. `words` is the card's alternative text.
 */
export function CardTags({ cardUrl, words }: { readonly cardUrl: string; readonly words: string }) {
  return (
    <>
      <meta property="og:image" content={cardUrl} />
      <meta property="og:image:width" content={String(cardSize.widthPx)} />
      <meta property="og:image:height" content={String(cardSize.heightPx)} />
      <meta property="og:image:alt" content={words} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
