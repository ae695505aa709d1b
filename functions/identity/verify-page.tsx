import { renderSheetPage } from "../html/sheet.tsx";
import { Submit } from "../html/submit.tsx";
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
    title: "Connect an agent",
    heading: "Is this your agent?",
    nonce,
    children: (
      <>
        <p>{words.lead[scope]}</p>
        <div class="comparison">
          <p class="code">{code}</p>
          <p>Continue only if your agent shows the same code.</p>
        </div>
        <Claim label={label} />
        <Permissions heading="If you continue, it can" scope={scope} />
        <Decision words={words} continueUrl={continueUrl} until={until} />
      </>
    ),
  });
}

function Claim({ label }: { label: string | null }) {
  if (label === null) return <p class="claim quiet">It gave no name.</p>;
  return (
    <div class="claim">
      <p class="quiet small">It calls itself</p>
      <strong dir="auto">{label}</strong>
      <p class="quiet small">The agent chose this name. It is not verified.</p>
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
    title: "Sign in to get a token",
    heading: "Sign in to get your token",
    nonce,
    children: (
      <>
        <p>You asked for a token in this browser. Sign in to see it here.</p>
        <Permissions heading="With the token, a program can" scope={scope} />
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
        {until} When you sign in, Dropleaf receives your user name and ID, your verified e-mail addresses and,
        if the operator uses them, your groups.
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
  const shown = code.slice(0, -typedLength);
  return renderSheetPage({
    title: "Connect an agent",
    heading: "Which code does your agent show?",
    nonce,
    children: (
      <>
        <p>You followed a link on another site. Type the end of the code that your agent shows.</p>
        <form method="get" action="/verify">
          <input type="hidden" name="code" value={code} />
          <label for="typed">The last four letters, after {shown}</label>
          {wrong && (
            <p class="notice problem" role="alert" id="typed-wrong">
              These letters don’t match. If your agent shows a different code, close this page.
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
          <Submit>Continue</Submit>
        </form>
        <p class="small">If you did not ask an agent to connect, close this page. Nothing will happen.</p>
      </>
    ),
  });
}
