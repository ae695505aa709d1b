import type { ComponentChildren } from "preact";
import { asTyped, Field, Form, ProblemNotice } from "../account/form.tsx";
import { Submit } from "../html/icons.tsx";
import { renderSignedInPage } from "../html/signed-in-layout.tsx";
import type { Destination } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import administrationStyle from "./administration.css";
import { type CompletedAction, administrationText as words } from "./administration-text.ts";

/** Props of all pages for administrators. */
export interface AdministrationPageProps {
  readonly signedIn: SignedIn;
  /** Path of this page, to return to after signing in again. */
  readonly destination: Destination;
  readonly nonce: string;
  /** Action that was just completed, shown as a notice. @default - none */
  readonly done?: CompletedAction | undefined;
  /** Returns the CSRF token for a form with this path. */
  readonly proofOf: (path: string) => string;
  /** Values of a refused form. @default - none */
  readonly sent?: URLSearchParams | undefined;
  /** Problem with a refused form. @default - no form was refused */
  readonly problem?: string | undefined;
}

const parts = [
  { path: "/admin", label: words.parts.accounts },
  { path: "/admin/audit", label: words.parts.audit },
] as const;

/** Renders the document of a page for administrators, with links to the other administration pages. */
export function renderAdministrationPage({
  title,
  signedIn,
  destination,
  nonce,
  done,
  problem,
  heading,
  children,
}: AdministrationPageProps & {
  readonly title: string;
  /** Heading of the page, shown above the notices. */
  readonly heading: ComponentChildren;
  readonly children: ComponentChildren;
}): string {
  return renderSignedInPage({
    title,
    nonce,
    username: signedIn.reader.identity.username,
    path: destination,
    style: administrationStyle,
    children: (
      <>
        <nav class="parts" aria-label={words.parts.label}>
          {parts.map(({ path, label }) => (
            <a key={path} href={path} aria-current={currentOf(path, destination)}>
              {label}
            </a>
          ))}
        </nav>
        <div class="heading">{heading}</div>
        {problem !== undefined && <ProblemNotice problem={{ message: problem }} />}
        {done !== undefined && (
          <p class="notice" role="status">
            {words.done[done]}
          </p>
        )}
        {children}
      </>
    ),
  });
}

/** Returns the `aria-current` value of a navigation link. The list of accounts is also current on pages about one account or drop. */
function currentOf(path: string, destination: Destination): "page" | "true" | undefined {
  if (path === destination) return "page";
  return path === "/admin" && destination !== "/admin/audit" ? "true" : undefined;
}

/** List of labelled values. Entries that are false or empty are omitted. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== false && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** An action that an administrator can choose. */
export interface OfferedAction {
  readonly change: keyof Omit<typeof words.actions, "confirm" | "heading">;
  /** Name that the administrator must type to confirm the action. @default - the action needs no confirmation */
  readonly confirm?: string | undefined;
}

/** Section with a form for each action. The forms are collapsed, so that no action is started by accident. */
export function ActionForms({
  actions,
  action,
  proof,
  children,
}: {
  readonly actions: readonly OfferedAction[];
  readonly action: string;
  readonly proof: string;
  /** Fields that are added to every form. @default - none */
  readonly children?: ComponentChildren;
}) {
  if (actions.length === 0) return null;
  return (
    <section>
      <h2>{words.actions.heading}</h2>
      <div class="actions">
        {actions.map(({ change, confirm }) => (
          <details key={change}>
            <summary>{words.actions[change].button}</summary>
            <Form action={action} proof={proof}>
              <input type="hidden" name="change" value={change} />
              {children}
              <p>{words.actions[change].lead}</p>
              {confirm !== undefined && (
                <Field label={`${words.actions.confirm} ${confirm}`} id={`confirm-${change}`}>
                  <input name="confirm" required {...asTyped} />
                </Field>
              )}
              <Submit>{words.actions[change].button}</Submit>
            </Form>
          </details>
        ))}
      </div>
    </section>
  );
}
