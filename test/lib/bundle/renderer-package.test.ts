import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRenderer } from "../../../lib/bundle/renderer-package.ts";

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "dropleaf-renderer-"));
});
afterEach(() => rmSync(project, { recursive: true }));

/** The stack's package in the project. */
const stack = () => join(project, "node_modules/@dropleaf/stack");
const renderer = () => join(project, "node_modules/@dropleaf/renderer");

function installRenderer(version: string): void {
  mkdirSync(renderer(), { recursive: true });
  const exports = { "./package.json": "./package.json" };
  writeFileSync(join(renderer(), "package.json"), JSON.stringify({ version, exports }));
}

const todo = "Run npm install @dropleaf/renderer@0.2.0, or set renders: false.";

test("without the renderer's package, the command to install the stack's version is named", () => {
  expect(findRenderer(stack(), "0.2.0")).toEqual({ problem: "@dropleaf/renderer is not installed", todo });
});

test("a renderer of another version is not used", () => {
  installRenderer("0.1.0");

  expect(findRenderer(stack(), "0.2.0")).toEqual({
    problem: "@dropleaf/renderer has version 0.1.0, but the stack has version 0.2.0",
    todo,
  });
});

test("the renderer is found beside the stack's package", () => {
  installRenderer("0.2.0");

  expect(findRenderer(stack(), "0.2.0")).toEqual({ directory: renderer() });
});
