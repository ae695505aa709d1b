import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** How many of the code's last characters are to be typed. */
export const typedLength = 4;

/** What the page in front of the verify page shows. */
export interface CodeEntryPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** Whether something else was typed before. */
  readonly wrong: boolean;
  readonly nonce: string;
}

/** `GET /verify` for whom another site's page sent: no click alone, wherever it was meant to go, leads on from here. */
export function renderCodeEntryPage({ code, wrong, nonce }: CodeEntryPageProps): string {
  const words = text.codeEntry;
  const shown = code.slice(0, -typedLength);
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <form method="get" action="/verify">
          <input type="hidden" name="code" value={code} />
          <label for="typed">{words.label(shown)}</label>
          {wrong && (
            <p class="notice" role="alert" id="typed-wrong">
              {words.wrong}
            </p>
          )}
          <div class="rest-of-code">
            <span class="code-field" aria-hidden="true">
              {shown}
            </span>
            <input
              class="field code-field"
              id="typed"
              name="typed"
              required
              maxLength={20}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              aria-describedby={wrong ? "typed-wrong" : undefined}
              aria-invalid={wrong}
            />
          </div>
          <button class="button" type="submit">
            {words.submit}
          </button>
        </form>
        <p class="small">{words.otherwise}</p>
      </>
    ),
  });
}
