import { environmentNames, findEnvironment } from "../core/environment.ts";
import type { ApiError } from "../core/errors.ts";
import { renderSheetPage } from "../html/sheet.tsx";
import type { Identity } from "../people/accounts.ts";
import { refusal } from "../table/suspension.ts";

/** Explains to a signed-in person that only members can publish, but that the person can read shared pages. */
export const membersOnly =
  "You are signed in and can read pages that are shared with you. Only members can publish, and you are not a member at the moment.";

/** Error for a signed-in person who may not publish. The error's page shows whom to ask, and a message to send. */
export function membershipRefused({ username, emails }: Identity, baseUrl: string): ApiError {
  const contact = findEnvironment(environmentNames.securityContact);
  const names = [
    ...(username === "" ? [] : [`User name: ${readable(username)}`]),
    ...emails.map((email) => `Verified e-mail address: ${email}`),
  ];
  const message = [`Please let me publish on ${baseUrl}.`, ...names].join("\n");
  return refusal("not_a_member", "Only members may publish here.", {
    details: { username, emails },
    renderPage: (nonce) =>
      renderNotAMemberPage({ contact, baseUrl, message, hasNames: names.length > 0, nonce }),
  });
}

/** Removes line breaks, so that a name cannot add lines to the message. */
function readable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}

interface NotAMemberPageProps {
  /** The operator's `mailto:` or web address. @default - the operator has not set a contact */
  readonly contact: string | undefined;
  readonly baseUrl: string;
  /** Message to send to the operator. */
  readonly message: string;
  /** True if the message contains a user name or an address that the operator can add as a member. */
  readonly hasNames: boolean;
  readonly nonce: string;
}

/** Renders the page for a signed-in person who may not publish. */
export function renderNotAMemberPage({
  contact,
  baseUrl,
  message,
  hasNames,
  nonce,
}: NotAMemberPageProps): string {
  const { host } = new URL(baseUrl);
  return renderSheetPage({
    title: "Not a member yet",
    sign: "locked",
    nonce,
    children: (
      <>
        <p>You have signed in, but only members can publish, and you are not a member yet.</p>
        <section>
          <h2>{contact === undefined ? `Ask the operator of ${host}` : `Ask ${nameOf(contact)}`}</h2>
          <p>
            {hasNames
              ? "Send them this message. It has everything they need to add you:"
              : "Your identity provider sent neither a user name nor a verified e-mail address. Add your name to this message and send it:"}
          </p>
          <div class="copyable">
            <pre class="calls" dir="auto">
              {message}
            </pre>
          </div>
          {contact !== undefined && (
            <a class="button" href={addressOf(contact, `Publishing on ${host}`, message)}>
              {contact.startsWith("mailto:") ? "Write to them" : "Open their page"}
            </a>
          )}
        </section>
        <section>
          <h2>What happens next</h2>
          <p>
            Once the operator has added you, ask your agent for a new code, because this one has been used.
          </p>
          <p>
            If another of your accounts is a member, sign out of this one at your identity provider first.
          </p>
        </section>
        <p class="quiet small">No account was created, and nothing that your provider sent was stored.</p>
      </>
    ),
  });
}

/** Formats a contact for display, without `mailto:` and query. */
function nameOf(contact: string): string {
  return contact.replace(/^mailto:/, "").replace(/\?.*$/, "");
}

/** Adds a subject and a body to a `mailto:` address (RFC 6068). */
function addressOf(contact: string, subject: string, body: string): string {
  if (!contact.startsWith("mailto:")) return contact;
  const fields = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
  return `${contact}${contact.includes("?") ? "&" : "?"}${fields}`;
}
