import type { PublishingAccount } from "../policies/moves.ts";
import { accountText } from "./account-text.ts";
import { type DropFormProps, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { Field } from "./form.tsx";

const words = accountText.drop;

/** Props of the form that moves a drop. */
export interface MoveFormProps extends DropFormProps {
  /** Accounts that the drop may be moved to. @default - none, or not requested */
  readonly receivers?: readonly PublishingAccount[] | undefined;
}

/**
 * Section with the form that gives a drop to a team, or takes it out of one. Hidden without a receiver. The viewer does not show it, since it
 * needs a page to show after the move.
 */
export function MoveForm({ receivers = [], ...props }: MoveFormProps) {
  if (receivers.length === 0) return null;
  const { sent } = props;
  const typed = sentFields(sent, "move")?.get("to");
  return (
    <section>
      <h2>{words.moveHeading}</h2>
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
          {words.move}
        </button>
      </FormOfDrop>
    </section>
  );
}
