import { Permissions } from "./permissions.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** What the page between asking for a token and signing in shows. */
export interface OwnSignInPageProps {
  /** Where sign-in goes on. A link and not a form: `form-action 'self'` would stop the redirect to the provider. */
  readonly continueUrl: string;
  readonly nonce: string;
}

/** `GET /verify` in the browser that asked for a token of its own: there is no agent, and no code to compare. */
export function renderOwnSignInPage({ continueUrl, nonce }: OwnSignInPageProps): string {
  const words = text.ownSignIn;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
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
