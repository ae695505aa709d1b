/** A drop to be photographed. */
export interface SampleDrop {
  readonly title: string;
  readonly description?: string;
  readonly context?: string;
  readonly passcode?: string;
  /** The days since each version, oldest first. */
  readonly versionAgesDays: readonly number[];
  /** The page of a version, by its number. */
  readonly html: (version: number) => string;
}

/** A file to be photographed. */
export interface SampleFile {
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly ageDays: number;
}

/** The page that the viewer is shown with: several versions, a description and context. */
export const mainDrop: SampleDrop = {
  title: "Harbour bikes: what 18 months of rides say",
  description:
    "Where people ride, when they stop riding, and which three stations would pay for themselves by spring.",
  context: `Asked for: "Turn the ride exports into one page that the council can read in five minutes."

Notes
- Rides shorter than 60 seconds are left out: they are docking errors.
- March 2025 has no data for four days, while the stations were replaced. The chart shows the gap.
- The cost of a station is the 2024 tender, without the ground works.`,
  versionAgesDays: [41, 33, 12, 2],
  html: (version) => ridesPage(version),
};

/** What else lies on the shelf, newest first. */
export const shelfDrops: readonly SampleDrop[] = [
  drop("Sourdough timetable for a working week", 3),
  drop("Garden plan ☀ beds, sun and what goes where", 5),
  drop("Letter to the board", 6, "open sesame"),
  drop("تقرير المبيعات للربع الثالث", 9),
  drop("Lisbon in four days, with a pram", 16),
  drop("Release notes 2.4", 24),
  drop("migration_checklist__customers_and_invoices__eu-central-1__final_v3", 30),
  drop("Mortgage or rent? A calculator", 52),
  drop("Seating chart", 70, "two swans"),
  drop("Interview notes, sorted by what hurts most", 95),
  drop("Moon phases 2026", 130),
  drop("Physics homework: why the bridge hums", 171),
];

/** Files beside them. */
export const shelfFiles: readonly SampleFile[] = [
  { filename: "harbour-2025.jpg", contentType: "image/jpeg", sizeBytes: 482_113, ageDays: 12 },
  { filename: "rides-2024-to-2026.csv", contentType: "text/csv", sizeBytes: 3_204_551, ageDays: 41 },
  { filename: "council-meeting.mp3", contentType: "audio/mpeg", sizeBytes: 9_120_004, ageDays: 60 },
];

function drop(title: string, ageDays: number, passcode?: string): SampleDrop {
  const html = () => `<!doctype html><meta charset="utf-8"><title>Sample</title><h1 dir="auto">${title}</h1>`;
  return { title, versionAgesDays: [ageDays], html, ...(passcode === undefined ? {} : { passcode }) };
}

/** A small report, as an agent would make it: everything inside, light and dark, readable at 360 px. */
function ridesPage(version: number): string {
  const months = [31, 38, 52, 67, 88, 94, 97, 91, 72, 55, 36, 28, 33, 41, 20, 74, 99, 108].slice(
    0,
    10 + 2 * version,
  );
  const bars = months.map((rides, index) => {
    const height = rides * 1.5;
    return `<rect x="${index * 32 + 4}" y="${170 - height}" width="22" height="${height}" rx="3"${rides === 20 ? ' opacity=".35"' : ""}/>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour bikes</title>
<style>
  :root { color-scheme: light dark; --ink: #16202e; --paper: #fbfaf7; --sea: #1f6f8b; --soft: #e6ecef; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e7edf3; --paper: #12181f; --sea: #6fc3de; --soft: #22303b; } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Georgia, "DejaVu Serif", serif; }
  main { max-width: 46rem; margin: auto; padding: 3rem 1.25rem; }
  h1 { font-size: clamp(1.75rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 1rem; }
  .lead { font-size: 1.1875rem; max-width: 36rem; }
  svg { width: 100%; height: auto; fill: var(--sea); margin: 1.5rem 0 .25rem; }
  small { opacity: .75; }
  .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 1rem; padding: 0; list-style: none; margin: 2rem 0; }
  .facts li { background: var(--soft); border-radius: .75rem; padding: 1rem 1.25rem; }
  .facts b { display: block; font-size: 1.75rem; line-height: 1.2; }
</style>
</head>
<body>
<main>
  <h1>Harbour bikes: what 18 months of rides say</h1>
  <p class="lead">People ride to work and to the water. Ridership grew by 14 percent in a year, although the stations stood
  still for four days in March.</p>
  <svg viewBox="0 0 576 172" role="img" aria-label="Rides a month, from January 2024 to June 2025">${bars.join("")}</svg>
  <small>Thousand rides a month, January 2024 to June 2025</small>
  <ul class="facts">
    <li><b>1.1 million</b> rides</li>
    <li><b>9 minutes</b> the usual ride</li>
    <li><b>${version + 1} stations</b> that would pay for themselves</li>
  </ul>
  <h2>What we would do</h2>
  <p>Build at the ferry landing first. It has no station within 600 metres, and every second ride that ends near it
  ends on the pavement.</p>
</main>
</body>
</html>`;
}
