// @module-tag nightly
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import { fetchPage } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { longMs } from "../support/patience.ts";

/** Generator of static sites, with its default project and a second page. */
interface Generator {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Files that the generator does not write, or that its documentation says to change for a static site. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands before the files are written. @default - none */
  readonly create?: readonly string[];
  readonly build: readonly (readonly [string, ...string[]])[];
  readonly output: string;
  /** Text of the link to the second page, and the beginning of that page's heading. */
  readonly second: string;
  /** Texts of the site's pages by path. */
  readonly pages: Readonly<Record<string, string>>;
}

const generators: readonly Generator[] = [
  {
    name: "HonKit",
    packages: { honkit: "6.1.7" },
    files: { "SUMMARY.md": "# Summary\n\n* [Introduction](README.md)\n* [First Chapter](chapter1.md)\n" },
    build: [
      ["honkit", "init"],
      ["honkit", "build"],
    ],
    output: "_book",
    second: "First Chapter",
    pages: { "": "Introduction", "chapter1.html": "First Chapter" },
  },
  {
    name: "Eleventy",
    packages: { "@11ty/eleventy": "3.1.8" },
    files: {
      "index.md": "# Welcome to Eleventy\n\n[About](about/)\n",
      "about.md": "# About Eleventy\n\n[Home](../)\n",
    },
    build: [["eleventy"]],
    output: "_site",
    second: "About",
    pages: { "": "Welcome to Eleventy", "about/": "About Eleventy" },
  },
  {
    // Links are relative by default (paths.relative); adapter-static writes the files.
    name: "SvelteKit",
    create: [
      "sv@0.17.1",
      "create",
      ".",
      "--template",
      "minimal",
      "--types",
      "ts",
      "--no-add-ons",
      "--no-install",
    ],
    packages: { "@sveltejs/kit": "2.70.4", "@sveltejs/adapter-static": "3.0.11" },
    files: {
      "src/routes/+layout.ts": "export const prerender = true;\n",
      "src/routes/about/+page.svelte": '<h1>About SvelteKit</h1>\n<a href="./">Home</a>\n',
      "src/routes/+page.svelte": '<h1>Welcome to SvelteKit</h1>\n<a href="./about">About</a>\n',
      "vite.config.ts":
        'import adapter from "@sveltejs/adapter-static";\nimport { sveltekit } from "@sveltejs/kit/vite";\nimport { defineConfig } from "vite";\nexport default defineConfig({ plugins: [sveltekit({ adapter: adapter() })] });\n',
    },
    build: [["vite", "build"]],
    output: "build",
    second: "About",
    pages: { "": "Welcome to SvelteKit", about: "About SvelteKit" },
  },
];

const root = mkdtempSync(join(tmpdir(), "dropleaf-sites-"));
let owner: Account;
let browser: Browser;

beforeAll(async () => {
  owner = await newAccount("sites");
  browser = await openBrowser();
  await Promise.all(generators.map(writeProject));
  writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, workspaces: ["*"] }));
  await run(root, "npm", ["install", "--no-audit", "--no-fund"]);
}, longMs);
afterAll(async () => {
  await browser.close();
  rmSync(root, { recursive: true, force: true });
}, longMs);

async function run(folder: string, command: string, words: readonly string[]): Promise<void> {
  // Leaves out the variables by which tools detect a test run.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name));
  const path = [join(root, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...Object.fromEntries(own), PATH: path, CI: "true" };
  await promisify(execFile)(command, words, { cwd: folder, env, maxBuffer: 2 ** 26 });
}

/** Returns a workspace name that differs from the generator's own package, which it would replace otherwise. */
function workspaceOf(name: string): string {
  return `site-${name.toLowerCase()}`;
}

/** Writes a generator's project, without its packages. */
async function writeProject({ name, packages, files, create }: Generator): Promise<void> {
  const project = join(root, workspaceOf(name));
  mkdirSync(project);
  if (create !== undefined) await run(project, "npx", ["--yes", ...create]);
  const described = join(project, "package.json");
  const created = create === undefined ? {} : JSON.parse(readFileSync(described, "utf8"));
  const dependencies = { ...created.dependencies, ...packages };
  writeFileSync(described, JSON.stringify({ ...created, name: workspaceOf(name), dependencies }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
}

/** Builds a generator's project and returns the site's folder. */
async function buildSite({ name, build, output }: Generator): Promise<string> {
  const project = join(root, workspaceOf(name));
  for (const [command, ...words] of build) await run(project, command, words);
  return join(project, output);
}

async function publishFolder(folder: string): Promise<{ readonly url: string; readonly raw_url: string }> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
  const headers = { authorization: `Bearer ${owner.api.token}`, "content-type": "application/zip" };
  const response = await fetchPage("/api/drops?title=Site", {
    method: "POST",
    headers,
    body: writeArchive(files),
  });
  expect(response.status, response.text).toBe(201);
  return JSON.parse(response.text);
}

/** Opens a window that records failed requests and the browser's complaints. */
async function openWindow(): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await browser.newPage();
  const problems = complaintsOf(page);
  const note = (request: Request, reason: string) => problems.push(`${request.url()}: ${reason}`);
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // The next page's navigation aborts what this page still loads.
    if (reason !== "net::ERR_ABORTED") note(request, reason);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) note(response.request(), String(response.status()));
  });
  return { page, problems };
}

/** Returns the links that are in the same folder, without fragments. */
function linksOf(top: string, links: readonly string[]): string[] {
  return links.map((link) => link.replace(/[?#].*$/, "")).filter((link) => link.startsWith(top));
}

test.each(generators)(
  "every page of the site of $name works as built, in the viewer and raw, without a failed request or error",
  async (generator) => {
    const drop = await publishFolder(await buildSite(generator));

    const raw = await openWindow();
    const first = await raw.page.goto(drop.raw_url, { waitUntil: "networkidle" });
    const top = first?.url() ?? "";
    const crawled = new Map<string, string>();
    const waiting = [top];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      if (crawled.has(address)) continue;
      await raw.page.goto(address, { waitUntil: "networkidle" });
      crawled.set(address, await raw.page.locator("body").innerText());
      const links = await raw.page
        .locator("a[href]")
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
      waiting.push(...linksOf(top, links));
    }

    expect(raw.problems).toEqual([]);
    for (const [path, text] of Object.entries(generator.pages))
      expect(crawled.get(top + path)).toContain(text);
    await raw.page.close();

    const viewed = await openWindow();
    await viewed.page.goto(drop.url, { waitUntil: "networkidle" });
    const frame = () => viewed.page.frames().find((one) => one !== viewed.page.mainFrame());
    const framedTop =
      frame()
        ?.url()
        .replace(/[^/]*$/, "") ?? "";
    for (const address of crawled.keys()) {
      const path = address.slice(top.length);
      await frame()?.goto(framedTop + path, { waitUntil: "networkidle" });
      const text = generator.pages[path];
      if (text !== undefined)
        await viewed.page.frameLocator("iframe").getByRole("heading", { name: text }).first().waitFor();
    }

    await frame()?.goto(framedTop, { waitUntil: "networkidle" });
    const framed = viewed.page.frameLocator("iframe");
    await framed.getByRole("link", { name: generator.second }).first().click();
    await framed.getByRole("heading", { name: generator.second }).first().waitFor();

    expect(viewed.problems).toEqual([]);
    await viewed.page.close();
  },
);
