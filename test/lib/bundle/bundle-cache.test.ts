import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findOrBundleFunctions } from "../../../lib/bundle/bundle-cache.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-cache-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const source = () => ({ id: "say-hello", file: join(directory, "say-hello.ts"), exportName: "sayHello" });

/** Writes the handler and its import, with a modification time this many seconds ago. */
function givenGreeting(greeting: string, secondsAgo: number): void {
  writeFileSync(join(directory, "greeting.ts"), `export const greeting = "${greeting}";`);
  writeFileSync(
    source().file,
    'import { greeting } from "./greeting.ts"; export const sayHello = () => greeting;',
  );
  const time = new Date(Date.now() - secondsAgo * 1000);
  for (const name of ["greeting.ts", "say-hello.ts"]) utimesSync(join(directory, name), time, time);
}

async function bundledGreeting(): Promise<{ place: string; greeting: string }> {
  const { directory: place } = await findOrBundleFunctions([source()], join(directory, "cache"));
  const { sayHello } = await import(pathToFileURL(join(place, "say-hello/index.mjs")).href);
  return { place, greeting: sayHello() };
}

describe("cached bundles", () => {
  test("are used while no source changes", async () => {
    givenGreeting("hello", 60);

    const first = await bundledGreeting();
    const second = await bundledGreeting();

    expect(second).toEqual(first);
    expect(readdirSync(join(directory, "cache")).filter((name) => name.startsWith("new-"))).toEqual([]);
  });

  test("are not used after a change of anything that a handler imports", async () => {
    givenGreeting("hello", 60);
    await bundledGreeting();

    givenGreeting("adieu", 30);

    expect((await bundledGreeting()).greeting).toBe("adieu");
  });

  test("are not used after a change of a page's assets, which are rebuilt only after a change", async () => {
    const part = join(directory, "page.css");
    let made = 0;
    const make = async () => {
      made += 1;
      return { text: `<style>${readFileSync(part, "utf8")}</style>`, files: [part] };
    };
    const page = async (style: string, secondsAgo: number) => {
      const time = new Date(Date.now() - secondsAgo * 1000);
      writeFileSync(part, style);
      utimesSync(part, time, time);
      const withPage = { ...source(), files: () => [{ name: "page.html", make }] };
      const bundles = await findOrBundleFunctions([withPage], join(directory, "cache"));
      return readFileSync(join(bundles.directory, "say-hello/page.html"), "utf8");
    };
    givenGreeting("hello", 90);

    expect(await page("a {}", 60)).toBe("<style>a {}</style>");
    expect(await page("a {}", 60)).toBe("<style>a {}</style>");
    expect(made).toBe(1);
    expect(await page("b {}", 30)).toBe("<style>b {}</style>");
  });

  test("are not used for other functions", async () => {
    givenGreeting("hello", 60);
    const { place } = await bundledGreeting();

    const { directory: other } = await findOrBundleFunctions(
      [{ ...source(), id: "greet" }],
      join(directory, "cache"),
    );

    expect(other).not.toBe(place);
    expect(existsSync(join(other, "greet/index.mjs"))).toBe(true);
  });

  test("are rebuilt only for functions that import the changed file", async () => {
    const cache = join(directory, "cache");
    const other = { id: "say-more", file: join(directory, "say-more.ts"), exportName: "sayMore" };
    writeFileSync(other.file, 'export const sayMore = () => "more";');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(other.file, anHourAgo, anHourAgo);
    givenGreeting("hello", 60);
    const first = await findOrBundleFunctions([source(), other], cache);
    const kept = join(first.directory, "say-more/index.mjs");
    writeFileSync(kept, `${readFileSync(kept, "utf8")}// made an earlier time\n`);

    givenGreeting("adieu", 30);
    const second = await findOrBundleFunctions([source(), other], cache);

    const textOf = (id: string) => readFileSync(join(second.directory, id, "index.mjs"), "utf8");
    expect(textOf("say-hello")).toContain("adieu");
    expect(textOf("say-more")).toContain("made an earlier time");
    expect(await findOrBundleFunctions([source(), other], cache)).toEqual(second);
  });

  test("are rebuilt after they were deleted", async () => {
    givenGreeting("hello", 60);
    const { place } = await bundledGreeting();
    rmSync(place, { recursive: true });

    expect(await bundledGreeting()).toEqual({ place, greeting: "hello" });
  });

  test("are not stored if a source was saved during the build", async () => {
    givenGreeting("hello", -60);
    await bundledGreeting();

    givenGreeting("salut", -60);

    expect((await bundledGreeting()).greeting).toBe("salut");
  });

  test("are built again after an error in a source is corrected", async () => {
    givenGreeting("hello", 60);
    await bundledGreeting();
    writeFileSync(source().file, "export const sayHello = (");

    await expect(bundledGreeting()).rejects.toThrow(/Unexpected end of file/);
    expect(readdirSync(join(directory, "cache")).filter((name) => name.startsWith("new-"))).toEqual([]);

    givenGreeting("moin", 30);
    expect((await bundledGreeting()).greeting).toBe("moin");
  });
});
