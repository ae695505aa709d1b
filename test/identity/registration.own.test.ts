import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { authorizationUrl } from "../../functions/identity/identity-provider.ts";
import { type RunningEndpoint, runEndpoint } from "../../packages/local-cloud/test/aws/running-endpoint.ts";
import { stackOf } from "../../packages/local-cloud/test/aws/stack.ts";

const parameter = "/dropleaf/Dropleaf/identity-provider";

let running: RunningEndpoint;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  const { accessKeyId, secretAccessKey } = running.endpoint.administrator;
  vi.stubEnv("AWS_ENDPOINT_URL", running.endpoint.url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("IDENTITY_PROVIDER_PARAMETER", parameter);
  const settings = {
    kind: "oauth2",
    authorizationEndpoint: "https://id.example.com/authorize",
    tokenEndpoint: "https://id.example.com/token",
    userinfoEndpoint: "https://id.example.com/user",
    scope: "",
    fields: { id: "id", username: "login" },
  };
  vi.stubEnv("IDENTITY_PROVIDER", JSON.stringify(settings));
});

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  vi.unstubAllEnvs();
  await running.remove();
});

test("people are sent to the provider with the client id in the parameter, even after only the id has changed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const register = (client_id: string) =>
    running.endpoint.parameters.put(
      parameter,
      "SecureString",
      JSON.stringify({ client_id, client_secret: "the same" }),
    );
  const sentClientId = async () => {
    const options = { state: "BCDF-GHJK", codeVerifier: "v".repeat(43), redirectUrl: "https://a.example/b" };
    return (await authorizationUrl(options)).searchParams.get("client_id");
  };

  register("first");
  const before = await sentClientId();
  register("second");
  // Longer than the parameter is cached.
  vi.setSystemTime(Date.now() + 10 * 60_000);
  const after = await sentClientId();

  expect([before, after]).toEqual(["first", "second"]);
});
