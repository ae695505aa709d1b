import { inlineSources, renderDocument } from "../html/document.tsx";
import { LeafMark } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { discoveryText } from "./discovery-text.ts";
import referenceScript from "./reference.client.ts?text";
import referenceStyle from "./reference.css";
import { operationsOf, type ReferenceDocument } from "./reference-document.ts";
import { Fields, Prose, schemaId, Type } from "./reference-fields.tsx";
import { errorId, Operation } from "./reference-operation.tsx";

const words = discoveryText.reference;

/** Inline styles and scripts, allowed by hash. A nonce would not work, because many readers get the same cached page. */
export const referencePageAssets = /* @__PURE__ */ inlineSources({
  style: referenceStyle,
  script: referenceScript,
});

/** Renders `GET /docs`, the API reference for people, from the OpenAPI document; see docs/adr/0061-api-reference-page.md. */
export function renderReferencePage(document: ReferenceDocument): string {
  return renderDocument({
    title: `${words.title} · ${text.product}`,
    description: words.description,
    style: referenceStyle,
    script: referenceScript,
    indexed: true,
    layout: "reference-page",
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
        <div class="columns">
          <Contents document={document} />
          <main>
            <h1>{words.title}</h1>
            <Prose text={document.info.description} />
            {document.tags.map((tag) => (
              <section key={tag.name} id={tag.name}>
                <h2>{tag.name}</h2>
                <Prose text={tag.description} />
                {operationsOf(document, tag.name).map((operation) => (
                  <Operation key={operation.operationId} document={document} operation={operation} />
                ))}
              </section>
            ))}
            <Schemas document={document} />
            <Errors document={document} />
          </main>
        </div>
      </>
    ),
  });
}

/**
 * Table of contents with a filter, which needs JavaScript. Wide screens show the table beside the operations, and narrow screens above
 * them.
 */
function Contents({ document }: { readonly document: ReferenceDocument }) {
  return (
    <nav class="contents" aria-label={words.contents}>
      <p class="scripted">
        <label for="filter">{words.filter}</label>
        <input class="field" id="filter" type="search" autocomplete="off" spellcheck={false} />
        <output id="found" for="filter" data-none={words.noneFound} />
      </p>
      <details open>
        <summary>{words.contents}</summary>
        <ul>
          {document.tags.map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`}>{name}</a>
              <ul>
                {operationsOf(document, name).map(({ operationId, summary }) => (
                  <li key={operationId} data-operation={operationId}>
                    <a href={`#${operationId}`}>{summary}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
          <li>
            <a href="#schemas">{words.schemas}</a>
          </li>
          <li>
            <a href="#errors">{words.errors}</a>
          </li>
        </ul>
      </details>
    </nav>
  );
}

function Schemas({ document }: { readonly document: ReferenceDocument }) {
  return (
    <section id="schemas">
      <h2>{words.schemas}</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <article key={name} id={schemaId(name)}>
          <h3>
            <a href={`#${schemaId(name)}`}>{name}</a>
          </h3>
          {schema.description && <Prose text={schema.description} />}
          {schema.properties ? <Fields schema={schema} /> : <Type schema={schema} />}
        </article>
      ))}
    </section>
  );
}

function Errors({ document }: { readonly document: ReferenceDocument }) {
  return (
    <section id="errors">
      <h2>{words.errors}</h2>
      <dl>
        {Object.entries(document.components.examples).map(([code, { value }]) => (
          <div key={code} id={errorId(code)}>
            <dt>
              <code>{code}</code>
            </dt>
            <dd>
              <Prose text={(value as { readonly error: { readonly message: string } }).error.message} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
