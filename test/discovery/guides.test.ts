import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type ErrorCode, errorCatalog, wordsFor } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import { pagePatterns, readingRule } from "../../functions/discovery/advice.ts";
import { skillBytesMax, writeAgentSkill } from "../../functions/discovery/agent-files.ts";
import { writeGuide } from "../../functions/discovery/guide.ts";
import { writeMcpDocument } from "../../functions/discovery/mcp-document.ts";
import { writeOnboarding } from "../../functions/discovery/onboarding.ts";
import { onboardingResponse } from "../../functions/discovery/onboarding-schema.ts";
import {
  commonFields,
  rareFields,
  shortGuideBytesMax,
  writeShortGuide,
} from "../../functions/discovery/short-guide.ts";
import { skillDescription, skillName } from "../../functions/discovery/text-documents.ts";
import { fieldsOf } from "../../functions/http/schemas.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

const site = {
  baseUrl: "https://drops.example.com",
  ownerUrl: (namespace: string) => `https://${namespace}.drops.example.com`,
};
const guide = writeGuide(site);
const onboarding = writeOnboarding(site);
// Operations for agents. Agents have no session and open no pages, so operations for browsers are excluded.
const told = operationIds.filter(
  (id) =>
    !["show-not-found", "list-mcp-servers"].includes(id) &&
    routeOf(id).caller !== "session" &&
    !["feedback-pages", "oauth", "scim"].includes(routeOf(id).resource),
);

describe("the guide", () => {
  test.each(Object.keys(errorCatalog) as ErrorCode[])("says what to do about %s", (code) => {
    expect(guide).toMatch(
      new RegExp(`^\\| \`${code}\` \\| ${errorCatalog[code].status} \\| .+\\. \\|$`, "m"),
    );
  });

  test.each(Object.values(limits).map(String))("states the limit %s", (value) => {
    expect(guide).toMatch(new RegExp(`^\\| \`\\w+\` \\| ${value} \\| .+ \\|$`, "m"));
  });

  test.each(told)("describes the operation %s", (id) => {
    const { method, path } = routeOf(id);
    const [row = ""] = guide.split("\n").filter((line) => line.startsWith(`| \`${id}\` |`));

    expect(row).toContain(method);
    expect(row).toContain(path);
  });

  test("explains sign-in, looking up before publishing, publishing, and authoring", () => {
    for (const heading of [
      "### Sign in",
      "### Publish the first and every later version",
      "### Look up first",
      "### Publish a new drop",
      "## Write the page",
      "## Errors",
    ]) {
      expect(guide.split("\n")).toContain(heading);
    }
    for (const words of ["360 px", "self-contained", "Load no bundles", "`<style>`", "`<script>`"]) {
      expect(guide).toContain(words);
    }
    for (const { name, parts } of pagePatterns) {
      expect(guide).toContain(`### ${name}: `);
      for (const part of parts) expect(guide).toContain(`- ${part}\n`);
    }
  });

  test("names the MCP server, the client set-up and the tools", () => {
    const [, configuration = ""] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];

    expect(JSON.parse(configuration)).toEqual({
      mcpServers: {
        dropleaf: {
          type: "http",
          url: "https://drops.example.com/mcp",
          headers: { Authorization: "Bearer {api_token}" },
        },
      },
    });
    for (const { name } of mcpTools) expect(guide).toContain(`\`${name}\``);
  });

  test("has complete tables and code fences", () => {
    const lines = guide.split("\n");
    const cells = lines.filter((line) => line.startsWith("|")).map((line) => line.split(/(?<!\\)\|/).length);

    expect(lines.filter((line) => line.startsWith("```")).length % 2).toBe(0);
    expect(new Set(cells)).toEqual(new Set([5, 6]));
  });
});

describe("/llms.txt", () => {
  const guide = writeShortGuide(site);

  test("stays below 90 % of its size limit, also with a long address", () => {
    const baseUrl = `https://${"d".repeat(63)}.example.com`;
    const ownerUrl = (namespace: string) => `${baseUrl}/@${namespace}`;

    const bytes = Buffer.byteLength(writeShortGuide({ baseUrl, ownerUrl }));

    const most = 0.9 * shortGuideBytesMax;
    expect(
      bytes,
      `${bytes} bytes: ${Math.ceil(bytes - most)} too many. Each call has a line with its summary. Shorten the summary of yours, or a sentence of short-guide.ts.`,
    ).toBeLessThan(most);
  });

  const calls = operationIds.map(routeOf).filter(({ errorsAs, path, resource, servedBy }) => {
    return (
      errorsAs === "json" &&
      path.startsWith("/api/") &&
      // People manage teams and grant access; agents publish for teams with a token, and list access requests with a
      // tool.
      !["access-requests", "discovery", "teams"].includes(resource) &&
      servedBy === undefined
    );
  });

  test.each(calls.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "describes %s with all its fields and parameters",
    (call, { query, body, method }) => {
      const starts = [`${call}: `, `${call} `];
      const line = guide.split("\n").find((one) => starts.some((start) => one.startsWith(start))) ?? "";
      const fields = typeof body === "object" ? fieldsOf(body.json) : [];
      const parameters = query === undefined ? [] : fieldsOf(query);

      // An ellipsis stands for the fields that all publications have.
      const whole = line.replace("…", commonFields.join(", "));
      expect(guide).toContain(`…: ${commonFields.join(", ")}.`);
      expect(line).toContain(call);
      for (const { name } of [...fields, ...parameters]) {
        if (!rareFields.includes(name) && (name !== "html" || method !== "PATCH"))
          expect(whole).toMatch(new RegExp(`[ {?]${name}\\b`));
      }
    },
  );

  test("links to the other documents", () => {
    const targets = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);

    const paths = ["/api/onboard?format=md", "/api/onboard", "/.well-known/agent-skills/dropleaf/SKILL.md"];
    const ofApi = ["/openapi.json", "/docs", "/.well-known/api-catalog"];
    expect(targets).toEqual([...paths, ...ofApi].map((path) => site.baseUrl + path));
  });

  test("begins with the call that publishes at one URL", () => {
    const [, first = ""] = guide.split(/^## Calls$[^`]*^```\n/m);

    expect(first).toMatch(/^PUT \/api\/drops \?metadata\.<key>\*/);
  });
});

