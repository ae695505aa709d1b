import type { AnyNode, Function as FunctionNode } from "acorn";

/** Why a node is refused; undefined where it is in the language. */
type Rule<Type extends AnyNode["type"]> = (
  node: Extract<AnyNode, { type: Type }>,
  /** From the node's parent to the program. */
  ancestors: readonly AnyNode[],
) => string | undefined;

const inLanguage = () => undefined;

const byName = "take each value by its name, as in `const host = headers.host`";

/**
 * Every kind of syntax that is in the language: CloudFront developer guide, "JavaScript runtime 2.0 features for CloudFront
 * Functions". That page names what is supported beyond ECMAScript 5.1, so that a kind of node without a row is refused,
 * one that no engine has yet too.
 */
const rules: { readonly [Type in AnyNode["type"]]?: Rule<Type> } = {
  Program: inLanguage,
  ImportDeclaration: ({ source, specifiers }) =>
    source.value === "cloudfront" &&
    specifiers[0]?.type === "ImportDefaultSpecifier" &&
    specifiers.length === 1
      ? undefined
      : 'any import but `import cf from "cloudfront"`: load `crypto` and `querystring` by require()',
  ImportDefaultSpecifier: inLanguage,
  EmptyStatement: inLanguage,
  ExpressionStatement: inLanguage,
  BlockStatement: inLanguage,
  BreakStatement: inLanguage,
  CatchClause: ({ param }) => (param === null ? "a catch without its (error)" : undefined),
  ContinueStatement: inLanguage,
  DoWhileStatement: inLanguage,
  ForInStatement: inLanguage,
  ForStatement: inLanguage,
  IfStatement: inLanguage,
  LabeledStatement: inLanguage,
  ReturnStatement: inLanguage,
  SwitchCase: inLanguage,
  SwitchStatement: inLanguage,
  ThrowStatement: inLanguage,
  TryStatement: inLanguage,
  WhileStatement: inLanguage,
  VariableDeclaration: ({ kind }) =>
    ["var", "let", "const"].includes(kind) ? undefined : `a \`${kind}\` declaration`,
  VariableDeclarator: inLanguage,
  FunctionDeclaration: (node, [parent, grandparent]) => {
    const isInBlock = parent?.type === "BlockStatement" && !(grandparent && isFunction(grandparent));
    if (isInBlock || parent?.type === "SwitchCase")
      return "a function declared in a block: declare it in the program or in a function's body";
    // "async arguments and closures are not supported."
    if (node.async && parent?.type !== "Program")
      return "an async function in another one: move it to the top";
    return generator(node);
  },
  FunctionExpression: (node) => asyncExpression(node) ?? generator(node),
  ArrowFunctionExpression: (node) => asyncExpression(node),
  RestElement: ({ argument }, [parent]) =>
    parent && isFunction(parent) && argument.type === "Identifier" ? undefined : `destructuring: ${byName}`,
  ArrayExpression: inLanguage,
  AssignmentExpression: ({ operator }) => operatorFault(operator, assignmentOperators),
  AwaitExpression: (node, ancestors) => {
    const inside = ancestors.findIndex(isFunction);
    if (inside === -1) return "await outside of an async function";
    const isArgument = ancestors
      .slice(0, inside)
      .some(
        (one, index) =>
          (one.type === "CallExpression" || one.type === "NewExpression") &&
          one.callee !== (ancestors[index - 1] ?? node),
      );
    return isArgument ? "await in an argument: give the value a name first" : undefined;
  },
  BinaryExpression: ({ operator }) => operatorFault(operator, binaryOperators),
  CallExpression: inLanguage,
  ConditionalExpression: inLanguage,
  Identifier: inLanguage,
  Literal: (node) => {
    if (node.bigint != null) return "a BigInt";
    if (node.regex) return regExpFault(node.regex);
    if (typeof node.value === "number" && /^0[box]/i.test(node.raw ?? ""))
      return /^0x/i.test(node.raw ?? "") ? undefined : "a binary or octal number";
    return codePointEscape(node.raw ?? "");
  },
  LogicalExpression: ({ operator }) => operatorFault(operator, ["||", "&&"]),
  MemberExpression: inLanguage,
  NewExpression: inLanguage,
  ObjectExpression: inLanguage,
  Property: ({ shorthand, method, computed }, [parent]) => {
    if (parent?.type === "ObjectPattern") return undefined;
    if (shorthand) return "a shorthand property: write `{ name: name }`";
    if (method) return "a shorthand method: write `{ name: function () {} }`";
    return computed ? "a computed property: assign it, as in `object[name] = value`" : undefined;
  },
  SequenceExpression: inLanguage,
  TemplateElement: ({ value }) => codePointEscape(value.raw),
  TemplateLiteral: inLanguage,
  ThisExpression: inLanguage,
  UnaryExpression: inLanguage,
  UpdateExpression: inLanguage,
};

