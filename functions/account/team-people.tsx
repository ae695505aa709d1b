import { Submit } from "../html/icons.tsx";
import type { TeamRole } from "../policies/access.ts";
import { asTyped, Field, Form } from "./form.tsx";

const roleNames = { owner: "Owner", editor: "Editor" } satisfies Readonly<Record<TeamRole, string>>;

const changes = { owner: "Make an owner", editor: "Make an editor" } satisfies Readonly<
  Record<TeamRole, string>
>;

/** Action URL and CSRF token of the forms that change a team's members. */
interface PeopleFormTarget {
  readonly action: string;
  readonly proof: string;
}

interface PersonRowProps {
  /** The member entry (a person, domain or group) in the format of `presentReader`. */
  readonly name: string;
  /** Human-readable description of the member entry. */
  readonly meaning: string;
  readonly role: TeamRole;
  /** Target of the forms that change the entry. @default - the person may not change the team */
  readonly form?: PeopleFormTarget | undefined;
}

/** List entry for a team's member, domain or group, with buttons that change the role or remove the entry. */
export function PersonRow({ name, meaning, role, form }: PersonRowProps) {
  const other = role === "owner" ? "editor" : "owner";
  return (
    <li class={role === "owner" ? undefined : "guarded"}>
      <div>
        <strong dir="auto">{name}</strong>
        <p>
          <span>{roleNames[role]}</span>
          {meaning !== name && <span dir="auto">{meaning}</span>}
        </p>
      </div>
      {form && (
        <details>
          <summary>
            Change
            <span class="unseen"> {name}</span>
          </summary>
          <div class="choices">
            <Form {...form}>
              <input type="hidden" name="change" value="role" />
              <input type="hidden" name="reader" value={name} />
              <Submit second name="role" value={other}>
                {changes[other]}
              </Submit>
            </Form>
            <Form {...form}>
              <input type="hidden" name="change" value="remove" />
              <input type="hidden" name="reader" value={name} />
              <Submit second>Remove from the team</Submit>
            </Form>
          </div>
        </details>
      )}
    </li>
  );
}

interface PeopleFormProps {
  readonly form: PeopleFormTarget;
  /** Submitted values of a refused form. @default - the fields are empty */
  readonly sent?: Pick<URLSearchParams, "get"> | undefined;
  /** Reason why the form was refused. @default - the form was not refused, or another part of the page shows the reason */
  readonly problem?: string | undefined;
}

/** Form that adds a person, domain or group to a team. */
export function PeopleForm({ form, sent, problem }: PeopleFormProps) {
  const chosen = sent?.get("role") ?? "editor";
  return (
    <section>
      <h2>Add people</h2>
      <Form {...form}>
        <input type="hidden" name="change" value="role" />
        <input type="hidden" name="of" value="new" />
        <Field
          label="Person, domain or group"
          id="reader"
          note="An e-mail address, @domain, a user name, or group:name. Everyone in a domain or group gets the role."
          problem={problem}
        >
          <input name="reader" value={sent?.get("reader") ?? ""} required {...asTyped} />
        </Field>
        <Field label="Role" id="role">
          <select name="role">
            {(["editor", "owner"] as const).map((role) => (
              <option key={role} value={role} selected={role === chosen}>
                {roleNames[role]}
              </option>
            ))}
          </select>
        </Field>
        <Submit>Add</Submit>
      </Form>
    </section>
  );
}
