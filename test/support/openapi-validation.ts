import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OperationId } from "../../functions/routes.ts";
import { fetchPage, type ReceivedResponse } from "./http.ts";

/** Any part of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: the document is validated against the OpenAPI schema itself.
export type Described = any;

const methods = ["get", "post", "put", "patch", "delete"];

/** An OpenAPI document, against which real requests and responses are checked. */
export class ApiDescription {
  readonly document: Described;
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
  readonly #operations: ReadonlyMap<string, Described>;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Described) {
    this.document = document;
    // CommonJS: Node.js gives the whole module as the default export.
    (addFormats as unknown as { default: typeof addFormats.default }).default(this.#ajv);
    this.#ajv.addSchema(document, "openapi");
    this.#operations = new Map(
      Object.entries<Described>(document.paths).flatMap(([path, item]) =>
        methods
          .filter((method) => method in item)
          .map((method) => [
            item[method].operationId,
            { ...item[method], method: method.toUpperCase(), path },
          ]),
      ),
    );
  }

  /** Every operation with its method and path, by its id. */
  get operations(): ReadonlyMap<string, Described> {
    return this.#operations;
  }

  /** The operation with this id. */
  operation(id: string): Described {
    const found = this.#operations.get(id);
    if (found === undefined) throw new Error(`The OpenAPI document has no operation ${id}.`);
    return found;
  }

  /** Resolves a reference. */
  resolve(part: Described): Described {
    return typeof part?.$ref === "string" ? this.resolve(this.at(part.$ref)) : part;
  }

  /** Returns the part at a reference such as `#/components/schemas/Drop`. Throws if it is missing. */
  at(reference: string): Described {
    const names = reference
      .slice(2)
      .split("/")
      .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));
    return names.reduce((part: Described, name) => {
      if (part?.[name] === undefined) throw new Error(`${reference} leads to nothing.`);
      return part[name];
    }, this.document);
  }

  /** Describes in one line how a value violates a schema; undefined for a valid value. */
  problemOf(schema: Described, value: unknown): string | undefined {
    const validate = this.#compile(schema);
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /**
   * @throws Error when the operation does not describe the response's status, type, body, code or headers
   */
  requireDescribed(id: string, answer: ReceivedResponse): void {
    const problem = this.#answerProblem(this.operation(id), answer);
    if (problem === undefined) return;
    throw new Error(`${id} answered ${answer.status}, but ${problem}: ${answer.text.slice(0, 300)}`);
  }

  #answerProblem({ responses }: Described, answer: ReceivedResponse): string | undefined {
    const response = this.resolve(responses[answer.status]);
    if (response === undefined) return "the OpenAPI document has no such status here";
    const headers = Object.entries<Described>(response.headers ?? {}).flatMap(([name, header]) => {
      const problem = this.#headerProblem(this.resolve(header), answer.headers[name.toLowerCase()]);
      return problem === undefined ? [] : [`the header ${name} ${problem}`];
    });
    return headers[0] ?? this.#bodyProblem(response.content, answer);
  }

  #bodyProblem(contents: Described, { text, headers }: ReceivedResponse): string | undefined {
    if (contents === undefined) return text === "" ? undefined : "the OpenAPI document has no body here";
    const type = (headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
    const content = contents[type] ?? contents[type.replace(/\/.*/, "/*")];
    if (content === undefined) {
      return "*/*" in contents ? undefined : `the OpenAPI document has no ${JSON.stringify(type)} here`;
    }
    if (!/[/+]json$/.test(type)) return undefined;
    const body: Described = JSON.parse(text);
    const problem = this.problemOf(content.schema, body);
    if (problem !== undefined || body.error === undefined) return problem;
    // The examples of an error response are its codes.
    return body.error.code in content.examples
      ? undefined
      : "the OpenAPI document does not name this code here";
  }

  #headerProblem(header: Described, value: string | undefined): string | undefined {
    if (value === undefined) return header.required ? "is missing" : undefined;
    return this.problemOf(header.schema, header.schema.type === "integer" ? Number(value) : value);
  }

  /** Compiles a schema as part of the document, so that its references resolve. */
  #compile(schema: Described): ValidateFunction {
    const key = JSON.stringify(schema);
    const found = this.#compiled.get(key);
    if (found !== undefined) return found;
    const isReference = typeof schema.$ref === "string";
    const validate = this.#ajv.compile(
      isReference ? { $ref: `openapi${schema.$ref}` } : withAbsoluteReferences(schema),
    );
    this.#compiled.set(key, validate);
    return validate;
  }
}

let served: Promise<ApiDescription> | undefined;

/** Fetches the OpenAPI document of the service under test, once in a test file. */
export function servedDescription(): Promise<ApiDescription> {
  served ??= fetchPage("/openapi.json").then(({ text }) => new ApiDescription(JSON.parse(text)));
  return served;
}

/** Checks a real response against the operation's description in the served document. */
export async function requireDescribed(id: OperationId, answer: ReceivedResponse): Promise<void> {
  (await servedDescription()).requireDescribed(id, answer);
}

function withAbsoluteReferences(schema: Described): Described {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "$ref" && typeof value === "string" ? `openapi${value}` : value,
  );
}
