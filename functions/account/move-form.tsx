import type { PublishingAccount } from "../policies/moves.ts";
import { accountText } from "./account-text.ts";
import { type DropFormProps, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { Field } from "./form.tsx";

const words = accountText.drop;

/** Form that gives a drop to a team, or takes it out of one. Without a receiver there is no form. */
export function MoveForm({
  receivers = [],
  ...props
}: DropFormProps & {
  /** Accounts that the drop may be moved to. @default - none */
  readonly receivers?: readonly PublishingAccount[] | undefined;
}) {
  if (receivers.length === 0) return null;
  const { sent } = props;
  const typed = sentFields(sent, "move")?.get("to");
  return (
    <details class="move" open={sent?.form === "move"}>
      <summary>{words.move}</summary>
      <FormOfDrop {...props} form="move">
        <Field label={words.moveTo} id="to" note={words.moveNote} problem={problemAt(sent, "move", "to")}>
          <select name="to" required>
            {receivers.map(({ namespace, role }) => (
              <option key={namespace} value={namespace} selected={namespace === typed}>
                {role === undefined ? words.ownAccount(namespace) : namespace}
              </option>
            ))}
          </select>
        </Field>
        <button class="button second" type="submit">
          {words.moveNow}
        </button>
      </FormOfDrop>
    </details>
  );
}
