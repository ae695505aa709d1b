import { AccountChoice } from "../html/account-choice.tsx";
import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import type { TeamOfPerson } from "../people/teams.ts";

interface AccountChoicePageProps {
  readonly code: string;
  /** Namespace of the person's own account. */
  readonly namespace: string;
  readonly teams: readonly TeamOfPerson[];
  readonly nonce: string;
}

/** Renders the page on which a team's member chooses the account for the new token, after signing in at the identity provider. */
export function renderAccountChoicePage({ code, namespace, teams, nonce }: AccountChoicePageProps): string {
  return renderSheetPage({
    title: "Choose an account",
    heading: "Who publishes?",
    nonce,
    children: (
      <>
        <p>You belong to a team. The token works for one account only: yours or the team’s.</p>
        <form method="post" action="/login/account">
          <input type="hidden" name="code" value={code} />
          <AccountChoice ownName={namespace} teams={teams} />
          <Submit>Continue</Submit>
        </form>
      </>
    ),
  });
}
