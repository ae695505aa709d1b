import { createHash } from "node:crypto";
import { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readAgentSkillRoute } from "../../functions/discovery/rows.ts";
import { skillDescription, skillName } from "../../functions/discovery/text-documents.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp, type McpClient, revisions } from "../support/mcp-client.ts";

const folder = "skill://dropleaf";
const uri = `${folder}/SKILL.md`;

/** The text of the skill that the site serves. */
let served: string;

beforeAll(async () => {
  served = (await fetchPage(readAgentSkillRoute.path)).text;
});

const anyResult = z.looseObject({});

/** Sends a request for which the clients have no method. */
function request({ client }: McpClient, method: string, params: object): Promise<Record<string, unknown>> {
  const message = { method, params: { ...params } };
  return client instanceof Client ? client.request(message, anyResult) : client.request(message, anyResult);
}

// SEP-2640, as in specification/stable/skills.mdx of modelcontextprotocol/ext-skills.
describe.each(revisions)("the Skills extension in revision %s", (revision) => {
  const connect = () => connectMcp(undefined, revision);

  test("is declared with support for reading folders and without notifications", async () => {
    const { client } = await connect();

    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    });
  });

  test("lists the skill that the site serves, with the digest and size of its bytes", async () => {
    const mcp = await connect();

    const { skills } = await request(mcp, "skills/list", {});
    const { skill } = await request(mcp, "skills/get", { uri });
    const { contents } = await mcp.client.readResource({ uri });

    const digest = `sha256:${createHash("sha256").update(served).digest("hex")}`;
    expect(skills).toEqual([skill]);
    expect(skill).toMatchObject({
      uri,
      frontmatter: { name: skillName, description: skillDescription },
      resources: [{ uri, digest, size: Buffer.byteLength(served) }],
    });
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: served }]);
    expect(served).toContain(baseUrl());
  });

  test("lists the file of the skill's folder", async () => {
    const { resources } = await request(await connect(), "resources/directory/read", { uri: folder });

    expect(resources).toMatchObject([{ uri, mimeType: "text/markdown" }]);
  });

  test.each(["skill://dropleaf/OTHER.md", "skill://other/SKILL.md"])(
    "refuses %s with -32602",
    async (unknown) => {
      const mcp = await connect();

      await expect(mcp.client.readResource({ uri: unknown })).rejects.toMatchObject({ code: -32_602 });
      await expect(request(mcp, "skills/get", { uri: unknown })).rejects.toMatchObject({ code: -32_602 });
    },
  );
});
