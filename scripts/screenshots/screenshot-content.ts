import { samplePage } from "./screenshot-pages.ts";

/** Feedback thread about a drop. */
export interface SampleThread {
  readonly quote?: string;
  /** The version that it was begun at. */
  readonly version: number;
  readonly state: "open" | "resolved";
  /** Comments of readers by name. One without a name is the owner's. */
  readonly comments: readonly { readonly name?: string; readonly text: string; readonly ageDays: number }[];
}

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
  /** Feedback threads of the drop. @default - feedback is off */
  readonly threads?: readonly SampleThread[];
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
  threads: [
    {
      version: 3,
      state: "resolved",
      comments: [
        { name: "ida.b", text: "Are the figures by month or by four weeks?", ageDays: 11 },
        { text: "By month. The caption says so now.", ageDays: 10 },
      ],
    },
    {
      quote: "4 stations",
      version: 3,
      state: "open",
      comments: [{ name: "tomasz", text: "The tender names five. Which one is left out?", ageDays: 5 }],
    },
    {
      quote: "every second ride that ends near it ends on the pavement",
      version: 4,
      state: "open",
      comments: [
        {
          name: "ida.b",
          text: "Does this count bikes that were pushed to the ferry rack? On Sundays that is most of them.",
          ageDays: 1.2,
        },
        {
          text: "It counts every ride whose lock closed outside of a rack. I will split it by weekday.",
          ageDays: 1,
        },
      ],
    },
  ],
};

/** Further drops of the library, newest first. */
export const shelfDrops: readonly SampleDrop[] = [
  drop("Sourdough timetable for a working week", 3, {
    lead: "Three loaves between Sunday evening and Friday, and nobody gets up before seven.",
    hue: 60,
    body: {
      kind: "table",
      rows: [
        ["Day", "Before work", "After work"],
        ["Sunday", "", "Feed the starter"],
        ["Monday", "Mix, fold twice", "Shape, into the cold"],
        ["Tuesday", "Bake", "Feed the starter"],
        ["Wednesday", "Mix, fold twice", "Shape, into the cold"],
      ],
    },
  }),
  drop("Garden plan ☀ beds, sun and what goes where", 5, {
    lead: "Six beds by how long the sun is on them in June.",
    hue: 140,
    body: {
      kind: "fields",
      fields: [
        ["Tomatoes, 8 h", 5],
        ["Beans, 7 h", 3],
        ["Squash, 7 h", 4],
        ["Chard, 4 h", 4],
        ["Herbs, 6 h", 2],
        ["Ferns, 1 h", 3],
      ],
    },
  }),
  locked("Letter to the board", 6, "open sesame"),
  drop("تقرير المبيعات للربع الثالث", 9, {
    lead: "زادت المبيعات في كل شهر من أشهر الربع الثالث.",
    hue: 250,
    body: { kind: "bars", percents: [38, 44, 41, 57, 63, 60, 74, 82, 96] },
  }),
  drop("Lisbon in four days, with a pram", 16, {
    lead: "Lifts, trams without steps, and where there is shade at noon.",
    hue: 220,
    body: {
      kind: "list",
      items: [
        "Alfama by the lift at Santa Luzia",
        "Belém along the river, all of it flat",
        "The Gulbenkian garden, for the hot hours",
        "Cacilhas by the ferry, with ramps on both sides",
      ],
    },
  }),
  drop("Release notes 2.4", 24, {
    lead: "Imports that go on where they stopped, and exports that say what is missing.",
    hue: 300,
    body: {
      kind: "list",
      items: [
        "An import that is interrupted goes on at the same row",
        "Exports name the columns that they leave out",
        "Dates keep the time zone in which they were written",
      ],
    },
  }),
  drop("migration_checklist__customers_and_invoices__eu-central-1__final_v3", 30, {
    lead: "Twelve steps, each with who does it and how it is taken back.",
    hue: 20,
    body: {
      kind: "table",
      rows: [
        ["Step", "Who", "Back"],
        ["Freeze writes", "Ops", "Unfreeze"],
        ["Copy customers", "Data", "Drop the copy"],
        ["Copy invoices", "Data", "Drop the copy"],
        ["Switch reads", "Ops", "Switch again"],
      ],
    },
  }),
  drop("Mortgage or rent? A calculator", 52, {
    lead: "After how many years a flat is cheaper than its rent, at three rates of interest.",
    hue: 180,
    body: { kind: "bars", percents: [92, 84, 77, 71, 66, 62, 59, 57, 55, 54, 53, 53] },
  }),
  locked("Seating chart", 70, "two swans"),
  drop("Interview notes, sorted by what hurts most", 95, {
    lead: "Eleven people, one hour each, and the four things that all of them said.",
    hue: 340,
    body: {
      kind: "list",
      items: [
        "“I never know whether it was sent.”",
        "“The list is right, and I cannot find anything in it.”",
        "“I copy it into a mail, since nobody opens the link.”",
      ],
    },
  }),
  drop("Moon phases 2026", 130, {
    lead: "New and full, by the hour in Lisbon.",
    hue: 275,
    body: {
      kind: "table",
      rows: [
        ["Month", "New", "Full"],
        ["January", "18, 19:52", "3, 10:03"],
        ["February", "17, 12:01", "1, 22:09"],
        ["March", "19, 01:23", "3, 11:38"],
      ],
    },
  }),
  drop("Physics homework: why the bridge hums", 171, {
    lead: "The rails sing at the pitch at which the wind leaves them.",
    hue: 110,
    body: {
      kind: "prose",
      paragraphs: [
        "Air that passes a round rail leaves it in turns, above and below. At 8 metres a second and 40 millimetres that is 40 times a second.",
        "The rails are 6 metres long between their posts, and are held in such a way that 41 hertz is what they like best.",
      ],
    },
  }),
];

/** Files beside them. */
export const shelfFiles: readonly SampleFile[] = [
  { filename: "harbour-2025.jpg", contentType: "image/jpeg", sizeBytes: 482_113, ageDays: 12 },
  { filename: "rides-2024-to-2026.csv", contentType: "text/csv", sizeBytes: 3_204_551, ageDays: 41 },
  { filename: "council-meeting.mp3", contentType: "audio/mpeg", sizeBytes: 9_120_004, ageDays: 60 },
];

function drop(title: string, ageDays: number, page: Parameters<typeof samplePage>[1]): SampleDrop {
  return { title, versionAgesDays: [ageDays], html: () => samplePage(title, page) };
}

/** A locked drop; nobody sees its content. */
function locked(title: string, ageDays: number, passcode: string): SampleDrop {
  const lead = "For those who know the passcode.";
  return {
    ...drop(title, ageDays, { lead, hue: 0, body: { kind: "prose", paragraphs: [] } }),
    passcode,
  };
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
