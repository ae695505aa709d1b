import { useState } from "preact/hooks";
import { text } from "../../html/text.ts";
import type { AppDrop } from "./app-responses.ts";
import { appText } from "./app-text.ts";

const words = text.sharing;
const kinds = Object.keys(words.kinds) as (keyof typeof words.kinds)[];

interface ReadersFormProps {
  readonly drop: AppDrop;
  readonly isBusy: boolean;
  readonly onSave: (fields: { readonly visibility: string; readonly readers?: readonly string[] }) => void;
}

/** Shows who can read the drop, with a form to change the readers. */
export function ReadersForm({ drop, isBusy, onSave }: ReadersFormProps) {
  const [kind, setKind] = useState(drop.visibility);
  const [readers, setReaders] = useState((drop.readers ?? []).join("\n"));
  const save = (event: Event) => {
    event.preventDefault();
    const named = readers.split(/[\n,]/).map((one) => one.trim());
    onSave({
      visibility: kind,
      ...(kind === "people" ? { readers: named.filter((one) => one !== "") } : {}),
    });
  };
  return (
    <details>
      <summary>
        {words.readers} <b dir="auto">{words.kinds[drop.visibility]}</b>
      </summary>
      <form class="readers" onSubmit={save}>
        <fieldset>
          <legend>{words.readers}</legend>
          {kinds.map((one) => (
            <label class="choice" key={one}>
              <input
                type="radio"
                name="visibility"
                value={one}
                checked={kind === one}
                onChange={() => setKind(one)}
              />
              <span>
                {words.kinds[one]} <small class="quiet">{words.kindNotes[one]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {kind === "people" && (
          <>
            <label for="readers">{words.people}</label>
            <textarea
              id="readers"
              class="field"
              rows={3}
              autocapitalize="off"
              spellcheck={false}
              aria-describedby="readers-note"
              value={readers}
              onInput={({ currentTarget }) => setReaders(currentTarget.value)}
            />
            <p id="readers-note" class="quiet">
              {words.peopleNote}
            </p>
          </>
        )}
        <button class="button" type="submit" disabled={isBusy}>
          {appText.save}
        </button>
      </form>
    </details>
  );
}
