/** A sample drop for the screenshots. */
export interface SampleDrop {
  readonly title: string;
  readonly description?: string;
  readonly context?: string;
  readonly passcode?: string;
  /** Age of each version in days, oldest first. */
  readonly versionAgesDays: readonly number[];
  /** Returns the HTML of a version, by its number. */
  readonly html: (version: number) => string;
  /** Threads. Each is a quoted passage, then comments by a reader and by the owner in turn. @default - feedback is off */
  readonly threads?: readonly (readonly [quote: string, ...comments: string[]])[];
}

/** Drop for the viewer's screenshots, with several versions, a description, context and comments. */
export const mainDrop: SampleDrop = {
  title: "Harbour bikes: what 18 months of rides say",
  description:
    "Where people ride, when they stop riding, and which stations would pay for themselves by spring.",
  context: `Asked for: "Turn the ride exports into one page that the council can read in five minutes."

- Rides shorter than 60 seconds are left out: they are docking errors.
- March 2025 has no data for four days, while the stations were replaced. The chart shows the gap.`,
  versionAgesDays: [41, 33, 12, 2],
  html: (version) =>
    pageOf("Harbour bikes: what 18 months of rides say", 230, [
      "People ride to work and to the water. Ridership grew by 14 percent in a year.",
      bars(
        [31, 38, 52, 67, 88, 94, 97, 91, 72, 55, 36, 28, 33, 41, 20, 74, 99, 86].slice(0, 10 + 2 * version),
      ),
      list([
        "1.1 million rides",
        "9 minutes: the usual ride",
        `${version + 1} stations that would pay for themselves`,
      ]),
      "Build at the ferry landing first: every second ride that ends near it ends on the pavement.",
    ]),
  threads: [
    ["4 stations", "The tender names five. Which one is left out?"],
    [
      "ends on the pavement",
      "Does this count bikes that were pushed to the ferry rack?",
      "It counts every ride whose lock closed outside of a rack.",
    ],
  ],
};

/** Further drops for the library's screenshots, newest first. */
export const shelfDrops: readonly SampleDrop[] = [
  drop("Garden plan ☀ beds, sun and what goes where", 5, 140, [
    "Six beds by how long the sun is on them in June.",
    bars([80, 70, 70, 40, 60, 10]),
  ]),
  { ...drop("Letter to the board", 6, 0, ["For those who know the passcode."]), passcode: "open sesame" },
  drop("تقرير المبيعات للربع الثالث", 9, 250, [
    "زادت المبيعات في كل شهر من أشهر الربع الثالث.",
    bars([38, 44, 41, 57, 63, 60, 74, 82, 96]),
  ]),
  drop("migration_checklist__customers_and_invoices__eu-central-1__final_v3", 30, 20, [
    "Twelve steps, each with who does it and how it is taken back.",
    list(["Freeze writes", "Copy customers", "Copy invoices", "Switch reads"]),
  ]),
];

/** Uploaded files of the sample account. */
export const shelfFiles = [
  { filename: "rides-2024-to-2026.csv", contentType: "text/csv", sizeBytes: 3_204_551, ageDays: 41 },
  { filename: "council-meeting.mp3", contentType: "audio/mpeg", sizeBytes: 9_120_004, ageDays: 60 },
] as const;

function drop(title: string, ageDays: number, hue: number, parts: readonly string[]): SampleDrop {
  return { title, versionAgesDays: [ageDays], html: () => pageOf(title, hue, parts) };
}

function bars(percents: readonly number[]): string {
  return `<div class="row">${percents.map((percent) => `<b style="height:${percent}%"></b>`).join("")}</div>`;
}

function list(items: readonly string[]): string {
  return `<ol>${items.map((item) => `<li dir="auto">${item}</li>`).join("")}</ol>`;
}

/** Writes a self-contained page like the pages that agents write, with one column, one colour, and light and dark schemes. */
function pageOf(title: string, hue: number, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; --ink: oklch(28% .03 ${hue}); --paper: oklch(98% .01 ${hue}); --key: oklch(52% .13 ${hue}); --soft: oklch(92% .04 ${hue}); }
  @media (prefers-color-scheme: dark) { :root { --ink: oklch(92% .02 ${hue}); --paper: oklch(21% .02 ${hue}); --key: oklch(76% .12 ${hue}); --soft: oklch(31% .05 ${hue}); } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.55 system-ui, sans-serif; border-top: .75rem solid var(--key); }
  main { max-width: 52rem; margin: auto; padding: 2.5rem 1.25rem; }
  h1 { font-size: clamp(1.75rem, 6vw, 3rem); line-height: 1.1; letter-spacing: -.02em; overflow-wrap: anywhere; }
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
  ol li { background: var(--soft); border-inline-start: .5rem solid var(--key); padding: .875rem 1.25rem; border-radius: .25rem; }
  .row { display: flex; align-items: flex-end; gap: .75rem; height: 18rem; }
  .row b { flex: 1; background: var(--key); border-radius: .25rem .25rem 0 0; }
</style>
<main><h1 dir="auto">${title}</h1>${parts.map((part) => (part.startsWith("<") ? part : `<p dir="auto">${part}</p>`)).join("")}</main>
</html>`;
}
