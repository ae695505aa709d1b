import { statSync } from "node:fs";
import { join } from "node:path";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, SECRET_ARN, stackOf } from "./stack.ts";

test("generated secrets follow the template, survive a restart, and are stored in a file that only its owner can read", async () => {
  const template = stackOf([], {
    CookieKey: secret({ PasswordLength: 64, ExcludePunctuation: true, ExcludeUppercase: true }),
    Login: secret({
      SecretStringTemplate: '{"user":"admin"}',
      GenerateStringKey: "password",
      ExcludeCharacters: "\"'\\",
    }),
  });
  const first = await runEndpoint(template);
  const cookieKey = await read("CookieKey");
  const login = JSON.parse((await read("Login")) ?? "");
  await first.endpoint.stop();

  const second = await runEndpoint(template, first.dataDirectory);
  const kept = second.endpoint.readSecret(SECRET_ARN.replace(/Secret$/, "CookieKey"));

  expect(cookieKey).toMatch(/^(?=.*[0-9])(?=.*[a-z])[a-z0-9]{64}$/);
  expect(login).toEqual({ user: "admin", password: expect.stringMatching(/^[^"'\\]{32}$/) });
  expect(kept).toBe(cookieKey);
  expect(statSync(join(first.dataDirectory, "secrets.json")).mode & 0o777).toBe(0o600);
  await second.remove();

  async function read(SecretId: string) {
    return (await first.secretsManager().send(new GetSecretValueCommand({ SecretId }))).SecretString;
  }
});

test("a secret that was set is returned to functions, and to references after a restart", async () => {
  const first = await runEndpoint(stackOf());
  const SecretString = '{"client_id":"local"}';
  await first.secretsManager().send(new PutSecretValueCommand({ SecretId: "Secret", SecretString }));
  const response = await first.secretsManager().send(new GetSecretValueCommand({ SecretId: SECRET_ARN }));
  await first.endpoint.stop();

  const second = await runEndpoint(stackOf(), first.dataDirectory);

  expect(response).toMatchObject({
    SecretString: '{"client_id":"local"}',
    Name: "Secret",
    ARN: SECRET_ARN,
    VersionStages: ["AWSCURRENT"],
  });
  expect(second.endpoint.readSecret(SECRET_ARN)).toBe('{"client_id":"local"}');
  await second.remove();
});

test("a new value becomes the current one, and the previous one stays readable, also after a restart", async () => {
  const first = await runEndpoint(stackOf());
  const put = (SecretString: string) =>
    first.secretsManager().send(new PutSecretValueCommand({ SecretId: SECRET_ARN, SecretString }));
  await put("one");
  await put("two");
  await first.endpoint.stop();

  const second = await runEndpoint(stackOf(), first.dataDirectory);
  const get = async (VersionStage: string) =>
    (await second.secretsManager().send(new GetSecretValueCommand({ SecretId: SECRET_ARN, VersionStage })))
      .SecretString;

  expect(await get("AWSCURRENT")).toBe("two");
  expect(await get("AWSPREVIOUS")).toBe("one");
  await expect(get("AWSPENDING")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  await second.remove();
});

test("writing a secret needs a separate permission", async () => {
  const running = await runEndpoint(stackOf([allow("secretsmanager:GetSecretValue", SECRET_ARN)]));
  const command = new PutSecretValueCommand({ SecretId: SECRET_ARN, SecretString: "x" });

  const put = running.secretsManager(running.endpoint.credentialsFor(ROLE_ARN)).send(command);

  await expect(put).rejects.toMatchObject({ name: "AccessDeniedException" });
  await running.remove();
});

test("a secret that is not in the template is not found", async () => {
  const running = await runEndpoint(stackOf());

  const get = running.secretsManager().send(new GetSecretValueCommand({ SecretId: "Other" }));

  await expect(get).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  await running.remove();
});

function secret(generate: object) {
  return { Type: "AWS::SecretsManager::Secret", Properties: { GenerateSecretString: generate } };
}
