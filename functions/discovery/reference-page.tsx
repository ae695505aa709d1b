import { renderDocument } from "../platform/html/document.tsx";
import { LeafMark } from "../platform/html/icons.tsx";
import { text } from "../platform/html/text.ts";
import referenceScript from "./reference.client.ts?text";
import referenceStyle from "./reference.css";

/** What the reference page is drawn with. */
interface ReferencePageProps {
  /** Where Swagger UI's script is. */
  readonly scriptUrl: string;
  /** Where Swagger UI's style is. */
  readonly styleUrl: string;
  readonly nonce: string;
}

/** `GET /docs`: the interface for people. Without scripts it says where else it is told. */
export function renderReferencePage({ scriptUrl, styleUrl, nonce }: ReferencePageProps): string {
  const words = text.reference;
  return renderDocument({
    title: `${words.title} · ${text.product}`,
    description: words.description,
    nonce,
    style: referenceStyle,
    script: referenceScript,
    indexed: true,
    layout: "reference-page",
    head: <link rel="stylesheet" href={styleUrl} nonce={nonce} />,
    children: (
      <>
        <header>
          <a class="brand" href="/">
            <LeafMark />
            {text.product}
          </a>
          <nav aria-label={words.otherForms}>
            <a href="/llms.txt">{words.guide}</a>
            <a href="/openapi.json">{words.openApi}</a>
          </nav>
        </header>
        <main>
          <h1>{words.title}</h1>
          <div id="reference" />
          <noscript>
            <p>{words.noScript}</p>
          </noscript>
        </main>
        <script src={scriptUrl} nonce={nonce} />
      </>
    ),
  });
}
