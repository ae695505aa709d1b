// @module-tag nightly

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
import { loadTemplate, resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import { synthesize } from "../../lib/synthesize.ts";
import { type AssemblyOptions, findOrSynthesize } from "../../local/assembly-cache.ts";
import { BuildProcess } from "../../local/build-process.ts";
import { longMs } from "../support/patience.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-assembly-"));
const cacheDirectory = join(directory, "cache");
/** Shared build process, so that the CDK is loaded once. */
const build = new BuildProcess();
afterAll(() => {
  build.end();
  rmSync(directory, { recursive: true });
  rmSync(`${cacheDirectory}.lock`, { force: true });
});

const templateName = "Dropleaf.template.json";

/** Settings of `npm start`, which contain its ports. */
function settingsAt(port: number): Settings {
  return {
    baseUrl: `http://localhost:${port}`,
    identityProvider: { kind: "oidc", issuer: `http://localhost:${port + 1}` },
  };
}

let outputs = 0;
/** Writes the stack into a new folder and returns the folder. */
async function write(settings: Settings, options: Omit<AssemblyOptions, "cacheDirectory">) {
  outputs += 1;
  const output = join(directory, `output-${outputs}`);
  // The sources count as unchanged since now, even if they were saved shortly before the test.
  await findOrSynthesize(settings, output, {
    unchangedSinceMs: Date.now(),
    ...options,
    cacheDirectory,
    build,
  });
  return output;
}

function textIn(folder: string): string {
  return readFileSync(join(folder, templateName), "utf8");
}

function keptFolders(): string[] {
  return readdirSync(cacheDirectory).filter((name) => name.startsWith("assembly-"));
}

/** Text that only the cached template contains, which shows that a stack is from the cache. */
const mark = "made an earlier time";

let first: string[];
beforeAll(async () => {
  first = await Promise.all([
    write(settingsAt(20_001), { port: 20_001 }),
    write(settingsAt(30_001), { port: 30_001 }),
  ]);
  const [kept = ""] = keptFolders();
  const file = join(cacheDirectory, kept, templateName);
  writeFileSync(file, readFileSync(file, "utf8").replace("HTML hosting for agents", mark));
}, longMs);

describe("a cached synthesized stack", () => {
  test("is synthesized once for concurrent callers, each with its own ports", async () => {
    expect(keptFolders()).toHaveLength(1);
    const anew = join(directory, "anew");
    await synthesize(settingsAt(30_001), anew);

    expect(textIn(first[1] ?? "")).toBe(textIn(anew));
    expect(textIn(first[0] ?? "")).toBe(
      textIn(anew).replaceAll(":30001", ":20001").replaceAll(":30002", ":20002"),
    );
  });

  test("includes the code of each function", () => {
    const template = loadTemplate(first[0] ?? "");

    for (const { metadata } of resourcesOfType(template, "AWS::Lambda::Function")) {
      expect(existsSync(join(first[0] ?? "", String(metadata["aws:asset:path"])))).toBe(true);
    }
  });

  test("is used again at any port", async () => {
    expect(textIn(await write(settingsAt(40_001), { port: 40_001 }))).toContain(mark);
  });

  test("is used again after npm has reinstalled the same packages", async () => {
    const now = new Date();
    utimesSync("node_modules/.package-lock.json", now, now);

    expect(textIn(await write(settingsAt(20_001), { port: 20_001 }))).toContain(mark);
  });

  test("is neither used nor replaced for other settings or options", async () => {
    const other = await write(
      { ...settingsAt(20_001), securityContact: "mailto:security@example.com" },
      // `unchangedSinceMs: 0` says that a source was saved while the process ran, so the stack is not cached.
      { port: 20_001, unsafeOrphanDelaySeconds: 1, unchangedSinceMs: 0 },
    );

    expect(textIn(other)).not.toContain(mark);
    expect(textIn(other)).toContain("mailto:security@example.com");
    expect(keptFolders()).toHaveLength(1);
  });

  test("is synthesized again after a change of a bundled package", async () => {
    const file = join(cacheDirectory, keptFolders()[0] ?? "", "kept.json");
    const kept = JSON.parse(readFileSync(file, "utf8"));
    const [packageFile = ""] = Object.keys(kept.packageFiles);
    kept.packageFiles[packageFile] = "1 1";
    writeFileSync(file, JSON.stringify(kept));

    expect(textIn(await write(settingsAt(20_001), { port: 20_001 }))).not.toContain(mark);
  });

  test.each([8787, 8788])(
    "keeps another URL with port %i of this machine in the settings unchanged",
    async (other) => {
      const elsewhere = `https://localhost:${other}`;
      const settings = { ...settingsAt(40_001), securityContact: `${elsewhere}/security` };

      const text = textIn(await write(settings, { port: 40_001 }));

      expect(text).toContain(`${elsewhere}/security`);
    },
  );

  test("is synthesized once for settings that differ only in the ports of other local services", async () => {
    const at = (provider: number, contact: number) => ({
      ...settingsAt(20_001),
      identityProvider: { kind: "oidc", issuer: `http://localhost:${provider}` } as const,
      securityContact: `https://localhost:${contact}/security`,
    });
    const one = await write(at(41_001, 41_002), { port: 20_001 });
    const kept = keptFolders().length;

    const other = await write(at(42_002, 42_001), { port: 20_001 });

    expect(keptFolders()).toHaveLength(kept);
    expect(textIn(one)).toContain("http://localhost:41001");
    expect(textIn(other)).toBe(textIn(one).replaceAll(":41001", ":42002").replaceAll(":41002", ":42001"));
  });
});
