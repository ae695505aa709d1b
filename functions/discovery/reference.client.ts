/** Filters the operations on the page and in its table of contents. Shows only operations that contain all words of the filter. */
import { findElement } from "../html/find-element.client.ts";

const filter = findElement<HTMLInputElement>("filter");
const found = findElement<HTMLOutputElement>("found");
const { none = "" } = found.dataset;
const links = [...document.querySelectorAll<HTMLElement>("[data-operation]")];
const operations = links.map((link) => ({
  link,
  article: document.getElementById(link.dataset.operation ?? ""),
}));
const sections = [...document.querySelectorAll<HTMLElement>("main > section")];

filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const { link, article } of operations) {
    const text = `${link.dataset.operation} ${article?.textContent}`.toLowerCase();
    const isFound = words.every((word) => text.includes(word));
    link.hidden = !isFound;
    if (article) article.hidden = !isFound;
    if (isFound) left += 1;
  }
  for (const section of sections) {
    const articles = [...section.querySelectorAll("article")];
    const isShown = articles.some((one) => !one.hidden && operations.some(({ article }) => article === one));
    section.hidden = words.length > 0 && !isShown;
  }
  found.value = words.length === 0 ? "" : left === 0 ? none : `${left} / ${operations.length}`;
});

// Closes the table of contents on phones, where it would fill the first screens.
if (innerWidth < 800) document.querySelector(".contents details")?.removeAttribute("open");
