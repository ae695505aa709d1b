import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findDynoxide } from "@dropleaf/local-cloud/aws/dynamodb/dynoxide";
import { expect, test } from "vitest";
import { findChromium } from "../support/browser.ts";
import { type CommandOptions, runCommand } from "../support/run-command.ts";

const notInstalled = () => {
  throw new Error("Cannot find module");
};

test.each(["darwin-arm64", "darwin-x64", "linux-arm64", "win32-x64"])(
  "on %s, one-line errors say what to install for the table and for the browser tests",
  async (platform) => {
    const table = `npm has no DynamoDB engine for ${platform}: start DynamoDB Local (\`docker run -p 8000:8000 amazon/dynamodb-local\`), and set DYNAMODB_ENDPOINT=http://localhost:8000.`;

    expect(() => findDynoxide(platform)).toThrow(table);
    await expect(findChromium(platform, "")).rejects.toThrow(
      /^npm brings no browser for [\w-]+: install Chrome or Chromium, and set CHROMIUM to its program, such as [^\n]+$/,
    );
  },
);

test("on a machine without a table engine, npm start prints this line and nothing else", {
  tags: "slow",
}, async () => {
  const program = `
    Object.defineProperty(process, "platform", { value: "darwin" });
    Object.defineProperty(process, "arch", { value: "arm64" });
    await import(${JSON.stringify(resolve("bin/start.mjs"))});`;
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-machine-"));

  const { exitCode, stdout, stderr } = await runCommand(
    [process.execPath, "--input-type=module", "--eval", program],
    { directory },
  );
  rmSync(directory, { recursive: true });

  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^npm has no DynamoDB engine for darwin-arm64: start DynamoDB Local [^\n]+\n$/);
});

test("if npm omitted an available table engine, the error says how to install it", () => {
  expect(() => findDynoxide("linux-x64", notInstalled)).toThrow(
    "The DynamoDB engine, @dynoxide/linux-x64, is not installed: run `npm ci`, without --omit=optional.",
  );
});

test("CHROMIUM selects the browser on any machine, and must name an existing file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-chromium-"));

  expect(await findChromium("darwin-arm64", process.execPath)).toBe(process.execPath);
  await expect(findChromium("darwin-arm64", join(directory, "none"))).rejects.toThrow(
    /^CHROMIUM is ".*none", and there is no such file\.$/,
  );
  rmSync(directory, { recursive: true });
});

/** Makes a process look like an older Node, whose `node:module` has fewer exports. */
const olderNode = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    resolve: (name, context, next) =>
      name === "node:module" ? { url: "data:text/javascript,export {}", shortCircuit: true } : next(name, context),
  });
  Object.defineProperty(process.versions, "node", { value: "20.20.2" });
  Object.defineProperty(process, "version", { value: "v20.20.2" });`)}`;

const { app } = JSON.parse(readFileSync("cdk.json", "utf8")) as { app: string };
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** Runs a command line that begins with `node`, with the options of `before` inserted after it. */
function runNode(
  commandLine: string,
  { before = [], ...options }: { before?: string[] } & Partial<CommandOptions>,
) {
  const [, ...words] = commandLine.split(" ");
  return runCommand([process.execPath, ...before, ...words], { directory: process.cwd(), ...options });
}

test.each([
  ["cdk", app],
  ["npm start", scripts.start ?? ""],
  ["npm run operator", scripts.operator ?? ""],
])("on a Node too old for TypeScript, %s prints one line that says what to do", async (_, commandLine) => {
  const { exitCode, stderr } = await runNode(commandLine, { before: ["--import", olderNode] });

  expect([exitCode, stderr]).toEqual([
    1,
    "This is Node v20.20.2. Dropleaf needs Node 24 or newer. Install it, or use `npx cdk`, `npm start` or `npm run operator`, which run the Node that `npm ci` installs.\n",
  ]);
});

test.each([
  ["cdk", app],
  ["npm start", scripts.start ?? ""],
  ["npm run operator", scripts.operator ?? ""],
])("without packages, %s prints one line that says how to install them", async (_, commandLine) => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bare-"));
  cpSync("bin", join(directory, "bin"), { recursive: true });

  const { exitCode, stderr } = await runNode(commandLine, { directory });
  rmSync(directory, { recursive: true });

  expect([exitCode, stderr]).toEqual([1, "Packages are missing. Run `npm ci`, then try again.\n"]);
});

test("a global cdk that is too old for the assembly is refused with the command to use", {
  tags: "slow",
}, async () => {
  const environment = { CDK_CLI_ASM_VERSION: "34.0.0" };

  const { exitCode, stderr } = await runNode(app, { environment });

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^Settings: [^\n]+\nThis `cdk` is too old: it reads cloud assemblies up to version 34\.0\.0, but Dropleaf writes version \d+\.0\.0\. Use `npx cdk`, which `npm ci` installs\.\n$/,
  );
});
