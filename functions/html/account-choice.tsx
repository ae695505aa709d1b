import type { TeamOfPerson } from "../people/teams.ts";

/** Name of the form field that holds the chosen team's namespace. The value is empty for the person's own account. */
export const accountField = "account";

/** Radio buttons for the account to publish with. The person's own account, `ownName`, is preselected. */
export function AccountChoice({
  ownName,
  teams,
}: {
  readonly ownName: string;
  readonly teams: readonly TeamOfPerson[];
}) {
  return (
    <fieldset class="choices">
      <legend>Publish as</legend>
      <Choice value="" name={ownName} note="your own pages" isChosen />
      {teams.map((team) => (
        <Choice
          key={team.userId}
          value={team.namespace}
          name={team.namespace}
          note={`team, you are an ${team.role}`}
        />
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
