/**
 * What the viewer's bar does beyond links: fetch and show the context, copy the link, full screen, and close what
 * is open on Escape, on a press beside it, or when the frame takes the focus. It speaks no words of its own.
 * Without a clipboard, the copy link is followed, so that the address bar holds what was to be copied.
 */
export const viewerScript = `
{
  const byId = (id) => document.getElementById(id);
  const frame = document.querySelector("iframe");
  const menus = [...document.querySelectorAll("details")];
  const closeMenus = () => menus.forEach((menu) => (menu.open = false));

  const more = document.querySelector(".more > summary");
  const toggle = byId("context-toggle");
  const panel = byId("context");
  let requested = false;
  const fetchContext = async () => {
    if (requested) return;
    requested = true;
    byId("context-failed").hidden = true;
    byId("context-state").hidden = false;
    try {
      const answer = await fetch(toggle.href);
      if (!answer.ok) throw new Error(answer.status);
      byId("context-text").textContent = await answer.text();
    } catch {
      requested = false;
      byId("context-failed").hidden = false;
    }
    byId("context-state").hidden = true;
  };
  const showContext = (open) => {
    panel.hidden = !open;
    toggle.setAttribute("aria-expanded", open);
    closeMenus();
    if (!open) return (more.offsetWidth ? more : toggle).focus();
    panel.focus();
    fetchContext();
  };
  if (toggle) {
    toggle.setAttribute("aria-controls", "context");
    toggle.setAttribute("aria-expanded", "false");
    toggle.addEventListener("click", (event) => {
      event.preventDefault();
      showContext(panel.hidden);
    });
    byId("context-close").addEventListener("click", () => showContext(false));
  }

  const copy = byId("copy-link");
  const label = copy.querySelector("span");
  const words = label.textContent;
  copy.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(copy.href);
      label.textContent = copy.dataset.done;
      setTimeout(() => (label.textContent = words), 2000);
    } catch {
      location.href = copy.href;
    }
  });
  for (const link of [copy, toggle]) {
    link?.setAttribute("role", "button");
    link?.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      link.click();
    });
  }

  const fullScreen = byId("full-screen");
  fullScreen.hidden = !document.fullscreenEnabled;
  fullScreen.addEventListener("click", () => {
    closeMenus();
    frame.requestFullscreen();
  });

  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = menus.find((menu) => menu.open);
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    } else if (panel && !panel.hidden) showContext(false);
  });
  addEventListener("pointerdown", (event) => {
    for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
  });
  addEventListener("blur", () => {
    if (document.activeElement === frame) closeMenus();
  });
}
`;
