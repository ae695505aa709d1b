import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minVersion, satisfies } from "semver";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

interface LockedPackage {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

const read = (file: string) => readFileSync(join(root, file), "utf8");
const { packages } = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const least = minVersion(packages[""]?.engines?.node ?? "")?.version ?? "";

test("npm ci prints no engine warning on the lowest Node version in package.json", () => {
  const unfit = Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(least, engines.node))
    .map(([path, { engines }]) => `${path}: ${engines?.node}`);

  expect(Object.keys(packages).length).toBeGreaterThan(500);
  expect(unfit).toEqual([]);
});

test("the README and the deployment guide name this version, and .nvmrc this or a newer one", () => {
  const named = [read("README.md"), read("docs/deployment.md")].map(
    (text) => /Node (\d+\.\d+) or newer/.exec(text)?.[1],
  );

  expect(named).toEqual([least.replace(/\.0$/, ""), least.replace(/\.0$/, "")]);
  expect(satisfies(`${read(".nvmrc").trim()}.0.0`, `>=${least}`)).toBe(true);
});
