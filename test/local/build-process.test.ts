import { expect, test, vi } from "vitest";
import { BuildProcess } from "../../local/build-process.ts";

const identityProvider = { kind: "oidc", issuer: "http://localhost:8788" } as const;

test("an invalid setting is reported by the build process", { tags: "slow" }, async () => {
  const settings = { baseUrl: "https://drops.example.com/below", identityProvider };
  const build = new BuildProcess();

  await expect(build.synthesize(settings, "unused", {})).rejects.toThrow(
    /baseUrl.*https:\/\/drops\.example\.com\/below/s,
  );
  build.end();
});

test("a build process that cannot start is reported with its exit code", async () => {
  vi.stubEnv("NODE_OPTIONS", "--no-such-option");
  const settings = { baseUrl: "http://localhost:8787", identityProvider };

  const synthesized = new BuildProcess().synthesize(settings, "unused", {});

  await expect(synthesized).rejects.toThrow("The process that synthesizes the stack ended with exit code 9.");
  vi.unstubAllEnvs();
});
