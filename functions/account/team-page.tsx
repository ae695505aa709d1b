import { formatAddress } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import { sortedPeople, type Team } from "../people/team.ts";
import { describeReader, presentReader } from "../policies/access.ts";
import { DoneNotice, type ItemsPageProps, renderAccountPage } from "./account-layout.tsx";
import { asTyped, Field, Form, ProblemNotice } from "./form.tsx";
import type { FormFields } from "./problem.ts";
import { PeopleForm, PersonRow } from "./team-people.tsx";

/** A refused form on the team's page. */
export interface SentTeamForm {
  readonly fields: FormFields;
  readonly message: string;
}

interface TeamPageProps extends Omit<ItemsPageProps, "problem"> {
  readonly team: Team;
  readonly ownerUrl: string;
  readonly mayEdit: boolean;
  /** The refused form. @default - no form was refused */
  readonly sent?: SentTeamForm | undefined;
}

const destination = { page: "team" } as const;
const action = pagePath(destination);

/** Renders `GET /account/team`: a team's members. Owners also get forms to change the members and to group the team's drops. */
export function renderTeamPage(props: TeamPageProps): string {
  const { signedIn, team, ownerUrl, mayEdit, proofOf, sent, done, nonce } = props;
  const { namespace } = team;
  const proof = proofOf(action);
  const form = mayEdit ? { action, proof } : undefined;
  const typed = sentFields(sent, "role");
  return renderAccountPage({
    title: `People of ${namespace}`,
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <div class="heading">
          <h1>People of {namespace}</h1>
          <p class="small">
            The team’s public page: <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
          </p>
        </div>
        <DoneNotice done={done} />
        {sent && isElsewhere(sent) && <ProblemNotice problem={{ message: sent.message }} />}
        <p class="quiet">
          {mayEdit
            ? "Editors publish and edit pages. Owners also delete pages, and manage members and tokens."
            : "As an editor, you publish and edit pages. Owners also delete pages, and manage members and tokens."}
        </p>
        <ul class="own sprig">
          {sortedPeople(team).map(({ rule, role }) => {
            const name = presentReader(rule);
            return (
              <PersonRow key={name} name={name} meaning={describeReader(rule)} role={role} form={form} />
            );
          })}
        </ul>
        {mayEdit && (
          <div class="forms">
            <PeopleForm form={{ action, proof }} sent={typed} problem={typed && sent?.message} />
            <Grouping {...props} />
          </div>
        )}
      </>
    ),
  });
}

/** Returns the submitted values of a refused form. Returns undefined if the form was not refused. */
function sentFields(sent: SentTeamForm | undefined, change: "role" | "group"): FormFields | undefined {
  return sent?.fields.get("change") === change && !isElsewhere(sent) ? sent.fields : undefined;
}

/** Recognizes a form in the list of members. Its problem is shown above the list. */
function isElsewhere({ fields }: SentTeamForm): boolean {
  return fields.get("change") !== "group" && fields.get("of") !== "new";
}

function Grouping({ team, proofOf, sent }: TeamPageProps) {
  const typed = sentFields(sent, "group");
  return (
    <section>
      <h2>Group the pages by tag</h2>
      <Form action={action} proof={proofOf(action)}>
        <input type="hidden" name="change" value="group" />
        <Field
          label="Tag"
          id="group"
          note="A metadata key, such as project. Its values become headings on the team’s public page, which anyone can read. Leave the field empty to show one list."
          problem={typed && sent?.message}
        >
          <input name="group_by" value={typed?.get("group_by") ?? team.groupBy ?? ""} {...asTyped} />
        </Field>
        <Submit>Save</Submit>
      </Form>
    </section>
  );
}
