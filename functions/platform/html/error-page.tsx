import { Emblem } from "./icons.tsx";
import { renderSheetPage } from "./sheet.tsx";
import { text } from "./text.ts";

/** What an error page shows. */
interface ErrorPageProps {
  /** The status of the HTTP response. */
  readonly status: number;
  /** What is missing or wrong, in a few words. */
  readonly heading: string;
  /** What to do about it. */
  readonly message: string;
  /** Where to go from here. */
  readonly way: { readonly href: string; readonly label: string };
  readonly nonce: string;
}

/** The 404 page and the other errors that people, not clients, come upon. */
export function renderErrorPage({ status, heading, message, way, nonce }: ErrorPageProps): string {
  return renderSheetPage({
    title: heading,
    nonce,
    children: (
      <>
        <Emblem sign="missing" />
        <h1>{heading}</h1>
        <p>{message}</p>
        <a class="button" href={way.href} dir="auto">
          {way.label}
        </a>
        <p class="quiet small">{text.error.status(status)}</p>
      </>
    ),
  });
}
