import { limits } from "../core/limits.ts";
import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { type TokenScope, tokenScopes } from "../table/identifiers.ts";

/** Renders `GET /login`: a link to sign in, a form for a device code, and a link to get a token without an agent. */
export function renderLoginPage({ baseUrl, nonce }: Readonly<Record<"baseUrl" | "nonce", string>>): string {
  return renderSheetPage({
    title: "Sign in",
    nonce,
    children: (
      <>
        <p>Read pages that are shared with you, and manage your own pages.</p>
        <a class="button" href="/account">
          Sign in
        </a>
        <section>
          <h2>Does your agent show a code?</h2>
          <p>Enter the code and sign in once. Then the agent can publish.</p>
          <form method="get" action="/verify">
            <label for="code">The code your agent shows</label>
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
              Eight letters, such as BCDF-GHJK. A code is valid for {limits.deviceCodeSeconds / 60} minutes.
            </p>
            <Submit second>Continue</Submit>
          </form>
        </section>
        <section>
          <h2>Connect an agent</h2>
          <p>Ask your agent to sign in to Dropleaf at this address, which has instructions:</p>
          <pre class="calls">{baseUrl}</pre>
        </section>
        <section>
          <h2>No agent?</h2>
          <p>
            You can also publish by hand or from a script. <a href="/login/token">Get your own token</a>
          </p>
        </section>
      </>
    ),
  });
}

const scopeNames = {
  all: "Everything",
  publish: "Publish and change content, but not delete or share",
  read: "Only read",
} satisfies Readonly<Record<TokenScope, string>>;

/** Renders `GET /login/token`, where a person without an agent asks for a token. */
export function renderTokenRequestPage({ nonce }: { readonly nonce: string }): string {
  return renderSheetPage({
    title: "Your own token",
    nonce,
    children: (
      <>
        <p>Use your token in a script, or to try the API by hand. Agents get their own tokens.</p>
        <form method="post" action="/login">
          <label for="label">Token name</label>
          <input
            class="field"
            id="label"
            name="label"
            value="Created by hand"
            maxLength={limits.labelCodePointsMax}
            autocomplete="off"
            aria-describedby="label-note"
          />
          <p class="quiet small" id="label-note">
            The name helps you recognize the token later.
          </p>
          <label for="scope">What the token can do</label>
          <select class="field" id="scope" name="scope">
            {tokenScopes.toReversed().map((scope) => (
              <option key={scope} value={scope}>
                {scopeNames[scope]}
              </option>
            ))}
          </select>
          <Submit>Continue</Submit>
        </form>
        <p class="quiet small">
          Does your agent show a code? <a href="/login">Sign in with a code</a>
        </p>
      </>
    ),
  });
}
