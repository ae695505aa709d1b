import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** What the sign-in page shows. */
export interface LoginPageProps {
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly nonce: string;
}

/** `GET /login`: explains sign-in, takes a code typed by hand to the verify page, and leads to a token of one’s own. */
export function renderLoginPage({ baseUrl, nonce }: LoginPageProps): string {
  const words = text.login;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <form method="get" action="/verify">
          <label for="code">{words.codeLabel}</label>
          <input
            class="field code-field"
            id="code"
            name="code"
            required
            maxLength={20}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            aria-describedby="code-note"
          />
          <p class="quiet small" id="code-note">
            {words.codeNote}
          </p>
          <button class="button" type="submit">
            {words.submit}
          </button>
        </form>
        <section>
          <h2>{words.noCodeHeading}</h2>
          <p>{words.noCode}</p>
          <pre class="calls">{baseUrl}</pre>
        </section>
        <section>
          <h2>{words.noAgentHeading}</h2>
          <p>
            {words.noAgent} <a href="/login/token">{words.ownToken}</a>
          </p>
        </section>
      </>
    ),
  });
}
