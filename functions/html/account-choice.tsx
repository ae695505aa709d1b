import type { TeamOfPerson } from "../people/teams.ts";

/** Name of the form field that holds the chosen team's namespace. The value is empty for the person's own account. */
export const accountField = "account";

/** Props of the radio buttons for choosing an account. */
interface AccountChoiceProps {
  /** Name of the person's own account. */
  readonly ownName: string;
  readonly teams: readonly TeamOfPerson[];
}

const words = {
  legend: "Publish as",
  yourself: "your own pages",
  owner: "team, you are an owner",
  editor: "team, you are an editor",
} as const;

/** Radio buttons for the account to publish with. The person's own account is preselected. */
export function AccountChoice({ ownName, teams }: AccountChoiceProps) {
  return (
    <fieldset class="choices">
      <legend>{words.legend}</legend>
      <Choice value="" name={ownName} note={words.yourself} isChosen />
      {teams.map((team) => (
        <Choice key={team.userId} value={team.namespace} name={team.namespace} note={words[team.role]} />
      ))}
    </fieldset>
  );
}

function Choice({
  value,
  name,
  note,
  isChosen = false,
}: {
  readonly value: string;
  readonly name: string;
  readonly note: string;
  readonly isChosen?: boolean;
}) {
  return (
    <label>
      <input type="radio" name={accountField} value={value} checked={isChosen} />
      <span>
        <strong dir="auto">{name}</strong> <span class="quiet small">{note}</span>
      </span>
    </label>
  );
}
