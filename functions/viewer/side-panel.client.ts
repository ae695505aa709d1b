/** Opens and closes the panels beside the page. Only one panel is open at a time. `SidePanel` in `viewer-page.tsx` renders the panels. */
import { findElement } from "../html/find-element.client.ts";

/** A panel that a link in the bar opens. Without scripts, the link leads to a page with the same content. */
export interface SidePanel {
  /** Element below the panel's notices that `load` fills. */
  readonly content: HTMLElement;
  /** Shows the panel, and loads its content unless it is already loaded. */
  open(): Promise<void>;
  close(): void;
  /** Shows or hides the error message about a failed load or form. */
  showFailure(isFailed: boolean): void;
}

let shown: SidePanel | undefined;

/** Hides the shown panel. */
export function closeSidePanel(): void {
  shown?.close();
}

/**
 * @param load fills the content from the link's URL, and runs again after a failure
 * @param prepare runs before the panel is shown or hidden
 */
export function connectSidePanel(
  name: string,
  load: (content: HTMLElement, address: string) => Promise<void>,
  prepare: () => void,
): SidePanel {
  const more = document.querySelector<HTMLElement>(".more > summary");
  const toggle = findElement<HTMLAnchorElement>(`${name}-toggle`);
  const panel = findElement(name);
  const [close, state, failed] = ["button", "[role=status]", "[role=alert]"].map((part) =>
    panel.querySelector(part),
  ) as [HTMLElement, HTMLElement, HTMLElement];
  const content = panel.lastElementChild as HTMLElement;
  let loading: Promise<void> | undefined;

  const show = (isShown: boolean) => {
    prepare();
    panel.hidden = !isShown;
    toggle.setAttribute("aria-expanded", String(isShown));
    shown = isShown ? side : undefined;
    if (isShown) panel.focus();
    else (more?.offsetWidth && more.parentElement?.contains(toggle) ? more : toggle).focus();
  };
  const fill = async () => {
    side.showFailure(false);
    state.hidden = false;
    await load(content, toggle.href).catch(() => {
      loading = undefined;
      side.showFailure(true);
    });
    state.hidden = true;
  };
  const side: SidePanel = {
    content,
    async open() {
      if (shown !== side) {
        shown?.close();
        show(true);
      }
      loading ??= fill();
      await loading;
    },
    close: () => show(false),
    showFailure(isFailed) {
      failed.hidden = !isFailed;
    },
  };

  toggle.setAttribute("aria-controls", name);
  toggle.setAttribute("aria-expanded", "false");
  toggle.addEventListener("click", (event) => {
    event.preventDefault();
    if (shown === side) side.close();
    else void side.open();
  });
  close.addEventListener("click", side.close);
  pressAsButton(toggle);
  return side;
}

/** Makes the space bar press a link that the script has turned into a button. */
export function pressAsButton(link: HTMLAnchorElement): void {
  link.role = "button";
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
}
