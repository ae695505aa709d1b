// @module-tag nightly
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { runServer } from "verdaccio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectDirectory } from "../../lib/project-directory.ts";
import { serviceVersion } from "../../lib/service-version.ts";
import type { Settings } from "../../lib/settings.ts";
import { synthesize } from "../../lib/synthesize.ts";
import { publishPackages } from "../../scripts/pack/packages.ts";
import { pageOf } from "../support/accounts.ts";
import { longMs } from "../support/patience.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { type GivenRelease, givenRelease } from "./given-release.ts";

const typescript = join(projectDirectory, "node_modules/typescript/bin/tsc");
const typeOptions = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];

const folder = mkdtempSync(join(tmpdir(), "dropleaf-newcomer-"));
const project = join(folder, "my-drops");
const home = join(folder, "home");
const npmCache = join(folder, "npm-cache");
const packages = join(projectDirectory, "dist/packages");
let registry: Server;
let environment: NodeJS.ProcessEnv;
let given: GivenRelease;
let dryRun: ReturnType<GivenRelease["release"]>;

beforeAll(async () => {
  registry = await startRegistry();
  const address = `http://localhost:${(registry.address() as AddressInfo).port}/`;
  for (const path of [home, npmCache]) mkdirSync(path);
  // Other packages are read from npm's cache, without the packages that `npx` installed before.
  symlinkSync(join(await npmConfig("cache"), "_cacache"), join(npmCache, "_cacache"));
  const path = (process.env.PATH ?? "").split(delimiter).filter((one) => !one.startsWith(projectDirectory));
  environment = {
    PATH: path.join(delimiter),
    HOME: home,
    npm_config_registry: address,
    [`npm_config_${address.slice("http:".length)}:_authToken`]: "anybody",
    npm_config_cache: npmCache,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_yes: "true",
    DROPLEAF_KEYCHAIN: "off",
  };
});
// Separate hooks have separate timeouts: packing takes half a minute of processor time.
beforeAll(() => {
  given = givenRelease();
  dryRun = given.release("--dry-run");
}, longMs);
beforeAll(async () => {
  const packed = [...dryRun.stdout.matchAll(/^\S+@\S+: .*, (\S+\.tgz)$/gm)];
  await publishPackages(
    packed.map(([, filename = ""]) => ({ filename })),
    packages,
    environment,
  );
}, longMs);
afterAll(async () => {
  registry.close();
  given.remove();
  rmSync(folder, { recursive: true, force: true });
}, longMs);

async function npmConfig(name: string): Promise<string> {
  return (await promisify(execFile)("npm", ["config", "get", name])).stdout.trim();
}

/** Starts a registry that stores Dropleaf's packages and forwards requests for all others. */
async function startRegistry(): Promise<Server> {
  const own = { access: "$all", publish: "$all" };
  const server = (await runServer({
    self_path: folder,
    storage: join(folder, "registry"),
    uplinks: { npm: { url: await npmConfig("registry"), cache: false } },
    packages: {
      "@dropleaf/*": own,
      dropleaf: own,
      "create-dropleaf": own,
      "**": { access: "$all", proxy: "npm" },
    },
    max_body_size: "200mb",
    log: { type: "stdout", level: "error" },
  } as unknown as Parameters<typeof runServer>[0])) as Server;
  await new Promise<void>((listens) => server.listen(0, "localhost", listens));
  return server;
}

/** Runs a command that succeeds, and returns its standard output. */
async function run(cwd: string, command: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, words, { cwd, env: environment });
  return stdout;
}

/** Runs `npm start` and waits until the service is ready. */
async function startService() {
  const port = await findFreePort(2);
  const child = spawn("npm", ["start"], { cwd: project, env: { ...environment, PORT: String(port) } });
  const ended = once(child, "exit");
  const address = `http://localhost:${port}`;
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (log += String(bytes)));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    await expect.poll(() => log, { timeout: 120_000 }).toContain(`Dropleaf is ready at ${address}`);
  } catch (error) {
    await stop();
    throw error;
  }
  expect(log).toContain(`npx dropleaf login ${address}`);
  return { address, stop };
}

async function signIn(address: string): Promise<void> {
  const child = spawn("npx", ["dropleaf", "login", address], { cwd: project, env: environment });
  const ended = once(child, "exit");
  let notes = "";
  child.stderr.on("data", (bytes) => (notes += String(bytes)));
  const link = () => /Sign in at (\S+)/.exec(notes)?.[1] ?? "";
  await expect.poll(link, { timeout: 60_000 }).toContain(address);
  await confirmSignIn({ verification_url: link() }, unusedUsername("newcomer"));
  expect(await ended).toEqual([0, null]);
}

/** Reads a template without the hashes of bundles, which contain the commit's id, and without fields named `omitted`. */
function readTemplate(directory: string, stackName: string, omitted?: string): unknown {
  const text = readFileSync(join(directory, `${stackName}.template.json`), "utf8");
  const masked = text.replaceAll(/[0-9a-f]{64}/g, "hash");
  return JSON.parse(masked, (key, value) => (key === omitted ? undefined : value));
}

