import { Icon } from "../html/icons.tsx";

/** Thumbnail in a list of drops. */
export interface ShownThumbnail {
  /** URL of the picture. @default - none yet */
  readonly src?: string | undefined;
  /** Title of the drop as a placeholder, or null where it is hidden. */
  readonly title: string | null;
}

/** In pixels, for browsers without `aspect-ratio`: 16 by 10, as thumbnails are rendered. */
const size = { width: 320, height: 200 };

/** A page's picture as an ornament of its row, whose text describes it. */
export function Thumbnail({ src, title }: ShownThumbnail) {
  if (src !== undefined)
    return <img class="thumbnail" src={src} {...size} alt="" loading="lazy" decoding="async" />;
  return (
    <span class="thumbnail" aria-hidden="true">
      {title === null ? <Icon name="lock" /> : <b dir="auto">{title}</b>}
    </span>
  );
}
