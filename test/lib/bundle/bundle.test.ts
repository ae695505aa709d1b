import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mapFileOf, readBuildId } from "../../../lib/bundle/build-id.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-bundle-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function givenSource(name: string, code: string) {
  const file = join(directory, `${name}.ts`);
  writeFileSync(file, code);
  return { id: name, file, exportName: "sayHello" };
}

describe("bundling functions", () => {
  test("creates a folder for each function, with one file that runs on its own", async () => {
    writeFileSync(join(directory, "greeting.ts"), 'export const greeting: string = "hello";');
    const source = givenSource(
      "say-hello",
      'import { greeting } from "./greeting.ts"; export const sayHello = () => greeting;',
    );

    const bundles = await bundleFunctions([source], join(directory, "out"));

    const folder = join(bundles.directory, "say-hello");
    const { sayHello } = await import(pathToFileURL(join(folder, "index.mjs")).href);
    expect(sayHello()).toBe("hello");
    expect(readdirSync(folder)).toEqual(["index.mjs"]);
  });

  test("loads only the Node modules in use, so no undici with node:http", async () => {
    const source = givenSource(
      "say-hello",
      'import { request } from "node:http"; import { spawn } from "node:child_process";' +
        "export const sayHello = () => typeof request; export const later = () => spawn;",
    );
    const { directory: functions } = await bundleFunctions([source], join(directory, "out"));
    const program = `
      const { sayHello } = await import(process.argv[1]);
      console.log(sayHello(), process.moduleLoadList.filter((name) => /undici/.test(name)).length);`;
    const bundle = pathToFileURL(join(functions, "say-hello/index.mjs")).href;

    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      program,
      bundle,
    ]);

    expect(stdout).toBe("function 0\n");
  });

  test("keeps source maps out of the uploaded folder", async () => {
    const source = givenSource("say-hello", "export const sayHello = () => 1;");

    await bundleFunctions([source], join(directory, "out"), { hasMaps: true });

    const build = readBuildId(readFileSync(join(directory, "out/say-hello/index.mjs"), "utf8")) ?? "";
    expect(existsSync(mapFileOf(join(directory, "out"), build))).toBe(true);
  });

  test("adds a build id that is the same for the same code, whatever the folder and the commit", async () => {
    const source = givenSource("say-hello", "export const sayHello = () => 1;");
    const other = { ...givenSource("other", "export const sayHello = () => 2;"), id: "say-hello" };
    const buildOf = async (name: string, commit: string | undefined, of = source) => {
      const { directory: functions } = await bundleFunctions([of], join(directory, name), { commit });
      return readBuildId(readFileSync(join(functions, "say-hello/index.mjs"), "utf8"));
    };

    const builds = [
      await buildOf("one", undefined),
      await buildOf("two/deeper", "3f2a9c1d4e5b"),
      await buildOf("three", undefined, other),
    ];

    expect(builds[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(builds[1]).toBe(`${builds[0]}@3f2a9c1d4e5b`);
    expect(builds[2]).not.toBe(builds[0]);
  });

  test("reports the sources of each bundle", async () => {
    const source = givenSource("say-hello", "export const sayHello = () => 1;");

    const { metafile } = await bundleFunctions([source], join(directory, "out"));

    const [output] = Object.entries(metafile.outputs).filter(([path]) =>
      path.endsWith("say-hello/index.mjs"),
    );
    expect(Object.keys(output?.[1].inputs ?? {})[0]).toMatch(/say-hello\.ts$/);
  });

  test("names a missing file", async () => {
    const source = { id: "say-hello", file: "functions/viewer/say-hello.ts", exportName: "sayHello" };

    await expect(bundleFunctions([source], directory)).rejects.toThrow(
      'functions/viewer/say-hello.ts is missing: add the handler of the operation "say-hello"',
    );
  });

  test("names a handler that a file does not export", async () => {
    const source = givenSource("say-hello", "export const sayGoodbye = () => 1;");

    await expect(bundleFunctions([source], join(directory, "out"))).rejects.toThrow(
      /exports sayGoodbye: export a handler named sayHello for the operation "say-hello"\./,
    );
  });
});
