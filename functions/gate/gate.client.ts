/**
 * Script of the gate. It shows or hides the typed passcode, enables the button after a wait, and keeps the URL's
 * fragment.
 */
import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";

const form = findElement<HTMLFormElement>("gate");
const field = findElement<HTMLInputElement>("passcode");
const show = findElement<HTMLInputElement>("show-passcode");
const button = findElement<HTMLButtonElement>("open");
const { wait, again = "" } = form.dataset;
if (wait) countDown(Date.now() + Number(wait) * 1000);

let isPointed = false;
show.parentElement?.addEventListener("pointerdown", () => {
  isPointed = true;
});
show.addEventListener("change", () => {
  showPasscode(show.checked);
  // A click on the box returns the focus to the field. After a key press the focus stays on the box, so that it can be
  // toggled back.
  if (isPointed) field.focus();
  isPointed = false;
});
// A browser restores the box's state when it goes back.
addEventListener("pageshow", () => showPasscode(false));

form.addEventListener("submit", () => {
  // Browsers suggest values that were sent as plain text.
  showPasscode(false);
  const action = new URL(form.action);
  // A fragment stays in the browser, which adds it to the redirect's target (Fetch Standard, "location URL").
  action.hash = location.hash;
  form.action = action.href;
});

function showPasscode(shown: boolean): void {
  show.checked = shown;
  const { selectionStart, selectionEnd } = field;
  field.type = shown ? "text" : "password";
  field.setSelectionRange(selectionStart, selectionEnd);
}

/** Counts down by the clock, since timers stop while the computer sleeps. */
function countDown(untilMs: number): void {
  button.disabled = true;
  const timer = setInterval(() => {
    if (Date.now() < untilMs) return;
    clearInterval(timer);
    button.disabled = false;
    findElement("notice").textContent = again;
  }, 500);
}
