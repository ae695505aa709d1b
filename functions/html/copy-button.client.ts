/** Duration of a button's message after copying, in milliseconds. */
const doneShownMs = 2000;

/**
 * Copies a text when the button is pressed. The button then shows the message in `data-done` for a while. Calls `otherwise` if the clipboard is
 * missing or denies access.
 */
export function copyOnPress(
  button: HTMLElement,
  label: Element | null,
  { text, otherwise }: { readonly text: () => string; readonly otherwise: () => void },
): void {
  const words = label?.textContent ?? "";
  const say = (shown: string) => {
    if (label) label.textContent = shown;
  };
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(text());
      say(button.dataset.done ?? "");
      setTimeout(() => say(words), doneShownMs);
    } catch {
      otherwise();
    }
  });
}
