import { Icon } from "../html/icons.tsx";

interface ThumbnailProps {
  /** URL of the picture. @default - not rendered yet */
  readonly src?: string | undefined;
  /** Title of the drop, shown as a placeholder. Null if the title is hidden. */
  readonly title: string | null;
}

/** Size of the image in pixels, for browsers without `aspect-ratio`. Thumbnails have an aspect ratio of 16 to 10. */
const size = { width: 320, height: 200 };

/** Decorative picture of a page in a row of a list. The row's text describes the page. */
export function Thumbnail({ src, title }: ThumbnailProps) {
  if (src !== undefined)
    return <img class="thumbnail" src={src} {...size} alt="" loading="lazy" decoding="async" />;
  return (
    <span class="thumbnail" aria-hidden="true">
      {title === null ? <Icon name="lock" /> : <b dir="auto">{title}</b>}
    </span>
  );
}
