import type { ComponentProps } from "preact";

/** The logo: a leaf with a rib, shaped like a sheet of paper with two round corners. */
export function LeafMark() {
  return (
    <svg class="leaf" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 3h9a9 9 0 0 1 9 9v9h-9a9 9 0 0 1-9-9z" />
      <path class="rib" d="m7.5 7.5 13.5 13.5" />
    </svg>
  );
}

const strokes = {
  context: "M4 5h16M4 10h16M4 15h9",
  feedback: "M4 5h16v11H11l-4 4v-4H4z",
  raw: "m8 7-5 5 5 5M16 7l5 5-5 5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  down: "m7 10 5 5 5-5",
  close: "m6 6 12 12M18 6 6 18",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
} as const;

/** An icon next to a text or in a labelled control. The icon itself has no label. */
export function Icon({ name }: { name: keyof typeof strokes }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}

const signs = {
  missing: undefined,
  locked: "M27.5 29.5a4 4 0 1 1 5 0L34 38h-8z",
  done: "m21 30 6.5 6.5L40 24",
} as const;

/** A large leaf with a sign for the kind of page: missing, locked, or done. */
export function Emblem({ sign }: { sign: keyof typeof signs }) {
  return (
    <svg class="emblem" viewBox="0 0 60 60" width="64" height="64" aria-hidden="true">
      <path
        class={sign === "missing" ? "missing" : undefined}
        d="M3 3h27a27 27 0 0 1 27 27v27H30A27 27 0 0 1 3 30z"
      />
      <path class="sign" d={signs[sign] ?? "m14 14 43 43"} />
    </svg>
  );
}

/** The submit button of a form. It is `second` if the page has a more important button, or the change cannot be undone. */
export function Submit({ second = false, ...attributes }: ComponentProps<"button"> & { second?: boolean }) {
  return <button class={second ? "button second" : "button"} type="submit" {...attributes} />;
}
