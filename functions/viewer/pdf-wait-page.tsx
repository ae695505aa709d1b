import { renderSheetPage } from "../html/sheet.tsx";
import { viewerText } from "./viewer-text.ts";

/** Props of the page that waits for a PDF. */
interface PdfWaitPageProps {
  /** The viewer of the page. */
  readonly viewerUrl: string;
  readonly nonce: string;
}

/** The page that is shown while the PDF is drawn. */
export function renderPdfWaitPage({ viewerUrl, nonce }: PdfWaitPageProps): string {
  const words = viewerText.pdfWait;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p role="status">{words.lead}</p>
        <a class="button" href={viewerUrl}>
          {words.back}
        </a>
      </>
    ),
  });
}
