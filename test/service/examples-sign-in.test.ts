import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ApiClient } from "../support/client.ts";
import { baseUrl } from "../support/http.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";

const example = fileURLToPath(new URL("../../examples/node/sign-in.mjs", import.meta.url));

function signIn(address: string) {
  return promisify(execFile)("node", [example], { env: { ...process.env, DROPLEAF_URL: address } });
}

test("examples/node/sign-in.mjs shows a URL and a code, and prints a working token", {
  tags: "slow",
}, async () => {
  const running = signIn(baseUrl());
  const [said] = await once(running.child.stderr as NodeJS.ReadableStream, "data");
  const [, verificationUrl = "", code = ""] =
    /^Open (\S+)\nand sign in, if the page shows the code (\S+)\.\n$/.exec(String(said)) ?? [];

  const { url } = await confirmSignIn({ verification_url: verificationUrl }, unusedUsername("example"));
  const { stdout } = await running;

  expect(url.searchParams.get("state")).toBe(code);
  const { token } = await new ApiClient(stdout.trimEnd()).succeed("get-me");
  expect(token.label).toBe("sign-in.mjs");
});

test("examples/node/sign-in.mjs reports a missing address", async () => {
  await expect(signIn("")).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("set DROPLEAF_URL"),
  });
});
