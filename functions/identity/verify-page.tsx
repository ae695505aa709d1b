import { renderSheetPage } from "../html/sheet.tsx";
import type { TokenScope } from "../table/identifiers.ts";
import { identityText } from "./identity-text.ts";
import { Permissions } from "./permissions.tsx";

/** Props of the verify page. */
interface VerifyPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** Label of the agent, as it claims, or null. */
  readonly label: string | null;
  readonly scope: TokenScope;
  /** URL of the sign-in. It is a link, since `form-action 'self'` would block a form's redirect to the provider. */
  readonly continueUrl: string;
  /** Lifetime of the token in days. @default - until it is revoked */
  readonly daysMax?: number | undefined;
  readonly nonce: string;
}

/** `GET /verify`: the human compares the code, and continues to the identity provider. */
export function renderVerifyPage({
  code,
  label,
  scope,
  continueUrl,
  daysMax,
  nonce,
}: VerifyPageProps): string {
  const words = identityText.verify;
  const until = identityText.permissions.until(daysMax);
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead[scope]}</p>
        <div class="comparison">
          <p class="code">{code}</p>
          <p>{words.caution}</p>
        </div>
        <Claim label={label} />
        <Permissions heading={words.allowHeading} scope={scope} />
        <Decision words={words} continueUrl={continueUrl} until={until} />
      </>
    ),
  });
}

function Claim({ label }: { label: string | null }) {
  const words = identityText.verify;
  if (label === null) return <p class="claim quiet">{words.noName}</p>;
  return (
    <div class="claim">
      <p class="quiet small">{words.claim}</p>
      <strong dir="auto">{label}</strong>
      <p class="quiet small">{words.claimNote}</p>
    </div>
  );
}

/** Props of the page between the request for a token and the sign-in. */
interface BrowserSignInPageProps {
  readonly scope: TokenScope;
  /** URL of the sign-in. It is a link, since `form-action 'self'` would block a form's redirect to the provider. */
  readonly continueUrl: string;
  /** Lifetime of the token in days. @default - until it is revoked */
  readonly daysMax?: number | undefined;
  readonly nonce: string;
}

/** `GET /verify` in the browser that asked for a token of its own: there is no agent, and no code to compare. */
export function renderBrowserSignInPage({
  scope,
  continueUrl,
  daysMax,
  nonce,
}: BrowserSignInPageProps): string {
  const words = identityText.browserSignIn;
  const until = identityText.permissions.until(daysMax);
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <Permissions heading={words.allowHeading} scope={scope} />
        <Decision words={words} continueUrl={continueUrl} until={until} />
      </>
    ),
  });
}

/** The link to continue, the advice for refusing, and the token's lifetime. */
function Decision({
  words,
  continueUrl,
  until,
}: {
  readonly words: { readonly continue: string; readonly otherwise: string };
  readonly continueUrl: string;
  /** Lifetime of the token, in words. */
  readonly until: string;
}) {
  return (
    <div class="decision">
      <a class="button arming" href={continueUrl}>
        {words.continue}
      </a>
      <p class="small">{words.otherwise}</p>
      <p class="quiet small">
        {until} {identityText.permissions.learns}
      </p>
    </div>
  );
}

/** Number of the code's last characters to type. */
export const typedLength = 4;

/** Props of the page for entering a code. */
interface CodeEntryPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** The last code was wrong. */
  readonly wrong: boolean;
  readonly nonce: string;
}

/**
 * `GET /verify` for a person who followed a link on another site. A click alone, which the site may have tricked them
 * into, does not continue the sign-in.
 */
export function renderCodeEntryPage({ code, wrong, nonce }: CodeEntryPageProps): string {
  const words = identityText.codeEntry;
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
            <p class="notice problem" role="alert" id="typed-wrong">
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