/** Returns names and sizes of the renderer's files, except its code, which contains the commit's id. */
function rendererFilesIn(directory: string): readonly string[] {
  const asset = readdirSync(directory).find((name) => existsSync(join(directory, name, "bin/chromium.br")));
  return readdirSync(join(directory, asset ?? ""), { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stats: statSync(join(directory, asset ?? "", name)) }))
    .filter(({ name, stats }) => stats.isFile() && name !== "index.mjs")
    .map(({ name, stats }) => `${name} ${stats.size}`)
    .sort();
}

async function synthesizeInCheckout(settings: Settings): Promise<string> {
  const directory = mkdtempSync(join(folder, "checkout-"));
  await synthesize(settings, directory);
  return directory;
}

test("a release with --dry-run packs every package, and neither tags nor publishes", () => {
  expect(dryRun.stdout).toContain("v1.10.0 can be tagged here. Its notes:\n\n- Something new.\n");
  for (const name of [
    "@dropleaf/local-cloud",
    "@dropleaf/renderer",
    "@dropleaf/stack",
    "dropleaf",
    "create-dropleaf",
  ])
    expect(dryRun.stdout).toContain(`\n${name}@${serviceVersion}: `);
  expect(dryRun.stdout).toContain("\nnpm would publish all packages.\n");
  expect(given.git("tag")).toBe("v1.9.0\n");
});

test("in an empty folder, two commands create the template, and two more and a sign-in publish a page", async () => {
  await run(folder, "npm", "create", "dropleaf", "my-drops", "--", "--yes");

  const own = [".gitignore", "README.md", "cdk.json", "package.json", "settings.ts"];
  expect(readdirSync(project).sort()).toEqual([...own, "node_modules", "package-lock.json"].sort());
  // The published functions are already bundled, and pages are not rendered.
  const absent = ["esbuild", "@sparticuz", "@expo-google-fonts", "playwright-core", "@dropleaf/renderer"];
  expect(absent.filter((name) => existsSync(join(project, "node_modules", name)))).toEqual([]);
  expect(existsSync(join(project, "node_modules/@dropleaf/stack/functions/draw-page"))).toBe(false);

  await run(project, "npm", "run", "synth");

  const checkout = await synthesizeInCheckout({
    region: "us-east-1",
    identityProvider: "github",
    renders: false,
  });
  // In the checkout the bundler removes the edge function's code for a domain.
  expect(readTemplate(join(project, "cdk.out"), "Dropleaf", "FunctionCode")).toEqual(
    readTemplate(checkout, "Dropleaf", "FunctionCode"),
  );

  const service = await startService();
  try {
    await signIn(service.address);
    writeFileSync(join(project, "hello.html"), pageOf("Hello of a newcomer"));
    const drop = JSON.parse(await run(project, "npx", "dropleaf", "publish", "hello.html", "--json"));
    await run(project, "npx", "dropleaf", "connect", "cursor", "--yes");

    const page = await new Visitor().open(drop.raw_url, { headers: { "sec-fetch-dest": "iframe" } });
    expect(page.response.text).toContain("Hello of a newcomer");
    expect(readFileSync(join(home, ".cursor/mcp.json"), "utf8")).toContain(`${service.address}/mcp`);
  } finally {
    await service.stop();
  }
});

test("a settings file describes a second stack, and the construct creates it in another CDK app", async () => {
  const staging: Settings = {
    stackName: "Staging",
    baseUrl: "https://drops.example.com",
    hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
    ingest: "webfunction",
  };
  const json = JSON.stringify(staging);
  writeFileSync(
    join(project, "settings.staging.ts"),
    `import type { Settings } from "@dropleaf/stack";\nexport const settings: Settings = ${json};\n`,
  );
  writeFileSync(
    join(project, "app.ts"),
    `import { Dropleaf, type Settings } from "@dropleaf/stack";
import { App } from "aws-cdk-lib/core";
const { stackName, ...settings }: Settings = ${json};
const app = new App({ outdir: "app.out" });
new Dropleaf(app, "Staging", settings);
app.synth();`,
  );
  const synthesizeStaging = () =>
    promisify(execFile)("npm", ["run", "synth"], {
      cwd: project,
      env: { ...environment, SETTINGS: "settings.staging.ts" },
    });
  await expect(synthesizeStaging()).rejects.toThrow(
    `The setting renders is on, but @dropleaf/renderer is not installed. Run npm install @dropleaf/renderer@${serviceVersion}, or set renders: false.`,
  );
  await run(project, "npm", "install", `@dropleaf/renderer@${serviceVersion}`);
  await synthesizeStaging();
  await run(project, "npm", "exec", "--", "node", "app.ts");
  const checkTypes = () =>
    run(project, "npm", "exec", "--", "node", typescript, ...typeOptions, "app.ts", "settings.staging.ts");

  const checkout = await synthesizeInCheckout(staging);
  expect(readTemplate(join(project, "cdk.out"), "Staging")).toEqual(readTemplate(checkout, "Staging"));
  expect(rendererFilesIn(join(project, "cdk.out"))).toEqual(rendererFilesIn(checkout));
  expect(readTemplate(join(project, "app.out"), "Staging")).toHaveProperty(
    "Outputs.BaseUrl.Value",
    staging.baseUrl,
  );
  await checkTypes();
  writeFileSync(join(project, "app.ts"), 'import { Dropleaf } from "@dropleaf/stack";\nnew Dropleaf();');
  await expect(checkTypes()).rejects.toThrow();
});
