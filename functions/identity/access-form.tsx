import { hasAccessRequests } from "../core/environment.ts";
import type { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { Submit } from "../html/icons.tsx";
import { formProofs, proofField } from "../http/form-proof.ts";
import type { ReaderSession } from "./readers.ts";

/** Form for a signed-in person to ask for access to a page. */
export interface AccessForm {
  readonly slug: string;
  readonly proof: string;
  /** Message to the owner, as submitted. @default - the form was not sent */
  readonly text?: string | undefined;
  /** Error of a refused form. @default - none */
  readonly error?: ApiError | undefined;
}

/** Subject of the form's CSRF token. The subject is the same for all slugs, so that the page does not reveal whether a slug exists. */
export const accessFormSubject = "/p/access";

/** Name of the field with the message to the owner. */
export const messageField = "message";

/** Returns the form that asks for access to a page. Returns undefined if the operator has disabled access requests. */
export async function offerAccessForm(
  { reference }: Pick<ReaderSession, "reference">,
  slug: string,
): Promise<AccessForm | undefined> {
  if (!hasAccessRequests()) return undefined;
  return { slug, proof: (await formProofs(reference))(accessFormSubject) };
}

/** Renders the form that asks a page's owner for access, with an optional message. */
export function AccessFormSection({ slug, proof, text = "", error }: AccessForm) {
  return (
    <form method="post" action={`/p/${slug}/access`}>
      <input type="hidden" name={proofField} value={proof} />
      <label for="access-message">Message to the page’s owner (optional)</label>
      {error && (
        <p class="notice problem" role="alert" id="access-problem">
          {problemOf(error)}
        </p>
      )}
      <input
        id="access-message"
        class="field"
        name={messageField}
        value={text}
        maxlength={limits.accessRequestCodePointsMax * 2}
        autocomplete="off"
        dir="auto"
        aria-describedby={error ? "access-problem access-note" : "access-note"}
        aria-invalid={error ? "true" : undefined}
        autofocus={error !== undefined}
      />
      <p class="quiet small" id="access-note">
        If the page exists, its owner sees your name, your e-mail address and this message for 30 days.
      </p>
      <Submit>Ask for access</Submit>
    </form>
  );
}

function problemOf({ code, message, retryAfterSeconds = 1 }: ApiError): string {
  if (code !== "rate_limited") return message;
  const hours = Math.max(1, Math.ceil(retryAfterSeconds / 3600));
  return `You can ask for access three times a day. Try again in ${hours === 1 ? "an hour" : `${hours} hours`}.`;
}
