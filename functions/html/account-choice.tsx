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
  const choices = [
    { value: "", name: ownName, note: "your own pages" },
    ...teams.map(({ namespace, role }) => ({
      value: namespace,
      name: namespace,
      note: `team, you are an ${role}`,
    })),
  ];
  return (
    <fieldset class="choices">
      <legend>Publish as</legend>
      {choices.map(({ value, name, note }) => (
        <label key={value}>
          <input type="radio" name={accountField} value={value} checked={value === ""} />
          <span>
            <strong dir="auto">{name}</strong> <span class="quiet small">{note}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
