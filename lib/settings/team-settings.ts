import * as z from "zod";
import { readReaders } from "../../functions/identity/reader-names.ts";
import { presentReader } from "../../functions/policies/access.ts";
import { choice } from "./setting-kinds.ts";

const creation = choice(["operator", "members"]);

const example =
  'use "operator", "members", or a value such as { creation: "members", leavers: ["group:people-team"] }';

const teamSettings = z.strictObject(
  {
    /** People who may create a team. @default "operator" */
    creation: z.optional(creation),
    /**
     * People who may move the drops of former members into a team of their own. Written like the `readers` of a drop: e-mail addresses,
     * `@domain`, `username:…` and `group:…`.
     *
     * @default - only operators
     */
    leavers: z.optional(
      z
        .array(z.string(), 'use a list, such as ["group:people-team"]')
        .check(({ value, issues }) => {
          const read = readReaders(value, "people");
          if ("message" in read)
            issues.push({
              code: "custom",
              input: value,
              message: 'use a list of readers, such as ["group:people-team"]',
            });
        })
        .readonly(),
    ),
  },
  example,
);

/** The setting `teams`. */
export const teams = z.union([creation, teamSettings], example);

/** Serializes `teams.leavers` as JSON, in the normalized spelling of a drop's readers. */
export function leaversOf(given: z.input<typeof teams> | undefined): string | undefined {
  if (given === undefined || typeof given === "string" || given.leavers === undefined) return undefined;
  const read = readReaders(given.leavers, "people");
  if ("message" in read) throw new Error(read.message);
  return JSON.stringify(read.map(presentReader));
}
