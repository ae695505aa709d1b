/** Where the sheets hang on the stem: x, y, tilt in degrees and size, oldest first, right and left in turn. */
const sheets = [
  [166, 366, 8, 0.58],
  [162, 316, -6, 0.68],
  [159, 262, 4, 0.78],
  [158, 204, -9, 0.86],
] as const;

// Sheets of 100 × 100 whose sharp corner, where they hang on the stem, is the origin.
const rightSheet = "M0 0v-50a50 50 0 0 1 50-50h50v50a50 50 0 0 1-50 50z";
const leftSheet = "M0 0v-50a50 50 0 0 0-50-50h-50v50a50 50 0 0 0 50 50z";

/** A stem with sheets for leaves, the newest in full colour: an address that stays while versions grow on it. */
export function SprigDrawing() {
  return (
    <svg class="drawing" viewBox="0 0 320 400" width="320" height="400" aria-hidden="true">
      <path class="stem" d="M172 398C160 330 156 250 160 146" />
      {sheets.map(([x, y, tilt, size], index) => (
        <g key={y} transform={`translate(${x} ${y}) rotate(${tilt}) scale(${size})`}>
          <path class="old-sheet" d={index % 2 === 0 ? rightSheet : leftSheet} />
          <path
            class="lines"
            d={index % 2 === 0 ? "M34-64h38M28-48h44M28-32h28" : "M-72-64h38M-72-48h44M-56-32h28"}
          />
        </g>
      ))}
      <g transform="translate(160 148) rotate(-43)">
        <path class="new-sheet" d={rightSheet} />
        <path class="new-rib" d="m0 0 70-70" />
      </g>
    </svg>
  );
}
