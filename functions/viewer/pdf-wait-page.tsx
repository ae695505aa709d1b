import { renderSheetPage } from "../html/sheet.tsx";

/** Renders the page that is shown until the PDF is ready. `viewerUrl` is the URL of the viewer that links to the PDF. */
export function renderPdfWaitPage({
  viewerUrl,
  nonce,
}: {
  readonly viewerUrl: string;
  readonly nonce: string;
}): string {
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
