import { Submit } from "../html/icons.tsx";
import type { PublishingAccount } from "../policies/moves.ts";
import { type DropFormProps, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { Field } from "./form.tsx";

/** Props of the form that moves a drop. */
export interface MoveFormProps extends DropFormProps {
  /** Accounts that the drop may be moved to. @default - none, or not requested */
  readonly receivers?: readonly PublishingAccount[] | undefined;
}

/**
 * Section with the form that moves a drop to another account. Empty if the person has no other account. The viewer does not show this
 * section, because a move must be followed by another page.
 */
export function MoveForm({ receivers = [], ...props }: MoveFormProps) {
  if (receivers.length === 0) return null;
  const { sent } = props;
  const typed = sentFields(sent, "move")?.get("to");
  return (
    <section>
      <h2>Move the page</h2>
      <FormOfDrop {...props} form="move">
        <Field
          label="Account"
          id="to"
          note="The link and readers stay the same. Only owners of a team can move pages out of it."
          problem={problemAt(sent, "move", "to")}
        >
          <select name="to" required>
            {receivers.map(({ namespace, role }) => (
              <option key={namespace} value={namespace} selected={namespace === typed}>
                {role === undefined ? `Your own pages (${namespace})` : namespace}
              </option>
            ))}
          </select>
        </Field>
        <Submit second>Move</Submit>
      </FormOfDrop>
    </section>
  );
}
