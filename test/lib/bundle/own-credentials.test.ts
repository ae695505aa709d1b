import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { handlerSource } from "../../../lib/bundle/function-source.ts";
import { defaultProvider } from "../../../lib/bundle/own-credentials.ts";

const inEnvironment = {
  AWS_ACCESS_KEY_ID: "AKIDENVIRONMENT",
  AWS_SECRET_ACCESS_KEY: "secret of the environment",
  AWS_SESSION_TOKEN: "session of the environment",
};

test("a function reads its role's credentials from the environment, even if a container address is set", async () => {
  stubEnvironment({ ...inEnvironment, AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://127.0.0.1:1/" });

  const credentials = await defaultProvider({})();

  expect(credentials).toMatchObject({
    accessKeyId: "AKIDENVIRONMENT",
    secretAccessKey: "secret of the environment",
    sessionToken: "session of the environment",
  });
});

test("a container reads its role's credentials from the address that ECS names, with their expiry", async () => {
  const expiration = new Date(Date.now() + 3_600_000);
  const address = await answerWith({
    AccessKeyId: "AKIDCONTAINER",
    SecretAccessKey: "secret of the container",
    Token: "session of the container",
    Expiration: expiration.toISOString(),
  });
  stubEnvironment({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address });

  const credentials = await defaultProvider({})();

  expect(credentials).toMatchObject({
    accessKeyId: "AKIDCONTAINER",
    secretAccessKey: "secret of the container",
    sessionToken: "session of the container",
    expiration,
  });
});

test("without credentials, the error says that the environment variables are missing", async () => {
  stubEnvironment({});

  await expect(defaultProvider({})()).rejects.toThrow("Unable to find environment variable credentials");
});

test("no bundle contains other credential providers", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bundle-"));

  const { inputs } = await bundleFunctions([handlerSource("upload-blob")], directory);

  rmSync(directory, { recursive: true });
  const providers = (inputs.get("upload-blob") ?? []).flatMap(
    (path) =>
      /@(?:aws-sdk|smithy)\/((?:credential-provider|nested-clients|token-providers)[^/]*)/.exec(path)?.[1] ??
      [],
  );
  expect([...new Set(providers)].sort()).toEqual(["credential-provider-env", "credential-provider-http"]);
});

/** Replaces all variables of AWS credentials, so that those of the developer have no effect. */
function stubEnvironment(given: Readonly<Record<string, string>>): void {
  const names = [...Object.keys(inEnvironment), "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  for (const name of [...names, "AWS_CONTAINER_CREDENTIALS_FULL_URI"]) vi.stubEnv(name, given[name]);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function answerWith(content: object): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(content)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/credentials`;
}
