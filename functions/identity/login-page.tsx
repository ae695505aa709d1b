import { limits } from "../core/limits.ts";
import { renderSheetPage } from "../html/sheet.tsx";
import { tokenScopes } from "../table/identifiers.ts";
import { identityText } from "./identity-text.ts";

/** Props of the sign-in page. */
interface LoginPageProps {
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly nonce: string;
}

/** `GET /login`: signs people in, sends a typed code to the verify page, and links to a token of one’s own. */
export function renderLoginPage({ baseUrl, nonce }: LoginPageProps): string {
  const words = identityText.login;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <a class="button" href="/account">
          {words.signIn}
        </a>
        <section>
          <h2>{words.codeHeading}</h2>
          <p>{words.codeLead}</p>
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
            <button class="button second" type="submit">
              {words.submit}
            </button>
          </form>
        </section>
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

/** `GET /login/token`: where a person without an agent asks for a token. */
export function renderTokenRequestPage({ nonce }: { readonly nonce: string }): string {
  const words = identityText.tokenRequest;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <form method="post" action="/login">
          <label for="label">{words.label}</label>
          <input
            class="field"
            id="label"
            name="label"
            value={words.labelValue}
            maxLength={limits.labelCodePointsMax}
            autocomplete="off"
            aria-describedby="label-note"
          />
          <p class="quiet small" id="label-note">
            {words.labelNote}
          </p>
          <label for="scope">{words.scope}</label>
          <select class="field" id="scope" name="scope">
            {tokenScopes.toReversed().map((scope) => (
              <option key={scope} value={scope}>
                {words.scopes[scope]}
              </option>
            ))}
          </select>
          <button class="button" type="submit">
            {words.submit}
          </button>
        </form>
        <p class="quiet small">
          {words.otherwise} <a href="/login">{words.haveCode}</a>
        </p>
      </>
    ),
  });
}
