/** Time in milliseconds during which a button shows that it has copied. */
const doneShownMs = 2000;

/**
 * Copies a text when the button is pressed, and shows the text of `data-done` for a while. If the clipboard is missing or denies access,
 * calls `otherwise`.
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
