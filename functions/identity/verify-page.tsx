import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import type { TokenScope } from "../table/identifiers.ts";
import { Permissions } from "./permissions.tsx";

interface BrowserSignInPageProps {
  readonly scope: TokenScope;
  /** Target of the link to sign in. Not a form, because `form-action 'self'` would block the redirect to the provider. */
  readonly continueUrl: string;
  /** Lifetime of the token in days. @default - the token is valid until it is revoked */
  readonly daysMax?: number | undefined;
  readonly nonce: string;
}

interface VerifyPageProps extends BrowserSignInPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** Unverified name that the agent gave itself, or null. */
  readonly label: string | null;
}

/** Renders `GET /verify`, where the human compares the code and continues to the identity provider. */
export function renderVerifyPage({ code, label, nonce, ...props }: VerifyPageProps): string {
  const wish = props.scope === "read" ? "read your pages" : "publish under your name";
  return renderSheetPage({
    title: "Connect an agent",
    heading: "Is this your agent?",
    nonce,
    children: (
      <>
        <p>An agent wants to {wish}. Your agent should show you this code:</p>
        <div class="comparison">
          <p class="code">{code}</p>
          <p>Continue only if your agent shows the same code.</p>
        </div>
        <Claim label={label} />
        <Permissions heading="If you continue, the agent can" scope={props.scope} />
        <Decision
          {...props}
          label="The codes match: continue to sign in"
          otherwise="If the codes differ, or you did not ask an agent to connect, close this page. Nothing will happen."
        />
      </>
    ),
  });
}

function Claim({ label }: { label: string | null }) {
  if (label === null) return <p class="claim quiet">The agent gave no name.</p>;
  return (
    <div class="claim">
      <p class="quiet small">It calls itself</p>
      <strong dir="auto">{label}</strong>
      <p class="quiet small">The agent chose this name. It is not verified.</p>
    </div>
  );
}

/** Renders `GET /verify` for a sign-in without an agent. No code is compared, because the same browser started the sign-in. */
export function renderBrowserSignInPage({ nonce, ...props }: BrowserSignInPageProps): string {
  return renderSheetPage({
    title: "Sign in to get a token",
    heading: "Sign in to get your token",
    nonce,
    children: (
      <>
        <p>You asked for a token in this browser. Sign in to see it here.</p>
        <Permissions heading="With the token, a program can" scope={props.scope} />
        <Decision
          {...props}
          label="Continue to sign in"
          otherwise="If you did not ask for a token, close this page. Nothing will happen."
        />
      </>
    ),
  });
}

/** Link to continue, advice for people who do not want to continue, and the token's lifetime. */
function Decision({
  label,
  otherwise,
  continueUrl,
  daysMax,
}: Pick<BrowserSignInPageProps, "continueUrl" | "daysMax"> & {
  readonly label: string;
  readonly otherwise: string;
}) {
  return (
    <div class="decision">
      <a class="button arming" href={continueUrl}>
        {label}
      </a>
      <p class="small">{otherwise}</p>
      <p class="quiet small">
        {daysMax === undefined
          ? "Access lasts until you revoke it."
          : `Access lasts ${daysMax === 1 ? "a day" : `${daysMax} days`}, or until you revoke it.`}{" "}
        When you sign in, Dropleaf receives your user name and ID, your verified e-mail addresses and, if the
        operator uses them, your groups.
      </p>
    </div>
  );
}

/** Number of characters at the end of the code that the person must type. */
export const typedLength = 4;

interface CodeEntryPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** True if the characters that the person typed were wrong. */
  readonly wrong: boolean;
  readonly nonce: string;
}

/**
 * Renders `GET /verify` for a person who followed a link on another site. The person must type a part of the code, because the other site
 * may have tricked the person into a click.
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
