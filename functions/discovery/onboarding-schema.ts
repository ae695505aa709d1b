import * as z from "zod/mini";
import { schema } from "../http/schemas.ts";

const call = /* @__PURE__ */ schema(() =>
  z.object({
    operation: z.string(),
    why: z.string(),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.optional(z.record(z.string(), z.unknown())),
    status: z.int(),
    also_status: z.optional(z.int()),
    keep: z.optional(z.record(z.string(), z.string())),
    repeat: z.optional(
      z.object({ while: z.record(z.string(), z.array(z.string())), every_seconds: z.int() }),
    ),
    next: z.optional(
      z.array(
        z.object({
          when: z.string(),
          equals: z.optional(z.unknown()),
          recipe: z.string(),
          keep: z.optional(z.record(z.string(), z.string())),
        }),
      ),
    ),
  }),
);

const human = /* @__PURE__ */ schema(() => z.object({ human: z.string(), show: z.array(z.string()) }));

/** Response of `GET /api/onboard`, the guide for agents as JSON. */
export const onboardingResponse = /* @__PURE__ */ schema(() =>
  z.object({
    service: z.string(),
    summary: z.string(),
    api_version: z.string(),
    base_url: z.url(),
    owner_url: z.string(),
    documents: z.record(z.string(), z.url()),
    how_to_read_recipes: z.string(),
    recipes: z.record(z.string(), z.object({ goal: z.string(), steps: z.array(z.union([human, call])) })),
    mcp: z.object({
      url: z.url(),
      configuration: z.record(z.string(), z.unknown()),
      tools: z.array(z.object({ name: z.string(), operation: z.string() })),
    }),
    authoring: z.array(z.string()),
    patterns: z.array(z.object({ name: z.string(), purpose: z.string(), parts: z.array(z.string()) })),
    rules: z.array(z.string()),
    limits: z.array(z.object({ name: z.string(), value: z.int(), meaning: z.string() })),
    errors: z.array(
      z.object({ code: z.string(), status: z.int(), message: z.string(), what_to_do: z.string() }),
    ),
    operations: z.array(
      z.object({
        id: z.string(),
        method: z.string(),
        url: z.string(),
        summary: z.string(),
        needs_token: z.boolean(),
        counts_as_write: z.boolean(),
      }),
    ),
  }),
);

export type OnboardingResponse = z.output<typeof onboardingResponse>;
