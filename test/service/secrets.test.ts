import { randomBytes, randomInt } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { type Account, newAccount, pageOf } from "../support/accounts.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { sendInChunks } from "../support/upload.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("publisher");
});

const secret = createTokenPlaintext(randomInt);

/** Returns the findings and warnings of a response, and checks that it does not contain the secret. */
function findings({ status, text }: ReceivedResponse) {
  expect(text).not.toContain(secret.slice(3));
  const { secrets, warnings } = JSON.parse(text);
  return { status, secrets, warnings };
}

const warnsOf = (place: string) => [
  expect.stringContaining(`There may be a secret: dropleaf-token in ${place}. `),
];

test("a page with a secret is published, and the response names its position", async () => {
  const html = `<title>Notes</title>\n<p>The token: ${secret}</p>`;

  const response = await account.api.call("publish-drop", { body: { html, title: "Notes" } });

  expect(findings(response)).toEqual({
    status: 201,
    secrets: [{ rule: "dropleaf-token", line: 2, column: 15 }],
    warnings: warnsOf("line 2, column 15 of the page"),
  });
});

test("the response to a page without secrets has no findings and no warnings", async () => {
  const response = await account.api.call("publish-drop", { body: { html: pageOf("one"), title: "One" } });

  expect(findings(response)).toEqual({ status: 201, secrets: undefined, warnings: undefined });
});

test("new versions and upserts are scanned, including the context", async () => {
  const { slug } = await account.api.succeed("publish-drop", { body: { html: pageOf("one"), title: "One" } });
  const body = { html: pageOf("two"), context: `prompt\nuse ${secret}` };
  const found = {
    status: 200,
    secrets: [{ rule: "dropleaf-token", line: 2, column: 5, field: "context" }],
    warnings: warnsOf("line 2, column 5 of the context"),
  };

  expect(findings(await account.api.call("publish-version", { params: { slug }, body }))).toEqual(found);
  expect(
    findings(
      await account.api.call("upsert-drop", {
        query: { "metadata.project": slug },
        body: { ...body, title: "Two" },
      }),
    ),
  ).toEqual({ ...found, status: 201 });
});

test("title, description, note and metadata are scanned, and each position names its field", async () => {
  const key = `pul-${randomBytes(20).toString("hex")}`;
  const opaque = "s8Kz7yV2xW5nB3mT9rP4";
  const body = {
    html: pageOf("one"),
    title: `Use ${key}`,
    description: `See ${key}`,
    note: key,
    metadata: { project: "one", api_key: opaque },
  };

  const { secrets, warnings } = JSON.parse((await account.api.call("publish-drop", { body })).text);

  expect(secrets).toEqual([
    { rule: "pulumi", line: 1, column: 1, field: "note" },
    { rule: "pulumi", line: 1, column: 5, field: "title" },
    { rule: "pulumi", line: 1, column: 5, field: "description" },
    { rule: "named-value", line: 2, column: 10, field: "metadata" },
  ]);
  expect(warnings.join()).toContain("There may be 4 secrets: pulumi in line 1, column 1 of the note; ");
  expect(warnings.join()).not.toContain(key);
});

test("a restored version is scanned again, including its context", async () => {
  const { slug } = await account.api.succeed("publish-drop", {
    body: { html: `<p>${secret}</p>`, context: secret, title: "Old" },
  });
  await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("new") } });

  const restored = await account.api.call("restore-version", { params: { slug }, body: { version: 1 } });

  expect(findings(restored)).toEqual({
    status: 200,
    secrets: [
      { rule: "dropleaf-token", line: 1, column: 4 },
      { rule: "dropleaf-token", line: 1, column: 1, field: "context" },
    ],
    warnings: [
      expect.stringContaining("There may be 2 secrets: dropleaf-token in line 1, column 4 of the page"),
    ],
  });
});

test("a position in Markdown refers to the source, also for a page sent to an upload URL", async () => {
  const { url } = await account.api.succeed("start-publish", { body: { title: "Notes" } });

  const response = await fetchPage(url, {
    method: "POST",
    headers: { "content-type": "text/markdown" },
    body: `# Notes\n\n- \`${secret}\`\n`,
  });

  expect(findings(response)).toEqual({
    status: 201,
    secrets: [{ rule: "dropleaf-token", line: 3, column: 4 }],
    warnings: warnsOf("line 3, column 4 of the Markdown"),
  });
});

test("a repeated request with the same Idempotency-Key returns the same findings", async () => {
  const call = () =>
    account.api.call("publish-drop", {
      body: { html: `<p>${secret}</p>`, title: "Twice" },
      headers: { "idempotency-key": "secrets-twice" },
    });

  const first = findings(await call());

  expect(findings(await call())).toEqual(first);
  expect(first.secrets).toHaveLength(1);
});

test("a text file is scanned, whether it is sent whole, in chunks or in steps, and a binary file is not", async () => {
  const { token } = account.api;
  const authorization = `Bearer ${token}`;
  const text = Buffer.from(`DEBUG=1\nTOKEN=${secret}\n`);
  const found = {
    status: 201,
    secrets: [{ rule: "dropleaf-token", line: 2, column: 7 }],
    warnings: warnsOf("line 2, column 7 of the file"),
  };
  const upload = (body: Buffer) =>
    fetchPage("/api/blobs?filename=app.env", {
      method: "POST",
      headers: { authorization, "content-type": "application/octet-stream" },
      body,
    });

  expect(findings(await upload(text))).toEqual(found);
  expect(findings(await upload(Buffer.concat([Buffer.from([0, 1, 2]), text])))).toMatchObject({
    secrets: undefined,
  });
  const headers = { authorization, "content-type": "text/plain" };
  expect(findings(await sendInChunks("/api/blobs?filename=app.env", text, { headers }))).toEqual(found);
  const started = await account.api.succeed("start-upload", {
    body: { filename: "app.env", size_bytes: text.byteLength },
  });
  await fetch(started.url, { method: "PUT", headers: started.headers, body: text });
  expect(findings(await account.api.call("complete-upload", { params: { id: started.id } }))).toEqual(found);
});

test("a tool's result contains the warning as text", async () => {
  const mcp = await connectMcp(account.api.token);

  const { content } = await mcp.call("publish_drop", { html: `<p>${secret}</p>`, title: "By a tool" });

  expect(JSON.stringify(content)).toContain(
    "Warning: There may be a secret: dropleaf-token in line 1, column 4",
  );
  expect(JSON.stringify(content)).not.toContain(secret.slice(3));
});
