/** Search as you type and sorting on an owner's page, over what the page already holds, which comes newest first. */
export const ownerScript = `
{
  const find = document.getElementById("find");
  const sort = document.getElementById("sort");
  const noMatch = document.getElementById("no-match");
  const fold = (words) => words.normalize("NFKD").replace(/\\p{M}/gu, "").toLowerCase();
  const shelves = [...document.querySelectorAll(".shelf")].map((list) => ({
    list,
    section: list.parentElement,
    entries: [...list.children].map((item, age) => ({
      item,
      age,
      name: item.firstElementChild.textContent,
      folded: fold(item.firstElementChild.textContent),
    })),
  }));
  const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const orders = {
    newest: (a, b) => a.age - b.age,
    oldest: (a, b) => b.age - a.age,
    name: (a, b) => compare(a.name, b.name),
  };
  const filter = () => {
    const words = fold(find.value).split(/\\s+/);
    let any = false;
    for (const { section, entries } of shelves) {
      let shown = false;
      for (const { item, folded } of entries) {
        item.hidden = !words.every((word) => folded.includes(word));
        shown ||= !item.hidden;
      }
      section.hidden = !shown;
      any ||= shown;
    }
    noMatch.textContent = any ? "" : noMatch.dataset.text;
  };
  const reorder = () => {
    for (const { list, entries } of shelves) {
      list.append(...entries.sort(orders[sort.value]).map(({ item }) => item));
    }
  };
  find.addEventListener("input", filter);
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    find.value = "";
    filter();
  });
  sort.addEventListener("change", reorder);
  // A browser that comes back to the page restores the fields, not what they did.
  addEventListener("pageshow", () => {
    if (find.value) filter();
    if (sort.value !== "newest") reorder();
  });
}
`;
