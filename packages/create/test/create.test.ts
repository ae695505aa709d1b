import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { defaults } from "../src/choices.ts";
import { projectFiles } from "../src/project-files.ts";

const built = mkdtempSync(join(tmpdir(), "create-dropleaf-"));
let directory = "";

beforeAll(async () => {
  expect(await execute(process.execPath, join(import.meta.dirname, "../build.ts"), built)).toMatchObject({
    code: 0,
  });
  return () => rmSync(built, { recursive: true });
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "create-dropleaf-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

function execute(file: string, ...words: string[]): Promise<Outcome> {
  return new Promise((done) => {
    execFile(file, words, { cwd: directory || undefined }, (error, out, errors) => {
      done({ code: error === null ? 0 : Number(error.code), out, errors });
    });
  });
}

const create = (...words: string[]) =>
  execute(process.execPath, join(built, "create-dropleaf.mjs"), ...words);
const settingsIn = (folder: string) => readFileSync(join(directory, folder, "settings.ts"), "utf8");

test("a project is created from options, without questions", async () => {
  const words = ["--domain", "drops.example.com", "--identity-provider", "https://id.example.com"];
  const { code, out } = await create(
    "one",
    "--region=us-east-1",
    ...words,
    "--publishers=@example.com",
    "--no-install",
  );

  expect(code).toBe(0);
  expect(out).toContain("edit the line below REPLACE");
  for (const line of [
    'baseUrl: "https://drops.example.com",',
    'name: "example.com" },',
    'identityProvider: { kind: "oidc", issuer: "https://id.example.com" },',
    'members: { emailDomains: ["example.com"] },',
  ])
    expect(settingsIn("one")).toContain(line);
});

test("with --yes an empty folder is filled with the defaults, without questions", async () => {
  mkdirSync(join(directory, "My Drops"));

  expect(await create("My Drops", "--yes", "--no-install")).toMatchObject({ code: 0 });

  expect(settingsIn("My Drops")).toContain('identityProvider: "github",');
  expect(settingsIn("My Drops")).not.toContain("members");
  // Rendering needs a package that is not installed.
  expect(settingsIn("My Drops")).toContain("renders: false,");
  expect(JSON.parse(readFileSync(join(directory, "My Drops/package.json"), "utf8")).name).toBe("my-drops");
});

test("a folder that is not empty stays unchanged", async () => {
  writeFileSync(join(directory, "mine.txt"), "mine");

  const { code, errors } = await create(".", "--yes", "--no-install");

  expect([code, errors]).toEqual([
    2,
    ". exists and is not empty. To use another folder, run: npm create dropleaf <folder>\n",
  ]);
  expect(existsSync(join(directory, "package.json"))).toBe(false);
});

test.each([
  [["--region", "Frankfurt"], '--region "Frankfurt": use an AWS region such as "eu-central-1".'],
  [["--region", "us-gov-west-1"], '--region "us-gov-west-1": use'],
  [["--domain", "https://drops.example.com"], "without https://"],
  [["--domain", "localhost"], '--domain "localhost": use'],
  [["--identity-provider", "http://id.example.com"], '"github", or the https address of an issuer'],
  [["--publishers", "example.com"], 'an e-mail domain such as "@example.com"'],
  [
    ["--identity-provider", "https://id.example.com", "--publishers", "example-inc"],
    "with the identity provider GitHub",
  ],
  [["--color"], "Unknown option '--color'"],
  [["another"], "Specify only one folder: remove another."],
])("the arguments %j are refused with the right usage, and nothing is written", async (words, message) => {
  const { code, errors } = await create("project", "--yes", ...words);

  expect(code).toBe(2);
  expect(errors).toContain(message);
  expect(existsSync(join(directory, "project"))).toBe(false);
});

test("without a terminal, the error names the missing options", async () => {
  const { code, errors } = await create("project", "--region", "eu-central-1");

  expect([code, errors]).toEqual([
    2,
    "Can't ask questions here. Add --yes for the defaults, or --domain, --identity-provider, --publishers.\n",
  ]);
});

test("a project outside us-east-1 has a certificate setting for its domain", () => {
  const given = { ...defaults, region: "eu-central-1", domain: "drops.example.com" };

  expect(projectFiles("drops", given)["settings.ts"]).toContain('certificateArn: "arn:aws:acm:us-east-1:');
});
