import { Minute } from "../html/format.tsx";
import { signedInText } from "../html/signed-in-text.ts";
import type { RenderResponse } from "./schemas.ts";

const words = signedInText.drop;

/** Findings and pictures of the latest version. The pictures' URLs work for minutes. */
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
          {words.looksNote} <Minute atMs={renderedAtMs} />
        </p>
      )}
    </section>
  );
}
