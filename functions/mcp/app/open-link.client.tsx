import type { App } from "@modelcontextprotocol/ext-apps";
import { useState } from "preact/hooks";
import { appText } from "./app-text.ts";

/** Link that opens the page through the host. */
export function OpenLink({ app, url }: { readonly app: App; readonly url: string }) {
  const [isRefused, setIsRefused] = useState(false);
  const open = async (event: Event) => {
    event.preventDefault();
    const isOpen = await app.openLink({ url }).then(
      ({ isError }) => !isError,
      () => false,
    );
    setIsRefused(!isOpen);
  };
  return (
    <>
      <a class="open" href={url} onClick={open}>
        {appText.open}
      </a>
      {isRefused && (
        <p class="refused" role="alert">
          {appText.notOpened} <bdi class="address">{url}</bdi>
        </p>
      )}
    </>
  );
}
