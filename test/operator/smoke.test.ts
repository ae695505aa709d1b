import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { serviceVersion } from "../../lib/service-version.ts";
import { smokeCommand } from "../../scripts/operator/smoke/smoke.ts";
import { ApiClient } from "../support/client.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { confirmSignIn, signIn, unusedUsername } from "../support/sign-in.ts";
import { newOwner, type Owner, openGivenService } from "./given-service.ts";

const given = await openGivenService();

/** Runs the smoke test and calls `onLine` for each printed line. */
async function smoke(
  options: Readonly<Record<string, string>>,
  words: string[] = [given.service.baseUrl],
  onLine: (line: string) => void = () => {},
) {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const isWell = await smokeCommand.execute([...words, ...args], {
    print,
    report: print,
    ask: async () => "",
  });
  return { isWell, ...parts(lines) };
}

/** Splits the output into the lines before the report, without durations, and the report. */
function parts(lines: readonly string[]) {
  const begin = lines.findIndex((line) => line.startsWith("\nReport, "));
  return {
    lines: lines.slice(0, begin).map((line) => line.replace(/ +\d+ ms /, "")),
    report: lines.slice(begin + 1, -1),
    last: lines.at(-1)?.trim(),
  };
}

for (const { cases, options } of slowAndNightly(
  [3_200_000, limits.blobBytesMax],
  (bytes) => bytes === 3_200_000,
))
  test.each(cases)(
    "a working service passes with a file of %i bytes, and keeps no test data",
    options,
    async (bytes) => {
      const owner = await newOwner(given.service, "ada");

      const { isWell, lines, report, last } = await smoke({
        token: owner.token,
        ...(bytes === limits.blobBytesMax ? {} : { "file-bytes": String(bytes) }),
      });

      expect(lines).toEqual([
        "ok publish a page",
        "ok read it in the viewer",
        "ok read it raw",
        "skipped            see it rendered: the setting `renders` is false here",
        "ok publish a second version",
        "ok read the second version",
        "ok read the first version again",
        "ok find it by its metadata",
        "ok wait 5 seconds for feedback, as an agent",
        "ok read the first version from the edge",
        "ok lock it",
        "ok see the lock at the edge",
        "ok delete it",
        "ok find it deleted",
        "ok check that it is gone from the edge",
        "                   a request may have at most 3145728 bytes here, so the file is uploaded in steps",
        `ok upload a file of ${bytes} bytes`,
        "ok read the file",
        "ok delete the file",
        "ok check that the file is gone from the edge",
        "ok delete what is left",
      ]);
      expect([isWell, last]).toEqual([true, "All steps passed."]);
      expect(report.slice(0, 4)).toEqual([
        expect.stringMatching(/^started {3}\d{4}-\d\d-\d\dT/),
        expect.stringMatching(
          `^service   version ${serviceVersion}, region unknown without --stack, edge LOC50-P1$`,
        ),
        expect.stringMatching(`^checkout  version ${serviceVersion}, commit `),
        "result    all is well",
      ]);
      expect(report).toContainEqual(expect.stringMatching(/^ok +\d+ ms {2}see the lock at the edge$/));
      expect(await usageOf(owner)).toEqual(nothing);
    },
  );

const nothing = { drops: 0, files: 0, bytes: 0 };

async function usageOf(owner: Owner) {
  const { drops, blobs } = await owner.json("GET", "/api/me/usage");
  return { drops: drops.used, files: blobs.used, bytes: blobs.bytes_used };
}

