/** Parts of an OpenAPI 3.1 document from `describeApi` that the reference page shows. */
export interface ReferenceDocument {
  readonly info: { readonly description: string };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ReferenceSchema>>;
    readonly responses: Readonly<Record<string, ReferenceResponse>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface Server {
  readonly url: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

/** Operation Object of OpenAPI. */
interface ReferenceOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly servers?: readonly Server[];
  /** Security requirements. Empty if the call needs no token. @default - the call needs a token */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ReferenceParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ListedResponse>>;
}

/** Parameter Object of OpenAPI. */
interface ReferenceParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: ReferenceSchema;
  readonly example?: unknown;
}

/** Response Object of OpenAPI. */
interface ReferenceResponse {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, MediaType>>;

/** Media Type Object of OpenAPI. */
export interface MediaType {
  readonly schema?: ReferenceSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** A response of an operation, or a reference to a shared response. */
export type ListedResponse = ReferenceResponse | { readonly $ref: string };

/** Schema Object of OpenAPI (JSON Schema 2020-12). */
export interface ReferenceSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ReferenceSchema>>;
  readonly required?: readonly string[];
  readonly items?: ReferenceSchema;
  readonly allOf?: readonly ReferenceSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** An operation with its method and path. */
export interface PlacedOperation extends ReferenceOperation {
  readonly method: string;
  readonly path: string;
}

/** Operations that most callers need, in the usual order of calls. */
const firstOperations = ["publish-drop", "get-drop", "publish-version"];

/** Lists a tag's operations: the most common ones first, then the others in the document's order. */
export function operationsOf({ paths }: ReferenceDocument, tag: string): readonly PlacedOperation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const rank = ({ operationId }: PlacedOperation) => {
    const at = firstOperations.indexOf(operationId);
    return at < 0 ? firstOperations.length : at;
  };
  return operations.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the last segment of a reference, which is the name of its target. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
