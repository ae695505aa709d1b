import { renderSheetPage } from "../html/sheet.tsx";

/** Props of the page that waits for a PDF. */
interface PdfWaitPageProps {
  /** The viewer of the page. */
  readonly viewerUrl: string;
  readonly nonce: string;
}

/** The page that is shown while the PDF is drawn. */
export function renderPdfWaitPage({ viewerUrl, nonce }: PdfWaitPageProps): string {
  return renderSheetPage({
    title: "PDF",
    heading: "Your PDF is being created",
    nonce,
    children: (
      <>
        <p role="status">The download will start in a few seconds.</p>
        <a class="button" href={viewerUrl}>
          Back to the page
        </a>
      </>
    ),
  });
}
