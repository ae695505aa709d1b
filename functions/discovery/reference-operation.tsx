import { curlExample } from "./curl-example.ts";
import { discoveryText } from "./discovery-text.ts";
import type { ListedResponse, MediaType, PlacedOperation, ReferenceDocument } from "./reference-document.ts";
import { nameOf } from "./reference-document.ts";
import { Fields, Named, Prose, Type } from "./reference-fields.tsx";

const words = discoveryText.reference;

interface OperationProps {
  readonly document: ReferenceDocument;
  readonly operation: PlacedOperation;
}

/** Article about an operation: its purpose, parameters, responses and an example call. */
export function Operation({ document, operation }: OperationProps) {
  const { operationId, method, path, summary, description, security } = operation;
  return (
    <article id={operationId}>
      <h3>
        <a href={`#${operationId}`}>{summary}</a>
      </h3>
      <p class="call">
        <b class="method">{method}</b> <code>{path}</code>
      </p>
      {description && <Prose text={description} />}
      <p class="quiet">{security === undefined ? words.withToken : words.withoutToken}</p>
      <Parameters operation={operation} />
      <Body document={document} operation={operation} />
      <Responses document={document} operation={operation} />
      <pre>
        <code>{curlExample(document, operation)}</code>
      </pre>
    </article>
  );
}

function Parameters({ operation: { parameters = [] } }: Pick<OperationProps, "operation">) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>{words.parameters}</h4>
      <dl>
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <Named
            key={place + name}
            name={name === "metadata" && schema.type === "object" ? "metadata.<key>" : name}
            schema={{ ...schema, format: words.places[place] }}
            isRequired={required}
            description={description}
          />
        ))}
      </dl>
    </>
  );
}

function Body({ document, operation: { requestBody } }: OperationProps) {
  if (requestBody === undefined) return null;
  const media = Object.entries(requestBody.content);
  return (
    <>
      <h4>{words.body}</h4>
      {media.map(([type, { schema }]) => (
        <Sent key={type} document={document} type={type} schema={schema} />
      ))}
    </>
  );
}

function Sent({ document, type, schema }: { document: ReferenceDocument; type: string } & MediaType) {
  const named = schema?.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)];
  return (
    <>
      <p>
        <code>{type}</code>
      </p>
      {named?.properties && <Fields schema={named} />}
    </>
  );
}

function Responses({ document, operation: { responses } }: OperationProps) {
  return (
    <>
      <h4>{words.responses}</h4>
      <ul class="responses">
        {Object.entries(responses).map(([status, response]) => (
          <li key={status}>
            <b>{status}</b> <Response document={document} listed={response} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Describes a response. Lists the codes of an error, and links to the schema of a successful response. */
function Response({ document, listed }: { document: ReferenceDocument; listed: ListedResponse }) {
  const response = "$ref" in listed ? document.components.responses[nameOf(listed.$ref)] : listed;
  const media = Object.entries(response?.content ?? {});
  const codes = [...new Set(media.flatMap(([, { examples = {} }]) => Object.keys(examples)))].filter(
    (code) => code in document.components.examples,
  );
  if (codes.length > 0)
    return (
      <>
        {codes.map((code, index) => (
          <>
            {index > 0 && ", "}
            <a href={`#${errorId(code)}`}>
              <code>{code}</code>
            </a>
          </>
        ))}
      </>
    );
  const [type, { schema } = {}] = media[0] ?? [];
  return (
    <>
      <Prose text={response?.description} />{" "}
      {type && (
        <p>
          <code>{type}</code> {schema && (schema.$ref || schema.allOf) && <Type schema={schema} />}
        </p>
      )}
    </>
  );
}

/** Returns the id of an error's element on the page. */
export function errorId(code: string): string {
  return `error-${code}`;
}
