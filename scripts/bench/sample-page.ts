/** A drop of the usual kind. Capacity units depend on its size: one for a kilobyte written, or four read. */
export const samplePage = {
  html: '<!doctype html>\n<html lang="en"><head><title>Report</title></head><body><h1>Report</h1></body></html>\n',
  title: "Weekly report of the search team",
  description: "What changed in the index, and how the answers became faster.",
  metadata: { project: "search", kind: "report", week: "2026-47" },
} as const;

/** Long enough for a gate. */
export const samplePasscode = "open sesame";
