import { expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { smokeCommand } from "../../scripts/operator/smoke/smoke.ts";
import { ApiClient } from "../support/client.ts";
import { shortTest } from "../support/forms.ts";
import { confirmSignIn, signIn, unusedUsername } from "../support/sign-in.ts";
import { isThorough } from "../support/thorough.ts";
import { newOwner, openGivenService } from "./given-service.ts";

const given = await openGivenService();

/** Runs the smoke test; `onLine` may act on what it prints. */
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
  const isWell = await smokeCommand.run({ words, options }, { print, ask: async () => "" });
  // Without durations.
  return { isWell, lines: lines.map((line) => line.replace(/ +\d+ ms /, "")) };
}

test("a service that works passes, and keeps nothing of it", async () => {
  const owner = await newOwner(given.service, "ada");
  const bytes = isThorough ? limits.blobBytesMax : 3_200_000;

  const { isWell, lines } = await smoke({
    token: owner.token,
    ...(isThorough ? {} : { "file-bytes": String(bytes) }),
  });

  expect(lines).toEqual([
    "ok publish a page",
    "ok read it in the viewer",
    "ok read it raw",
    "ok publish a second version",
    "ok read the second version",
    "ok read the first version still",
    "ok find it by its metadata",
    "ok delete it",
    "ok find it deleted",
    "ok see it gone from the edge",
    "                   one request takes 3145728 bytes here: the file goes in steps",
    `ok upload a file of ${bytes} bytes`,
    "ok read the file",
    "ok delete the file",
    "ok see the file gone from the edge",
    "All is well.",
  ]);
  expect(isWell).toBe(true);
  expect(await owner.json("GET", "/api/me/usage")).toMatchObject({
    drops: { used: 0 },
    blobs: { used: 0, bytes_used: 0 },
  });
});

shortTest(
  "without a token it asks the operator to sign in, and gives back the token that it got",
  async () => {
    const username = unusedUsername("grace");
    const confirm = (line: string) => {
      const [, verification_url] = /^Sign in at (\S+) and compare the code: \S+$/.exec(line) ?? [];
      if (verification_url) void confirmSignIn({ verification_url }, username);
    };

    const { isWell, lines } = await smoke({ local: given.dataDirectory, "file-bytes": "10" }, [], confirm);

    expect(isWell).toBe(true);
    expect(lines.slice(-2)).toEqual(["The token is revoked.", "All is well."]);
    const { token } = await signIn(username);
    expect((await new ApiClient(token).succeed("list-tokens")).tokens).toHaveLength(1);
  },
);

shortTest(
  "what fails is said with the response and the request's id, and the rest is tried all the same",
  async () => {
    const { isWell, lines } = await smoke({ token: "hb_wrong", "file-bytes": "10" });

    expect(isWell).toBe(false);
    expect(lines[0]).toMatch(
      /^failed +publish a page: POST http:\S+\/api\/drops answered 401, not 201 \(request id [\w-]{8,}\): \{"error":\{"code":"unauthorized"/,
    );
    expect(lines[1]).toMatch(/^failed +upload a file of 10 bytes: POST/);
    expect(lines.at(-1)).toBe("Something is wrong.");
  },
);

shortTest.each([
  ["no address", ["drops.example.com"], {}, '"drops.example.com" is no address, such as'],
  [
    "a file that is too large",
    ["http://localhost"],
    { "file-bytes": "26214401" },
    "--file-bytes is 26214401",
  ],
  ["neither address nor stack", [], {}, "Say which service: either --stack <name> or --local <data folder>."],
])("%s is refused, with what to write", async (_, words, options, message) => {
  await expect(smoke(options as Record<string, string>, words)).rejects.toThrow(message);
});
