import { Permissions } from "./permissions.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** What the verify page shows. */
export interface VerifyPageProps {
  /** The device code, such as `BCDF-GHJK`. */
  readonly code: string;
  /** What the agent calls itself: a claim, or null where it gave no label. */
  readonly label: string | null;
  /** Where sign-in goes on. A link and not a form: `form-action 'self'` would stop the redirect to the provider. */
  readonly continueUrl: string;
  readonly nonce: string;
}

/** `GET /verify`: the human compares the code, and continues to the identity provider. */
export function renderVerifyPage({ code, label, continueUrl, nonce }: VerifyPageProps): string {
  const words = text.verify;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <div class="comparison">
          <p class="code">{code}</p>
          <p>{words.caution}</p>
        </div>
        <Claim label={label} />
        <Permissions heading={words.allowHeading} />
        <div class="decision">
          <a class="button arming" href={continueUrl}>
            {words.continue}
          </a>
          <p class="small">{words.otherwise}</p>
          <p class="quiet small">{text.permissions.until}</p>
        </div>
      </>
    ),
  });
}

function Claim({ label }: { label: string | null }) {
  const words = text.verify;
  if (label === null) return <p class="claim quiet">{words.noName}</p>;
  return (
    <div class="claim">
      <p class="quiet small">{words.claim}</p>
      <strong dir="auto">{label}</strong>
      <p class="quiet small">{words.claimNote}</p>
    </div>
  );
}
