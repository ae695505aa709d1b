import { renderSheetPage } from "../html/sheet.tsx";

/** Props of the page that is shown until a PDF is ready. */
interface PdfWaitPageProps {
  /** URL of the page's viewer. */
  readonly viewerUrl: string;
  readonly nonce: string;
}

/** Renders the page that is shown until the PDF is ready. */
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
