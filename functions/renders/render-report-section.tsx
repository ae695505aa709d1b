import { Time } from "../html/format.tsx";
import type { RenderResponse } from "./schemas.ts";

const words = {
  looksHeading: "How it looks",
  found: (count: number) =>
    count === 0
      ? "No problems found."
      : `${count === 1 ? "1 problem" : `${count} problems`} found, worst first:`,
  views: {
    "phone-light": "Phone, light",
    "phone-dark": "Phone, dark",
    "desktop-light": "Desktop, light",
    "desktop-dark": "Desktop, dark",
  },
  looksNote: "Pictures of the latest version in a browser. Their links work for 15 minutes.",
} as const;

/** Findings and pictures of the latest version. The pictures' URLs expire after minutes. */
export function RenderReportSection({ looks }: { readonly looks: RenderResponse }) {
  const { findings = [], views = [], rendered_at: renderedAtMs, state, message } = looks;
  const pictures = views.flatMap(({ name, picture }) => (picture ? [{ name, url: picture.url }] : []));
  return (
    <section>
      <h2>{words.looksHeading}</h2>
      <p>{state === "failed" ? message : words.found(findings.length)}</p>
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={finding} dir="auto">
              {finding}
            </li>
          ))}
        </ul>
      )}
      {pictures.length > 0 && (
        <p class="buttons">
          {pictures.map(({ name, url }) => (
            <a key={name} href={url} rel="noreferrer">
              {words.views[name]}
            </a>
          ))}
        </p>
      )}
      {renderedAtMs !== undefined && (
        <p class="quiet small">
          {words.looksNote} <Time atMs={renderedAtMs} />
        </p>
      )}
    </section>
  );
}
