/**
 * Script of the passcode page. The script shows or hides the typed passcode, enables the button after the waiting time, and keeps the URL's
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
  // After a click on the checkbox, the focus returns to the field. After a key press, the focus stays on the checkbox, so that the reader
  // can toggle it back.
  if (isPointed) field.focus();
  isPointed = false;
});
// Hides the passcode again, because browsers restore the checkbox when the reader goes back.
addEventListener("pageshow", () => showPasscode(false));

form.addEventListener("submit", () => {
  // Turns the field back into a password field, because browsers store and suggest values of text fields.
  showPasscode(false);
  const action = new URL(form.action);
  // The browser keeps the fragment and adds it to the redirect's target (Fetch Standard, "location URL").
  action.hash = location.hash;
  form.action = action.href;
});

function showPasscode(shown: boolean): void {
  show.checked = shown;
  const { selectionStart, selectionEnd } = field;
  field.type = shown ? "text" : "password";
  field.setSelectionRange(selectionStart, selectionEnd);
}

/** Counts down using the system clock, because timers stop while the computer sleeps. */
function countDown(untilMs: number): void {
  button.disabled = true;
  const timer = setInterval(() => {
    if (Date.now() < untilMs) return;
    clearInterval(timer);
    button.disabled = false;
    findElement("notice").textContent = again;
  }, 500);
}
