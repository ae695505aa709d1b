import { cardSize } from "./report.ts";

interface CardTagsProps {
  /** Absolute URL of the card, because other sites fetch it. */
  readonly cardUrl: string;
  /** Alternative text of the card. */
  readonly words: string;
}

/** Metadata for link previews; see "Structured Properties", Open Graph protocol, and "Summary card with large image", X. */
export function CardTags({ cardUrl, words }: CardTagsProps) {
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