for (const { cases, options } of slowAndNightly(
  [
    ["SIGINT", "ok +\\d+ ms {2}read it raw"],
    ["SIGTERM", "ok +\\d+ ms {2}upload a file"],
  ] as const,
  ([signal]) => signal === "SIGINT",
))
  test.each(cases)(
    "a run that %s ends deletes what it created, and is reported as interrupted",
    options,
    async (signal, after) => {
      const owner = await newOwner(given.service, "ada");
      const options = ["--local", given.dataDirectory, "--token", owner.token, "--file-bytes", "10"];
      const running = spawn(
        process.execPath,
        ["--import", "tsx", "scripts/operator/operator.ts", "smoke", ...options],
        { cwd: projectDirectory, stdio: ["ignore", "pipe", "pipe"] },
      );
      const told = text(running.stderr);
      const ended = once(running, "close");
      const lines: string[] = [];
      let isKilled = false;
      for await (const line of createInterface({ input: running.stdout })) {
        lines.push(line);
        if (!isKilled && new RegExp(`^${after}`).test(line)) isKilled = running.kill(signal);
      }

      expect(await told).toMatch(/^Interrupted: /m);
      expect(lines).toContain("result    interrupted");
      expect(lines).not.toContainEqual(expect.stringMatching(/see the file gone/));
      expect(lines.at(-1)).toBe("A step failed.");
      expect(await ended).toEqual([1, null]);
      expect(await usageOf(owner)).toEqual(nothing);
    },
  );

test("the report has the request ids of failures, but no host, owner or token", {
  tags: "nightly",
}, async () => {
  const owner = await newOwner(given.service, "ada");
  const { token } = await owner.json("GET", "/api/me");
  // Calls after the revocation are refused.
  let isRevoked = false;
  const revokeOnce = (line: string) => {
    if (isRevoked || !line.endsWith("read it in the viewer")) return;
    isRevoked = true;
    void owner.call("DELETE", `/api/tokens/${token.id}`);
  };

  const options = { token: owner.token, "file-bytes": "10" };
  const { isWell, report } = await smoke(options, undefined, revokeOnce);

  const { hostname } = new URL(given.service.baseUrl);
  expect(isWell).toBe(false);
  expect(report).toContainEqual(
    expect.stringMatching(
      /^failed +\d+ ms {2}lock it: POST http:\/\/<host>\/api\/drops\/\w+\/passcode responded 401, not 200 \(request id [\w-]{8,}\)/,
    ),
  );
  for (const secret of [hostname, owner.namespace, owner.token])
    expect(report.join("\n")).not.toContain(secret);
});

test("without a token the operator is asked to sign in, and the token is revoked afterwards", {
  tags: "nightly",
}, async () => {
  const username = unusedUsername("grace");
  const confirm = (line: string) => {
    const [, verification_url] = /^Sign in at (\S+) and compare the code: \S+$/.exec(line) ?? [];
    if (verification_url) void confirmSignIn({ verification_url }, username);
  };

  const { isWell, lines, last } = await smoke(
    { local: given.dataDirectory, "file-bytes": "10" },
    [],
    confirm,
  );

  expect([isWell, last]).toEqual([true, "All steps passed."]);
  expect(lines.at(-1)).toBe("ok revoke the token");
  const { token } = await signIn(username);
  expect((await new ApiClient(token).succeed("list-tokens")).tokens).toHaveLength(1);
});

test("a failed step is reported with its response and request id, and the other steps still run", async () => {
  const { isWell, lines, last } = await smoke({ token: "hb_wrong", "file-bytes": "10" });

  expect(isWell).toBe(false);
  expect(lines[0]).toMatch(
    /^failed +publish a page: POST http:\S+\/api\/drops responded 401, not 201 \(request id [\w-]{8,}\): \{"error":\{"code":"unauthorized"/,
  );
  expect(lines[1]).toMatch(/^failed +upload a file of 10 bytes: POST/);
  expect(last).toBe("A step failed.");
});

test.each([
  ["an address without a scheme", ["drops.example.com"], {}, '"drops.example.com" is not an address.'],
  [
    "a file that is too large",
    ["http://localhost"],
    { "file-bytes": "26214401" },
    "--file-bytes is 26214401",
  ],
  ["neither address nor stack", [], {}, "Choose the service with --stack <name> or --local <data folder>."],
])("%s is refused with the right usage", async (_, words, options, message) => {
  await expect(smoke(options as Record<string, string>, words)).rejects.toThrow(message);
});
