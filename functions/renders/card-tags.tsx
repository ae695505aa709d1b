import { cardSize } from "./report.ts";

interface CardTagsProps {
  /** An absolute URL, since other hosts read it. */
  readonly cardUrl: string;
  /** Alternative text of the card. */
  readonly words: string;
}

/** Metadata for link previews: The Open Graph protocol, "Structured Properties"; X, "Summary card with large image". */
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