/** Refused syntax by node type, with its name and the remedy. */
const refused: { readonly [Type in AnyNode["type"]]?: string } = {
  ArrayPattern: "destructuring: take each element by its index, as in `const first = list[0]`",
  AssignmentPattern: "a default value: write `if (value === undefined) value = …`",
  ChainExpression: "optional chaining (?.): write `a ? a.b : undefined`",
  ClassDeclaration: "a class: use functions and objects",
  ClassExpression: "a class: use functions and objects",
  DebuggerStatement: "a debugger statement",
  ExportAllDeclaration: "export: CloudFront finds `function handler` by its name",
  ExportDefaultDeclaration: "export: CloudFront finds `function handler` by its name",
  ExportNamedDeclaration: "export: CloudFront finds `function handler` by its name",
  ForOfStatement: "for-of: use `list.forEach(…)` or a for with an index",
  ImportExpression: "import(): load `crypto` and `querystring` by require()",
  MetaProperty: "new.target or import.meta",
  ObjectPattern: `destructuring: ${byName}`,
  SpreadElement: "spread (...): use `concat`, `Object.assign` or `apply`",
  TaggedTemplateExpression: "a tagged template: call the function",
  YieldExpression: "a generator: collect the values in an array",
};

const binaryOperators = "== != === !== < <= > >= << >> >>> + - * / % | ^ & in instanceof **".split(" ");
const assignmentOperators = "= += -= *= /= %= <<= >>= >>>= |= ^= &=".split(" ");

/** Fault of a node outside of the language of CloudFront Functions; undefined for an allowed one. */
export function syntaxFault(node: AnyNode, ancestors: readonly AnyNode[]): string | undefined {
  const rule = rules[node.type] as Rule<AnyNode["type"]> | undefined;
  return rule ? rule(node, ancestors) : (refused[node.type] ?? `a ${node.type}`);
}

function isFunction(node: AnyNode): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function generator(node: FunctionNode): string | undefined {
  return node.generator ? refused.YieldExpression : undefined;
}

function asyncExpression(node: FunctionNode): string | undefined {
  return node.async
    ? "an async function without a declaration of its own: `async function name() {}`"
    : undefined;
}

function operatorFault(operator: string, operators: readonly string[]): string | undefined {
  return operators.includes(operator) ? undefined : `the operator ${operator}`;
}

/** "Unicode code point escape sequences of six characters (for example, \uXXXX) are also supported." */
function codePointEscape(raw: string): string | undefined {
  return raw.replaceAll("\\\\", "").includes("\\u{") ? "the escape \\u{…}: write \\uXXXX" : undefined;
}

/** "All ES 5.1 regular expression features", the flag `y`, and "ES 9 named capture groups". */
function regExpFault({ pattern, flags }: { pattern: string; flags: string }): string | undefined {
  const flag = /[^gimy]/.exec(flags)?.[0];
  if (flag !== undefined) return `the flag ${flag} of regular expressions`;
  const withoutClasses = pattern.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
  return /\(\?(?![:=!]|<[^=!])/.test(withoutClasses)
    ? "this kind of group in regular expressions: there are (…), (?:…), (?=…), (?!…) and (?<name>…)"
    : undefined;
}
