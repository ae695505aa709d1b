import { discoveryText } from "./discovery-text.ts";
import { nameOf, type ReferenceSchema } from "./reference-document.ts";

const words = discoveryText.reference;

/** Renders a description as paragraphs. Marks up `code` and links. */
export function Prose({ text: written = "" }: { readonly text?: string | undefined }) {
  return (
    <>
      {written.split("\n\n").map((paragraph) => (
        <p key={paragraph}>{paragraph.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map(toElement)}</p>
      ))}
    </>
  );
}

function toElement(part: string) {
  const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
  if (link) return <a href={link[2]}>{link[1]}</a>;
  return part.startsWith("`") && part.length > 2 ? <code>{part.slice(1, -1)}</code> : part;
}

interface NamedProps {
  readonly name: string;
  readonly schema: ReferenceSchema;
  readonly isRequired: boolean;
  /** Description of the parameter or field. @default - the schema's description */
  readonly description?: string | undefined;
}

/** Entry for a parameter or a field, with its name, type and description. */
export function Named({ name, schema, isRequired, description = schema.description }: NamedProps) {
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined;
  return (
    <div>
      <dt>
        <code>{name}</code> <Type schema={schema} />
        {isRequired && <em> {words.required}</em>}
      </dt>
      <dd>
        {description && <Prose text={description} />}
        {inner && (
          <details>
            <summary>{words.fieldsOf(name)}</summary>
            <Fields schema={inner} />
          </details>
        )}
      </dd>
    </div>
  );
}

/** List of an object's fields. */
export function Fields({ schema }: { readonly schema: ReferenceSchema }) {
  const { properties = {}, required = [] } = schema;
  return (
    <dl>
      {Object.entries(properties).map(([name, field]) => (
        <Named key={name} name={name} schema={field} isRequired={required.includes(name)} />
      ))}
    </dl>
  );
}

/** Shows the type of a value, or a link to its schema. */
export function Type({ schema }: { readonly schema: ReferenceSchema }) {
  const { $ref, allOf, items, type, format } = schema;
  if ($ref !== undefined) return <SchemaLink name={nameOf($ref)} />;
  if (allOf !== undefined)
    return (
      <>
        {allOf.map((one, index) => (
          <>
            {index > 0 && " + "}
            <Type schema={one} />
          </>
        ))}
      </>
    );
  if (items !== undefined)
    return (
      <>
        {words.listOf} <Type schema={items} />
      </>
    );
  const kinds = [type ?? []].flat().join(words.or);
  return <span class="quiet">{[kinds, format, rangeOf(schema)].filter(Boolean).join(", ")}</span>;
}

function SchemaLink({ name }: { readonly name: string }) {
  return <a href={`#${schemaId(name)}`}>{name}</a>;
}

/** Returns the id of a schema's element on the page. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

function rangeOf(schema: ReferenceSchema): string {
  const { enum: choice, const: only, minimum, maximum, default: ifAbsent } = schema;
  const listed = choice ?? (only === undefined ? [] : [only]);
  return [
    listed.map((one) => JSON.stringify(one)).join(words.or),
    minimum === undefined ? "" : words.from(minimum),
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : words.upTo(maximum),
    ifAbsent === undefined ? "" : words.ifAbsent(String(ifAbsent)),
  ]
    .filter(Boolean)
    .join(", ");
}
