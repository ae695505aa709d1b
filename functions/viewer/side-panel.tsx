import { Icon } from "../html/icons.tsx";
import { viewerText } from "./viewer-text.ts";

interface SidePanelProps {
  /** Id of the panel. The link that opens it has the id `<name>-toggle`. */
  readonly name: string;
  readonly label: string;
  /** URL of a page with the same content. */
  readonly address: string;
  /** Note above the content, with the label as heading. @default - the content has its own heading */
  readonly note?: string;
}

/** Panel beside the page, or over its lower part in a narrow window. The script `side-panel.client.ts` fills it. */
export function SidePanel({ name, label, address, note }: SidePanelProps) {
  const words = viewerText;
  return (
    <aside class="side" id={name} tabIndex={-1} aria-label={label} hidden>
      <button type="button" aria-label={words.close} title={words.close}>
        <Icon name="close" />
      </button>
      {note && (
        <>
          <h2>{label}</h2>
          <p class="quiet">{note}</p>
        </>
      )}
      <p role="status">Loading…</p>
      <p role="alert" hidden>
        That didn’t work. Try again, or <a href={address}>open it as a page</a>
      </p>
      <div dir="auto" />
    </aside>
  );
}
