// @module-tag nightly
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { projectDirectory } from "../../lib/project-directory.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { longMs } from "../support/patience.ts";
import { signIn } from "../support/sign-in-at.ts";
import { protectingMarks } from "../table/protecting-marks.ts";
import {
  installReleaseBefore,
  type ReleaseBefore,
  runOperator,
  type StartedService,
  startCheckout,
} from "./release-before.ts";

const scratch = mkdtempSync(join(tmpdir(), "dropleaf-rollback-"));
let release: ReleaseBefore;
let started: StartedService | undefined;

beforeAll(async () => {
  release = await installReleaseBefore(join(scratch, "release"));
}, longMs);
afterEach(async () => {
  await started?.stop();
  started = undefined;
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Stops the running service and starts a checkout on a data folder, at the same port. */
async function start(folder: string, dataDirectory: string, environment: Record<string, string> = {}) {
  const { address, stop } = started ?? {};
  await stop?.();
  started = undefined;
  // With the same port, cookies, tokens and URLs of the first start stay valid.
  const port = address === undefined ? {} : { port: Number(new URL(address).port) };
  started = await startCheckout({ folder, dataDirectory, environment, ...port });
  return started.address;
}

/** Calls the API with a token. */
function clientOf(address: string, token: string) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  };
}

const readRaw = async (address: string, slug: string) => {
  const response = await fetch(`${address}/p/${slug}/raw`, { redirect: "manual" });
  return { status: response.status, text: await response.text() };
};

/** Publishes a public, a locked and a restricted drop. */
async function givenMarkedDrops(address: string) {
  const token = await signIn(address, "ada");
  const call = clientOf(address, token);
  const publish = async (name: string, fields: object = {}) => {
    const body = { title: name, html: `<p>${name}</p>`, ...fields };
    return (await call("POST", "/api/drops", body)).body.slug as string;
  };
  const open = await publish("open");
  const locked = await publish("locked", { passcode: "correct horse" });
  const restricted = await publish("restricted", { visibility: "people", readers: ["grace@example.com"] });
  return { token, call, publish, slugs: { open, locked, restricted } };
}

describe("the previous release, on data of this version,", () => {
  test(
    "refuses to start and to sweep if it has an older data format, and changes nothing",
    async () => {
      const dataDirectory = join(scratch, "data-of-this-version");
      const address = await start(projectDirectory, dataDirectory);
      const { call, token, slugs, publish } = await givenMarkedDrops(address);
      const trashed = await publish("trashed");
      await call("DELETE", `/api/drops/${trashed}`);
      const isRefused = release.dataFormat < dataFormat;

      const swept = await runOperator(release.folder, "sweep", "--fix", "--local", dataDirectory);
      const rolledBack = start(release.folder, dataDirectory);

      if (isRefused) await expect(rolledBack).rejects.toThrow(dataDirectory);
      else await rolledBack;
      expect(swept.code === 0).toBe(!isRefused);
      const again = clientOf(await start(projectDirectory, dataDirectory), token);
      expect((await readRaw(started?.address ?? "", slugs.open)).text).toContain("<p>open</p>");
      expect((await again("POST", `/api/drops/${trashed}/undelete`)).status).toBe(200);
      expect((await readRaw(started?.address ?? "", trashed)).text).toContain("<p>trashed</p>");
    },
    longMs,
  );

  test("fails the preflight if it has an older data format", async () => {
    const script = `
      import { judgeDataFormat } from "./scripts/operator/preflight/account-checks.ts";
      const [finding] = judgeDataFormat({ version: "x", dataFormat: "${dataFormat}" });
      console.log(finding.verdict);`;

    const verdict = execFileSync(
      process.execPath,
      ["--import", "tsx", "--input-type", "module", "--eval", script],
      {
        cwd: release.folder,
        encoding: "utf8",
      },
    );

    expect(verdict.trim()).toBe(release.dataFormat < dataFormat ? "fails" : "well");
  });

  test("knows every protecting mark of its own data format", () => {
    const own = [...protectingMarks].filter(([, since]) => since > 0 && since <= release.dataFormat);

    const unknown = own.filter(([mark]) => !isNamed(mark.slice(mark.indexOf(".") + 1)));

    expect(own.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });
});

test(
  "this version serves, protects and changes data of the previous release",
  async () => {
    const dataDirectory = join(scratch, "data-of-the-release");
    const before = await start(release.folder, dataDirectory);
    const { call: callBefore, token, slugs } = await givenMarkedDrops(before);
    await callBefore("PUT", `/api/drops/${slugs.open}`, { html: "<p>second</p>" });
    const listedBefore = (await callBefore("GET", "/api/drops")).body;

    const address = await start(projectDirectory, dataDirectory);

    const call = clientOf(address, token);
    const listed = (await call("GET", "/api/drops")).body;
    expect(listed.drops).toMatchObject(
      listedBefore.drops.map(({ slug, title, visibility, url }: Record<string, unknown>) => ({
        slug,
        title,
        visibility,
        url,
      })),
    );
    expect((await readRaw(address, slugs.open)).text).toContain("<p>second</p>");
    expect((await readRaw(address, slugs.locked)).text).not.toContain("<p>locked</p>");
    expect((await readRaw(address, slugs.restricted)).text).not.toContain("<p>restricted</p>");
    expect((await call("GET", `/api/drops/${slugs.open}/versions`)).body.versions).toHaveLength(2);
    expect((await call("PATCH", `/api/drops/${slugs.open}`, { expires_in_days: 1 })).status).toBe(200);
    for (const slug of Object.values(slugs)) {
      expect((await call("DELETE", `/api/drops/${slug}`)).status).toBe(204);
      expect((await call("POST", `/api/drops/${slug}/undelete`)).status).toBe(200);
    }
    expect((await readRaw(address, slugs.restricted)).text).not.toContain("<p>restricted</p>");
  },
  longMs,
);

/** Searches for a name in the release's functions and scripts. */
function isNamed(name: string): boolean {
  try {
    execFileSync("grep", ["--recursive", "--word-regexp", "--quiet", name, "functions", "scripts"], {
      cwd: release.folder,
    });
    return true;
  } catch {
    return false;
  }
}
