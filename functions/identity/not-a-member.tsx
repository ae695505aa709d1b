import { environmentNames, findEnvironment } from "../core/environment.ts";
import type { ApiError } from "../core/errors.ts";
import { Emblem } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import type { Identity } from "../people/accounts.ts";
import { refusal } from "../table/suspension.ts";
import { identityText } from "./identity-text.ts";

const words = identityText.notAMember;

/** Error for a signed-in person who may not publish. Its page names a contact and a message to send. */
export function membershipRefused({ username, emails }: Identity, baseUrl: string): ApiError {
  const contact = findEnvironment(environmentNames.securityContact);
  const names = [
    ...(username === "" ? [] : [words.username(readable(username))]),
    ...emails.map((email) => words.email(email)),
  ];
  const message = [words.request(baseUrl), ...names].join("\n");
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
  /** A mail or web address. @default - no contact is named */
  readonly contact: string | undefined;
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  /** Message to send to the operator. */
  readonly message: string;
  /** The provider sent a name by which the operator can add the person. */
  readonly hasNames: boolean;
  readonly nonce: string;
}

/** The page for a signed-in person who may not publish. */
export function renderNotAMemberPage({
  contact,
  baseUrl,
  message,
  hasNames,
  nonce,
}: NotAMemberPageProps): string {
  const { host } = new URL(baseUrl);
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <section>
          <h2>{contact === undefined ? words.askHeading(host) : words.contactHeading(nameOf(contact))}</h2>
          <p>{hasNames ? words.send : words.nameless}</p>
          <div class="copyable">
            <pre class="calls" dir="auto">
              {message}
            </pre>
          </div>
          {contact !== undefined && (
            <a class="button" href={addressOf(contact, words.subject(host), message)}>
              {contact.startsWith("mailto:") ? words.write : words.goThere}
            </a>
          )}
        </section>
        <section>
          <h2>{words.afterwardsHeading}</h2>
          <p>{words.afterwards}</p>
          <p>{words.other}</p>
        </section>
        <p class="quiet small">{words.kept}</p>
      </>
    ),
  });
}

/** Contact in the form that people write, without `mailto:`. */
function nameOf(contact: string): string {
  return contact.replace(/^mailto:/, "").replace(/\?.*$/, "");
}

/** RFC 6068: adds subject and text to a mail address. */
function addressOf(contact: string, subject: string, body: string): string {
  if (!contact.startsWith("mailto:")) return contact;
  const fields = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
  return `${contact}${contact.includes("?") ? "&" : "?"}${fields}`;
}
