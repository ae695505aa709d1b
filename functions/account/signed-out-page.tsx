import { renderSheetPage } from "../html/sheet.tsx";
import { type PageDestination, pagePath, signInPath } from "../identity/destination.ts";
import { accountText } from "./account-text.ts";
import type { FormFields } from "./problem.ts";

interface SignedOutPageProps {
  readonly fields: FormFields;
  readonly destination: PageDestination;
  readonly nonce: string;
}

/** Form fields to show after the session has ended. Excludes the passcode, which is never shown. */
const typedFields = ["title", "description", "readers"] as const;

/** Renders the response to a form that was sent without a session. The page shows the submitted values, and a link to sign in again. */
export function renderSignedOutPage({ fields, destination, nonce }: SignedOutPageProps): string {
  const words = accountText.signedOut;
  const typed = typedFields.flatMap((name) => {
    const value = fields.get(name);
    return value ? [{ name, value }] : [];
  });
  return renderSheetPage({
    title: "Signed out",
    heading: "You’re signed out",
    nonce,
    children: (
      <>
        <p role="alert">{words.lead}</p>
        {typed.length > 0 && (
          <section>
            <h2>What you typed</h2>
            {typed.map(({ name, value }) => (
              <label key={name}>
                {accountText.drop[name]}
                <textarea class="field" readOnly rows={3}>
                  {value}
                </textarea>
              </label>
            ))}
          </section>
        )}
        <a class="button" href={signInPath(pagePath(destination))}>
          Sign in again
        </a>
      </>
    ),
  });
}
