/** Copies what stands beside a button; where there is no clipboard, it selects it, to be copied by hand. */
export const tokenScript = `
for (const button of document.querySelectorAll("[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const label = button.firstElementChild;
  const words = label.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      label.textContent = button.dataset.done;
      setTimeout(() => (label.textContent = words), 2000);
    } catch {
      getSelection().selectAllChildren(source);
    }
  });
}
`;
