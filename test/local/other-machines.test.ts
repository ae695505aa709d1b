import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { findDynoxide } from "../../local/aws/dynamodb/dynoxide.ts";
import { findChromium } from "../support/browser.ts";
import { runCommand } from "../support/run-command.ts";

const notInstalled = () => {
  throw new Error("Cannot find module");
};

test.each(["darwin-arm64", "darwin-x64", "linux-arm64", "win32-x64"])(
  "on %s one line each says what to install for the table and for the browser tests",
  async (platform) => {
    const table = `npm has no engine for the table on ${platform}: start DynamoDB Local (\`docker run -p 8000:8000 amazon/dynamodb-local\`), and set DYNAMODB_ENDPOINT=http://localhost:8000.`;

    expect(() => findDynoxide(platform)).toThrow(table);
    await expect(findChromium(platform, "")).rejects.toThrow(
      /^npm brings no browser for [\w-]+: install Chrome or Chromium, and set CHROMIUM to its program, such as [^\n]+$/,
    );
  },
);

test("on such a machine npm start says that line, and nothing else", async () => {
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
  expect(stderr).toMatch(/^npm has no engine for the table on darwin-arm64: start DynamoDB Local [^\n]+\n$/);
});

test("where npm has the table's engine and it was left out, the line says how it comes back", () => {
  expect(() => findDynoxide("linux-x64", notInstalled)).toThrow(
    "The table's engine, @dynoxide/linux-x64, is not installed: run `npm ci`, without --omit=optional.",
  );
});

test("CHROMIUM names the browser on any machine, and must be there", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-chromium-"));

  expect(await findChromium("darwin-arm64", process.execPath)).toBe(process.execPath);
  await expect(findChromium("darwin-arm64", join(directory, "none"))).rejects.toThrow(
    /^CHROMIUM is ".*none", and there is no such file\.$/,
  );
  rmSync(directory, { recursive: true });
});

test("on a Node that is too old for TypeScript, npm start says which one it takes", async () => {
  const program = `
    Object.defineProperty(process.versions, "node", { value: "20.20.2" });
    Object.defineProperty(process, "version", { value: "v20.20.2" });
    await import("./bin/start.mjs");`;

  const { exitCode, stderr } = await runCommand(
    [process.execPath, "--input-type=module", "--eval", program],
    {
      directory: process.cwd(),
    },
  );

  expect([exitCode, stderr]).toEqual([
    1,
    "The local cloud needs Node 24 or newer, not v20.20.2. `npm start` uses the one that `npm ci` installs; where there is none for this platform, install it yourself.\n",
  ]);
});
