import { GetParameterCommand, PutParameterCommand } from "@aws-sdk/client-ssm";
import { expect, test } from "vitest";
import { runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const name = "/dropleaf/Drops/identity-provider";
const arn = `arn:aws:ssm:us-east-1:000000000000:parameter${name}`;
const secure = { Name: name, Type: "SecureString" } as const;
const decrypted = new GetParameterCommand({ Name: name, WithDecryption: true });

test("a parameter has its last value, also after a restart", async () => {
  const first = await runEndpoint(stackOf());
  const client = first.systemsManager();
  await client.send(new PutParameterCommand({ ...secure, Value: "one" }));
  await client.send(new PutParameterCommand({ ...secure, Value: "two", Overwrite: true }));
  await first.endpoint.stop();
  const second = await runEndpoint(stackOf(), first.dataDirectory);

  const { Parameter } = await second.systemsManager().send(decrypted);

  expect(Parameter).toMatchObject({ Name: name, Value: "two", Version: 2, ARN: arn, Type: "SecureString" });
  await second.remove();
});

test("a missing or existing parameter, or an invalid name or value, is refused", async () => {
  const running = await runEndpoint(stackOf());
  const client = running.systemsManager();
  const put = (more: object) => client.send(new PutParameterCommand({ ...secure, Value: "one", ...more }));

  await expect(client.send(decrypted)).rejects.toMatchObject({ name: "ParameterNotFound" });
  await put({});
  await expect(put({})).rejects.toMatchObject({ name: "ParameterAlreadyExists" });
  for (const wrong of [{ Name: "/aws/x" }, { Name: "/Ssm/x" }, { Name: "//x" }, { Value: "x".repeat(4_097) }])
    await expect(put({ Overwrite: true, ...wrong })).rejects.toMatchObject({ name: "ValidationException" });
  await running.remove();
});

test("a role can read only the parameters that its policy names", async () => {
  const running = await runEndpoint(stackOf([allow("ssm:GetParameter", arn)]));
  const client = running.systemsManager(running.endpoint.credentialsFor(ROLE_ARN));
  await running.systemsManager().send(new PutParameterCommand({ ...secure, Value: "one" }));

  const { Parameter } = await client.send(decrypted);

  expect(Parameter?.Value).toBe("one");
  for (const refused of [
    client.send(new PutParameterCommand({ ...secure, Value: "two", Overwrite: true })),
    client.send(new GetParameterCommand({ Name: `${name}/other`, WithDecryption: true })),
  ])
    await expect(refused).rejects.toMatchObject({ name: "AccessDeniedException" });
  await running.remove();
});
