import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";

/** A page without secrets. */
interface OrdinaryPage {
  readonly name: string;
  readonly text: string;
}

const bytesMax = 2 * 1024 * 1024;

/**
 * Collects pages that people publish: the READMEs of packages, libraries inside a page, this repository's documents,
 * embedded data, and examples. The packages are those in package.json with exact versions, so that every machine has
 * the same pages.
 */
export function collectOrdinaryPages(): OrdinaryPage[] {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const files = Object.keys({ ...dependencies, ...devDependencies })
    // Its comments contain tokens of each kind.
    .filter((name) => !name.includes("secretlint"))
    .toSorted()
    .flatMap((name) => findInPackage(name));
  return [
    ...files.map((file) => ({
      name: file,
      text: isScript(file) ? `<!doctype html><script>${read(file)}</script>` : read(file),
    })),
    ...find("{docs,examples}/**/*.{md,html,txt}").map((file) => ({ name: file, text: read(file) })),
    ...embeddedData(),
    ...examples.map((text, index) => ({ name: `example ${index}`, text })),
  ];
}

/** A limit, because the CDK alone would be half of the corpus. */
const packageFilesMax = 100;

/** Skips packages that npm installs inside a package, and short scripts. */
function findInPackage(name: string): string[] {
  const folder = `node_modules/${name}/`;
  return find(`${folder}**/*.{md,html,svg,js,mjs,cjs}`)
    .filter((file) => !file.slice(folder.length).includes("node_modules/"))
    .filter((file) => !isScript(file) || isMinified(file) || isLarge(file))
    .slice(0, packageFilesMax);
}

const isScript = (file: string) => /\.[cm]?js$/.test(file);
const isMinified = (file: string) => /\.min\.[cm]?js$/.test(file);

function find(pattern: string): string[] {
  return globSync(pattern, { cwd: projectDirectory })
    .filter((file) => {
      const { size } = statSync(join(projectDirectory, file));
      return size > 500 && size <= bytesMax;
    })
    .sort();
}

function isLarge(file: string): boolean {
  return statSync(join(projectDirectory, file)).size > 150_000;
}

function read(file: string): string {
  return readFileSync(join(projectDirectory, file), "utf8");
}

/** Pictures, fonts, source maps and digests, as random as real ones. */
function embeddedData(): OrdinaryPage[] {
  const randomInt = seededNumbers(7);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => randomInt(256)));
  const forms: readonly ((data: string) => string)[] = [
    (data) => `<img alt="" src="data:image/png;base64,${data}">`,
    (data) => `<style>@font-face{font-family:x;src:url(data:font/woff2;base64,${data})}</style>`,
    (data) => `<script>//# sourceMappingURL=data:application/json;base64,${data}\n</script>`,
    (data) => `<script src="https://cdn.dev/x.js" integrity="sha384-${data.slice(0, 64)}"></script>`,
    (data) => `<script>const wasm = "${data}", token = 0;</script>`,
    (data) => `<table><tr><td>sha256:${Buffer.from(data).toString("hex").slice(0, 64)}</td></tr></table>`,
  ];
  return Array.from({ length: 60 }, (_, index) => ({
    name: `embedded data ${index}`,
    text: `<!doctype html>${forms[index % forms.length]?.(bytes(20_000 + index * 1_000).toString("base64"))}`,
  }));
}

const placeholder = "x".repeat(36);

/**
 * Examples of secrets, as in documentation. Some are joined from parts, so that no scanner reports this file as a
 * leak.
 */
const examples: readonly string[] = [
  `<pre>AWS_ACCESS_KEY_ID=${["AKIA", "IOSFODNN7EXAMPLE"].join("")}\nAWS_SECRET_ACCESS_KEY=${["wJalrXUtnFEMI/K7MDENG", "bPxRfiCYEXAMPLEKEY"].join("/")}</pre>`,
  `<pre>export GITHUB_TOKEN=ghp_${placeholder}</pre>`,
  `<pre>api_key = "YOUR_API_KEY_1234567890"</pre>`,
  `<p>Set <code>token: ${"$"}{{ secrets.GITHUB_TOKEN }}</code> in the workflow.</p>`,
  "<pre>postgres://user:password@localhost:5432/app</pre>",
  "<pre>https://user:pass@example.com/</pre>",
  "<pre>password: hunter2</pre>",
  "<script>const token = lexer.nextToken2(), secretKey = options.secretKey1 || process.env.SECRET_KEY_2;</script>",
  '<meta name="csrf-token" content="q8Kz7yV2xW5nB3mT9rP4sL6d">',
  "<pre>Authorization: Bearer &lt;API_TOKEN&gt;</pre>",
  "<p>A private key begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.</p>",
  "<pre>nextPageToken: CAUQAA8f7s9d6f5g4h3j2k1</pre>",
  `<pre>hb_${"0123456789".repeat(3)}abcdef</pre>`,
  `<a href="/p/aB3dE5f" integrity="sha512-${"z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg"}=="></a>`,
];
