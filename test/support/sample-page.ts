/** A typical drop. Capacity units depend on its size: one per kilobyte written, or per four kilobytes read. */
export const samplePage = {
  html: '<!doctype html>\n<html lang="en"><head><title>Report</title></head><body><h1>Report</h1></body></html>\n',
  title: "Weekly report of the search team",
  description: "What changed in the index, and how the responses became faster.",
  metadata: { project: "search", kind: "report", week: "2026-47" },
} as const;

/** Adds lines to the page, with a realistic mix of text and markup. */
export function htmlOfLines(lines: number): string {
  const line = '<p class="row">The index grew by 3 %, “as planned”: 1,024 pages &amp; 17 hosts.</p>\n';
  return samplePage.html.replace("</body>", `${line.repeat(lines)}</body>`);
}

/** A page of a megabyte. */
export const largeHtml = htmlOfLines(13_300);

/** Long enough to be accepted as a passcode. */
export const samplePasscode = "open sesame";