describe("the guide as data", () => {
  test("matches the schema of its route", () => {
    expect(z.parse(onboardingResponse, onboarding)).toEqual(onboarding);
  });

  test("has every code with the catalogue's status and message, every limit and every operation", () => {
    expect(onboarding.errors.map(({ code, status, message }) => [code, { status, message }])).toEqual(
      Object.entries(errorCatalog).map(([code, { status, message }]) => [
        code,
        { status, message: wordsFor("http", message) },
      ]),
    );
    expect(onboarding.errors.every(({ what_to_do }) => what_to_do.endsWith("."))).toBe(true);
    expect(onboarding.limits.map(({ value }) => value)).toEqual(Object.values(limits));
    expect(onboarding.operations.map(({ id }) => id)).toEqual(told);
  });

  test("uses only values that the agent has or an earlier step has stored", () => {
    const brought = [
      "label",
      "project",
      "title",
      "html",
      "passcode",
      "filename",
      "content_type",
      "slug",
      "api_token",
    ];

    for (const { steps } of Object.values(onboarding.recipes)) {
      const known = new Set(brought);
      for (const step of steps) {
        const { keep = {}, ...written } = step as { keep?: object };
        for (const [, name = ""] of JSON.stringify(written).matchAll(/\{(\w+)\}/g))
          expect(known).toContain(name);
        for (const name of Object.keys(keep)) known.add(name);
      }
    }
  });

  test("refers only to existing recipes", () => {
    const steps = Object.values(onboarding.recipes).flatMap((recipe) => recipe.steps);
    const named = steps
      .flatMap((step) => ("next" in step ? (step.next ?? []) : []))
      .map(({ recipe }) => recipe);

    expect(named.length).toBeGreaterThan(0);
    expect(Object.keys(onboarding.recipes)).toEqual(expect.arrayContaining(named));
  });
});

describe("SKILL.md", () => {
  const skill = writeAgentSkill(site);
  const [, frontMatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];

  test("has at most 6 KB, also with a long address", () => {
    const baseUrl = `https://${"d".repeat(63)}.example.com`;
    const ownerUrl = (namespace: string) => `${baseUrl}/@${namespace}`;

    expect(Buffer.byteLength(writeAgentSkill({ baseUrl, ownerUrl }))).toBeLessThanOrEqual(skillBytesMax);
    expect(skillBytesMax).toBe(6 * 1024);
  });

  test("has the rule about readers, the first calls and the authoring rules, worded as in the guides", () => {
    const lines = skill.split("\n");
    const [firstCalls = ""] =
      /## Token, once[\s\S]*?several drops have it\./.exec(writeShortGuide(site)) ?? [];

    expect(lines).toContain(readingRule);
    expect(writeMcpDocument(site)).toMatchObject({
      instructions: expect.stringContaining(`- ${readingRule}`),
    });
    expect(firstCalls).toContain("curl");
    expect(skill).toContain(firstCalls);
    for (const rule of onboarding.authoring) expect(lines).toContain(`- ${rule}`);
  });

  test.each(onboarding.patterns)(
    "teaches the pattern $name, like the guide as data",
    ({ name, purpose, parts }) => {
      expect(skill).toContain(`## ${name}: ${purpose}\n\n${parts.map((part) => `- ${part}\n`).join("")}`);
    },
  );

  test("has five patterns, and says what the viewer changes on a page", () => {
    expect(onboarding.patterns.map(({ name }) => name)).toEqual([
      "Report",
      "Dashboard",
      "Plan",
      "Sign-off sheet",
      "Poll",
    ]);
    for (const words of [
      "localStorage",
      "color-scheme: light dark",
      "360 px",
      "`<title>`",
      "whole URLs",
      "`#id`",
    ]) {
      expect(skill).toContain(words);
    }
  });

  test("links to the calls, recipes and the OpenAPI document", () => {
    const targets = [...skill.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);

    expect(targets).toEqual([
      `${site.baseUrl}/llms.txt`,
      `${site.baseUrl}/api/onboard?format=md`,
      `${site.baseUrl}/openapi.json`,
    ]);
  });

  test("begins with a name and a description, as the Agent Skills specification requires", () => {
    expect(frontMatter).toBe(`name: ${skillName}\ndescription: >-\n  ${skillDescription}`);
    expect(skillName).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(skillDescription.length).toBeLessThanOrEqual(1024);
  });
});
