import { Emblem } from "./icons.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** What an error page shows. */
export interface ErrorPageProps {
  /** The status of the HTTP answer. */
  readonly status: number;
  /** What is missing or wrong, in a few words. */
  readonly heading: string;
  /** What to do about it. */
  readonly message: string;
  /** Where to go from here. */
  readonly homeUrl: string;
  readonly nonce: string;
}

/** The 404 page and the other errors that people, not clients, come upon. */
export function renderErrorPage({ status, heading, message, homeUrl, nonce }: ErrorPageProps): string {
  return renderSheetPage({
    title: heading,
    nonce,
    children: (
      <>
        <Emblem sign="missing" />
        <h1>{heading}</h1>
        <p>{message}</p>
        <a class="button" href={homeUrl}>
          {text.error.home}
        </a>
        <p class="quiet small">{text.error.status(status)}</p>
      </>
    ),
  });
}
