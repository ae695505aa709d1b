import type { App } from "@modelcontextprotocol/ext-apps";
import { useEffect, useState } from "preact/hooks";
import type { AppPage } from "./app-responses.ts";
import { appText } from "./app-text.ts";
import { callTool, readTool } from "./app-tools.client.ts";

/** A version's page: its HTML, or a picture if the chat cannot show the HTML. */
export type ShownPage =
  | { readonly kind: "loading" }
  | { readonly kind: "html"; readonly html: string }
  | {
      readonly kind: "card";
      readonly why: string;
      /** `data:` URL of the picture. @default - there is no picture */
      readonly picture: string | undefined;
    };

/** Loads the page of a version. */
export function usePage(app: App, slug: string, version: number): ShownPage {
  const [page, setPage] = useState<ShownPage>({ kind: "loading" });

  useEffect(() => {
    let isCurrent = true;
    void readPage(app, slug, version).then((read) => isCurrent && setPage(read));
    return () => {
      isCurrent = false;
    };
  }, [app, slug, version]);

  return page;
}

async function readPage(app: App, slug: string, version: number): Promise<ShownPage> {
  const card = async (why: string): Promise<ShownPage> => ({
    kind: "card",
    why,
    picture: await readPicture(app, slug, version).catch(() => undefined),
  });
  try {
    const { html, omitted } = await readTool<AppPage>(app, "page_html", { slug, version });
    if (html !== undefined) return { kind: "html", html };
    return await card(appText.cardOnly[omitted ?? "too_large"]);
  } catch (error) {
    return card(error instanceof Error ? error.message : String(error));
  }
}

async function readPicture(app: App, slug: string, version: number): Promise<string | undefined> {
  const { content } = await callTool(app, "page_picture", { slug, version });
  const image = content.find((block) => block.type === "image");
  return image && `data:${image.mimeType};base64,${image.data}`;
}
