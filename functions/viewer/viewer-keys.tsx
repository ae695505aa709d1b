import { viewerText } from "./viewer-text.ts";

/**
 * The dialog of keys that press the control with them as `aria-keyshortcuts`, with a way to turn them off (WCAG 2.2,
 * criterion 2.1.4).
 */
export function KeysDialog({ hasContext }: { readonly hasContext: boolean }) {
  const words = viewerText;
  const keys = Object.entries(words.keyNames).filter(([key]) => hasContext || key !== "c");
  return (
    <dialog id="keys-shown" aria-label={words.keys}>
      <h2>{words.keys}</h2>
      <dl>
        {keys.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{words.keysOutside}</p>
      <label>
        <input id="keys-on" type="checkbox" checked /> {words.keysOn}
      </label>
      <form method="dialog">
        <button class="button" type="submit">
          {words.close}
        </button>
      </form>
    </dialog>
  );
}
