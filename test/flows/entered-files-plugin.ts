import { relative, resolve } from "node:path";
import { type Node, parse } from "acorn";
import type { Plugin } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

/**
 * Makes each function below `functions/` first call `dropleafEnter(file)` with its file relative to the project. V8's
 * coverage has the same files, but not the order in which a call enters them.
 */
export function enteredFilesPlugin(): Plugin {
  return {
    name: "entered-files",
    enforce: "post",
    transform(code, id) {
      const file = relative(root, id.split("?")[0] ?? id);
      return /^functions\/.*\.tsx?$/.test(file) ? instrument(code, file) : undefined;
    },
  };
}

function instrument(code: string, file: string): string {
  const call = `globalThis.dropleafEnter?.(${JSON.stringify(file)})`;
  const inserted: { readonly at: number; readonly text: string }[] = [];
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (!node.type.includes("Function")) return;
    const { body } = node as Node & { readonly body: Node };
    if (body.type === "BlockStatement") inserted.push({ at: body.start + 1, text: `${call};` });
    else inserted.push({ at: body.start, text: `(${call}, (` }, { at: body.end, text: "))" });
  });
  let instrumented = code;
  for (const { at, text } of inserted.toSorted((one, other) => other.at - one.at))
    instrumented = instrumented.slice(0, at) + text + instrumented.slice(at);
  return instrumented;
}

function visit(node: Node, act: (node: Node) => void): void {
  act(node);
  for (const value of Object.values(node).flat()) {
    if (typeof value === "object" && value !== null && "type" in value) visit(value as Node, act);
  }
}
