import { createContext, Script } from "node:vm";
import {
  edgeBuiltIns,
  edgeGlobals,
  edgeModules,
  edgeProperties,
  propertiesOfAll,
} from "@dropleaf/local-cloud/cloudfront/edge-built-ins";
import { type AnyNode, type Identifier, type Program, parse } from "acorn";
import { analyze } from "eslint-scope";
import { syntaxFault } from "./edge-syntax.ts";

/** Something in a CloudFront Function's code that its runtime is not documented to have. */
export interface EdgeFault {
  /** Fault, and the remedy. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 0, as source maps count. */
  readonly column: number;
  /** End of the fault in the same line. */
  readonly columnEnd: number;
}

const codeStart = { line: 1, column: 0, columnEnd: 0 };

const loadable = Object.keys(edgeModules).filter((name) => name !== "cloudfront");

/**
 * Everything in the code of a CloudFront Function that the runtime cloudfront-js-2.0 is not documented to have: syntax,
 * global names and their properties, in the order of the code. Empty: AWS takes it.
 */
export function edgeLanguageFaults(code: string): readonly EdgeFault[] {
  const program = parseCode(code);
  if ("message" in program) return [program];
  const faults: EdgeFault[] = [];
  const ownNames = namesOfOwnProperties(program);
  const report = (node: AnyNode, what: string | undefined) => {
    if (what === undefined || !node.loc) return;
    const { start, end } = node.loc;
    const columnEnd = end.line === start.line ? end.column : start.column;
    const message = `the runtime has no such thing as ${what}`;
    faults.push({ message, line: start.line, column: start.column, columnEnd });
  };
  walk(program, [], (node, ancestors) => {
    report(node, syntaxFault(node, ancestors));
    if (node.type === "MemberExpression") report(node, memberFault(node));
    if (node.type === "CallExpression") report(node, callFault(node) ?? unknownMethod(node, ownNames));
  });
  for (const { identifier } of unresolvedNames(program)) {
    if (!edgeGlobals.has(identifier.name)) {
      report(identifier as unknown as AnyNode, `the name ${identifier.name}`);
    }
  }
  if (!declaresHandler(program)) {
    faults.push({ message: "CloudFront calls `function handler(event)`, which is missing", ...codeStart });
  }
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function parseCode(code: string): Program | EdgeFault {
  try {
    // As a module it is strict, which every function is; "Strict mode" of the page.
    return parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true, ranges: true });
  } catch (error) {
    if (!(error instanceof SyntaxError && "loc" in error)) throw error;
    const { line, column } = error.loc as { line: number; column: number };
    return { message: error.message, line, column, columnEnd: column };
  }
}

function walk(
  node: AnyNode,
  ancestors: readonly AnyNode[],
  visit: (node: AnyNode, ancestors: readonly AnyNode[]) => void,
): void {
  visit(node, ancestors);
  const inner = [node, ...ancestors];
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) walk(child, inner, visit);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function declaresHandler({ body }: Program): boolean {
  return body.some((one) => one.type === "FunctionDeclaration" && one.id.name === "handler");
}

function unresolvedNames(program: Program) {
  const scopes = analyze(program as Parameters<typeof analyze>[0], {
    ecmaVersion: 2025,
    sourceType: "module",
  });
  return scopes.globalScope?.through ?? [];
}

/** A method that neither the runtime nor the code itself has; `memberFault` tells of those that other engines have. */
function unknownMethod(
  { callee }: Extract<AnyNode, { type: "CallExpression" }>,
  ownNames: ReadonlySet<string>,
): string | undefined {
  const name = callee.type === "MemberExpression" ? propertyName(callee) : undefined;
  if (name === undefined || callee.type !== "MemberExpression" || memberFault(callee) !== undefined)
    return undefined;
  const isKnown = edgeProperties.has(name) || ownNames.has(name) || ownProperties(callee.object);
  return isKnown ? undefined : `the method ${name}`;
}

/** "CloudFront Functions doesn't support comma syntax, such as console.log('a', 'b')." */
function callFault(node: Extract<AnyNode, { type: "CallExpression" }>): string | undefined {
  const { callee } = node;
  const [first] = node.arguments;
  if (isNamed(callee, "require") && !(first?.type === "Literal" && loadable.includes(String(first.value))))
    return `any module to load but ${loadable.join(" and ")}`;
  if (callee.type !== "MemberExpression") return undefined;
  const name = propertyName(callee);
  if (name === "log" && isNamed(callee.object, "console") && node.arguments.length !== 1)
    return "console.log of several values: join them to one";
  if (name === "create" && isNamed(callee.object, "Object") && node.arguments.length !== 1)
    return "Object.create with a list of properties: assign them";
  return undefined;
}

/** Refuses properties that the built-in object does not have. */
function memberFault(node: Extract<AnyNode, { type: "MemberExpression" }>): string | undefined {
  const name = propertyName(node);
  if (name === undefined) return undefined;
  const own = ownProperties(node.object);
  if (own) {
    const isThere = own.includes(name) || propertiesOfAll.includes(name);
    return isThere ? undefined : `${(node.object as Identifier).name}.${name}: it has ${own.join(", ")}`;
  }
  return builtInNames().has(name) && !edgeProperties.has(name)
    ? `the property ${name} of anything built in. Where it is your own, give it another name`
    : undefined;
}

/** Own properties of the built-in object of this name; undefined for an unknown object. */
function ownProperties(object: AnyNode): readonly string[] | undefined {
  if (object.type !== "Identifier") return undefined;
  return object.name === "cf" ? edgeModules.cloudfront : edgeBuiltIns[object.name]?.own;
}

function propertyName({
  property,
  computed,
}: Extract<AnyNode, { type: "MemberExpression" }>): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

/** Names that the code gives to properties of its own objects. */
function namesOfOwnProperties(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  walk(program, [], (node) => {
    if (node.type === "Property" && node.key.type === "Identifier") names.add(node.key.name);
    if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
      names.add(propertyName(node.left) ?? "");
    }
  });
  return names;
}

let knownNames: ReadonlySet<string> | undefined;

/** Own property names of built-in objects in this engine, which would be mistaken for the runtime's. */
function builtInNames(): ReadonlySet<string> {
  knownNames ??= new Set(
    JSON.parse(
      new Script(`JSON.stringify(Object.getOwnPropertyNames(globalThis).concat("TypedArray").flatMap((name) => {
        const one = name === "TypedArray" ? Object.getPrototypeOf(Int8Array) : globalThis[name];
        return typeof one === "function" && one.prototype ? Object.getOwnPropertyNames(one.prototype) : [];
      }))`).runInContext(createContext({})) as string,
    ) as string[],
  );
  return knownNames;
}
