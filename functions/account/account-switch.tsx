import { accountField } from "../html/account-choice.tsx";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { switchPath } from "../identity/signed-in-page.ts";
import type { TeamRole } from "../policies/access.ts";
import { Form } from "./form.tsx";

const roles = { owner: "a team that you own", editor: "a team that you edit" } satisfies Readonly<
  Record<TeamRole, string>
>;

interface AccountSwitchProps {
  readonly signedIn: SignedIn;
  readonly destination: PageDestination;
}

/** Shows the account that a person publishes as, with buttons for the accounts to choose. Empty for people without a team. */
export function AccountSwitch({ signedIn: { acting, reader }, destination }: AccountSwitchProps) {
  if (acting === undefined) return null;
  const { teams, team, leftTeam, dropOwner, proof } = acting;
  const ownName = reader.namespace ?? reader.identity.username;
  const names = ["", ...teams.map(({ namespace }) => namespace)];
  return (
    <Form action={switchPath} proof={proof} class="acting">
      <input type="hidden" name="to" value={pagePath(pageAfter(destination))} />
      {leftTeam !== undefined && (
        <p class="notice" role="status">
          You are no longer in the team {leftTeam}. You now publish as yourself.
        </p>
      )}
      <p>
        You publish as <strong dir="auto">{team?.namespace ?? ownName}</strong>
        {team !== undefined && `, ${roles[team.role]}`}.
        {dropOwner !== undefined && (
          <>
            {" This page belongs to "}
            <strong dir="auto">{dropOwner}</strong>.
          </>
        )}
      </p>
      <fieldset class="accounts">
        <legend class="unseen">Publish as</legend>
        {names.map((name) => (
          <button
            key={name}
            class="button second"
            type="submit"
            name={accountField}
            value={name}
            aria-pressed={name === (team?.namespace ?? "")}
          >
            {name === "" ? "You" : name}
          </button>
        ))}
      </fieldset>
    </Form>
  );
}

/** Returns the page to show after another account was chosen: the current page if it is a list, otherwise the list of drops. */
function pageAfter({ page }: PageDestination): PageDestination {
  return { page: page === "files" || page === "tokens" || page === "trash" ? page : "account" };
}
