/** A drop of the usual kind. Capacity units depend on its size: one for a kilobyte written, or four read. */
export const samplePage = {
  html: '<!doctype html>\n<html lang="en"><head><title>Report</title></head><body><h1>Report</h1></body></html>\n',
  title: "Weekly report of the search team",
  description: "What changed in the index, and how the responses became faster.",
  metadata: { project: "search", kind: "report", week: "2026-47" },
} as const;

/** The page with so many lines more, of text and markup as they are. */
export function htmlOfLines(lines: number): string {
  const line = '<p class="row">The index grew by 3 %, “as planned”: 1,024 pages &amp; 17 hosts.</p>\n';
  return samplePage.html.replace("</body>", `${line.repeat(lines)}</body>`);
}

/** A page of a megabyte. */
export const largeHtml = htmlOfLines(13_300);

/** Long enough for a gate. */
export const samplePasscode = "open sesame";
