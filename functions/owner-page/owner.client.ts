/**
 * Script of an owner's page: search as you type, sorting, and local times. The script searches and sorts only the loaded page, whose
 * entries are newest first.
 */

import { matchesWords, normalizedWords } from "../core/normalize-text.ts";
import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";

/** A row in the list of drops or files. */
interface Entry {
  readonly item: HTMLElement;
  /** Position in the loaded page. The newest entry has position 0. */
  readonly age: number;
  readonly name: string;
  readonly words: readonly string[];
}

const find = findElement<HTMLInputElement>("find");
const sort = findElement<HTMLSelectElement>("sort");
const noMatch = findElement("no-match");

const listings = [...document.querySelectorAll<HTMLElement>(".listing")].map((list) => ({
  list,
  section: list.parentElement,
  entries: ([...list.children] as HTMLElement[]).map((item, age): Entry => {
    const name = item.firstElementChild?.textContent ?? "";
    return { item, age, name, words: normalizedWords(name) };
  }),
}));

const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
const orders: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  newest: (a, b) => a.age - b.age,
  oldest: (a, b) => b.age - a.age,
  name: (a, b) => compare(a.name, b.name),
};

function filter(): void {
  const sought = normalizedWords(find.value);
  let any = false;
  for (const { section, entries } of listings) {
    let shown = false;
    for (const { item, words } of entries) {
      item.hidden = !matchesWords(sought, words);
      shown ||= !item.hidden;
    }
    if (section) section.hidden = !shown;
    any ||= shown;
  }
  noMatch.textContent = any ? "" : (noMatch.dataset.text ?? "");
}

function reorder(): void {
  for (const { list, entries } of listings) {
    list.append(...entries.sort(orders[sort.value]).map(({ item }) => item));
  }
}

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  find.value = "";
  filter();
});
sort.addEventListener("change", reorder);
// When the reader goes back to the page, browsers restore the fields without an input event, so the script applies them
// here.
addEventListener("pageshow", () => {
  if (find.value) filter();
  if (sort.value !== "newest") reorder();
});
