import { runInNewContext } from "node:vm";
import {
  edgeBuiltIns,
  edgeGlobals,
  edgeModules,
  edgeProperties,
  propertiesOfAll,
} from "@dropleaf/local-cloud/cloudfront/edge-built-ins";
import type { Rule } from "eslint";
import { Linter } from "eslint/universal";
import esX from "eslint-plugin-es-x";

/** Unsupported code in a CloudFront Function. */
export interface EdgeFault {
  readonly message: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 0 as in source maps. */
  readonly column: number;
  /** Column after the end of the fault, in the same line. */
  readonly columnEnd: number;
}

type MemberExpression = Parameters<NonNullable<Rule.NodeListener["MemberExpression"]>>[0];

/** Rules of eslint-plugin-es-x for syntax since ES2015 that the runtime does not support. */
const refusedSyntax = [
  "no-bigint",
  "no-binary-numeric-literals",
  "no-block-scoped-functions",
  "no-classes",
  "no-computed-properties",
  "no-default-parameters",
  "no-destructuring",
  "no-dynamic-import",
  "no-for-of-loops",
  "no-generators",
  "no-import-meta",
  "no-logical-assignment-operators",
  "no-new-target",
  "no-nullish-coalescing-operators",
  "no-octal-numeric-literals",
  "no-optional-catch-binding",
  "no-optional-chaining",
  "no-property-shorthands",
  "no-regexp-lookbehind-assertions",
  "no-regexp-s-flag",
  "no-regexp-u-flag",
  "no-rest-spread-properties",
  "no-spread-elements",
  "no-unicode-codepoint-escapes",
];

const loadable = Object.keys(edgeModules).filter((name) => name !== "cloudfront");

/** Restrictions of the runtime that are not part of any ECMAScript edition, as syntax tree selectors. */
const refusedNodes: readonly (readonly [selector: string, message: string])[] = [
  [
    "Program:not(:has(> FunctionDeclaration[id.name='handler']))",
    "CloudFront calls `function handler(event)`, which is missing",
  ],
  [
    "ImportDeclaration:not([source.value='cloudfront'][specifiers.length=1]:has(ImportDefaultSpecifier))",
    'the only import is `import cf from "cloudfront"`: load `crypto` and `querystring` with require()',
  ],
  [
    ":matches(ExportAllDeclaration, ExportDefaultDeclaration, ExportNamedDeclaration)",
    "export is not supported: CloudFront finds `function handler` by its name",
  ],
  [
    ":matches(ArrowFunctionExpression, FunctionExpression)[async=true]",
    "an async function must be a declaration: `async function name() {}`",
  ],
  [
    ":function FunctionDeclaration[async=true]",
    "an async function must not be inside another function: move it to the top level",
  ],
  [
    ":matches(CallExpression, NewExpression) > .arguments:matches(AwaitExpression, :has(AwaitExpression))",
    "await is not supported in an argument: assign the value to a variable first",
  ],
  ["AssignmentExpression[operator='**=']", "the operator **= is not supported"],
  ["TaggedTemplateExpression", "a tagged template is not supported: call the function"],
  ["DebuggerStatement", "a debugger statement is not supported"],
  [
    "CallExpression[callee.object.name='console'][callee.property.name='log'][arguments.length!=1]",
    "console.log accepts one value: join several values into one",
  ],
  [
    "CallExpression[callee.object.name='Object'][callee.property.name='create'][arguments.length!=1]",
    "Object.create accepts no property descriptors: assign the properties",
  ],
  [
    `CallExpression[callee.name='require']:not([arguments.0.value=/^(${loadable.join("|")})$/])`,
    `require() loads only ${loadable.join(" and ")}`,
  ],
];

/** Property names of the ECMAScript built-ins in this engine. A new context has only these built-ins, without Node's own such as `URL`. */
const builtInNames = new Set<string>(
  runInNewContext(`Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const { prototype } = globalThis[name] ?? {};
    return prototype ? Object.getOwnPropertyNames(prototype) : [];
  }).concat(Object.getOwnPropertyNames(Object.getPrototypeOf(Int8Array.prototype)))`),
);

/** Refuses built-in properties and methods that the runtime does not have, unless the code defines them. */
const membersRule: Rule.RuleModule = {
  create(context) {
    const ownNames = new Set<string>();
    const calls: MemberExpression[] = [];
    const report = (node: Rule.Node, what: string) =>
      context.report({ node, message: `the runtime does not support ${what}` });
    return {
      "Property > Identifier.key": ({ name }: { readonly name: string }) => void ownNames.add(name),
      "AssignmentExpression > MemberExpression.left": (node: MemberExpression) =>
        void ownNames.add(propertyName(node) ?? ""),
      "CallExpression > MemberExpression.callee": (node: MemberExpression) => void calls.push(node),
      MemberExpression(node) {
        const name = propertyName(node);
        const own = ownProperties(node);
        if (name === undefined) return;
        if (own !== undefined) {
          const isKnown = own.includes(name) || propertiesOfAll.includes(name);
          if (!isKnown)
            report(node, `${context.sourceCode.getText(node.object)}.${name}, only ${own.join(", ")}`);
        } else if (builtInNames.has(name) && !edgeProperties.has(name)) {
          report(
            node,
            `the property ${name}. If it is a property of one of your own objects, rename the property`,
          );
        }
      },
      "Program:exit"() {
        const known = [edgeProperties, builtInNames, ownNames];
        for (const node of calls) {
          const name = propertyName(node);
          if (name === undefined || ownProperties(node) !== undefined) continue;
          if (!known.some((names) => names.has(name))) report(node, `the method ${name}`);
        }
      },
    };
  },
};

/** Returns the own properties of the built-in object that is accessed, such as `Object` in `Object.keys`. */
function ownProperties({ object }: MemberExpression): readonly string[] | undefined {
  if (object.type !== "Identifier") return undefined;
  return object.name === "cf" ? edgeModules.cloudfront : edgeBuiltIns[object.name]?.own;
}

function propertyName({ property, computed }: MemberExpression): string | undefined {
  if (property.type === "Identifier") return computed ? undefined : property.name;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

const globalsOfEngine: string[] = runInNewContext("Object.getOwnPropertyNames(globalThis)");

const config: Linter.Config = {
  languageOptions: {
    // Module code is strict, like code in the runtime. Syntax of later editions is a parsing error.
    sourceType: "module",
    ecmaVersion: 2021,
    globals: {
      ...Object.fromEntries(globalsOfEngine.map((name) => [name, "off"])),
      ...Object.fromEntries([...edgeGlobals].map((name) => [name, "readonly"])),
    },
  },
  linterOptions: { noInlineConfig: true },
  plugins: { "es-x": esX, edge: { rules: { members: membersRule } } },
  rules: {
    ...Object.fromEntries(refusedSyntax.map((name) => [`es-x/${name}`, "error"])),
    "edge/members": "error",
    "no-restricted-syntax": ["error", ...refusedNodes.map(([selector, message]) => ({ selector, message }))],
    "no-undef": ["error", { typeof: true }],
  },
};

/**
 * Finds all code in a CloudFront Function that runtime 2.0 does not support, in source order; see "JavaScript runtime 2.0 features for
 * CloudFront Functions", CloudFront developer guide.
 */
export function edgeLanguageFaults(code: string): readonly EdgeFault[] {
  const faults = new Linter().verify(code, config).filter(({ severity }) => severity === 2);
  return faults.map(({ message, line, column, endLine, endColumn }) => ({
    message,
    line,
    column: column - 1,
    columnEnd: endLine === line && endColumn !== undefined ? endColumn - 1 : column - 1,
  }));
}
