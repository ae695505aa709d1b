import * as z from "zod";
import { text, wholeNumber, withoutValue } from "./setting-kinds.ts";

const rates =
  "use 100 to 1000 in steps of 100, or 2000 to 10000 in steps of 1000, which are the rates that AWS Lambda supports";

/** Server for request bodies that API Gateway and Lambda do not accept. */
export const ingest = z.union(
  [
    z.enum(["webfunction", "none"]),
    z.strictObject({
      /**
       * Rate limit in requests per second: 100 to 1,000 in steps of 100, or 2,000 to 10,000 in steps of 1,000. A Region may support fewer
       * of these rates. 0 would refuse every body. See "ThrottleConfig", Lambda Web API reference.
       */
      requestsPerSecondMax: z
        .int(rates)
        .min(100, rates)
        .max(10_000, rates)
        .refine((rate) => rate % (rate < 1_000 ? 100 : 1_000) === 0, rates),
    }),
  ],
  'use "webfunction", "none" or a value such as { requestsPerSecondMax: 200 }',
);

/** The firewall's rate limit for a network address; see "RateBasedStatement", AWS WAF API reference. */
const firewallLimit = z.strictObject({
  /** Maximum number of requests from one network address in 5 minutes, from 10 to 2,000,000,000. */
  requestsPer5MinutesPerAddress: wholeNumber({ min: 10, max: 2_000_000_000 }),
});

export const firewall = z.union(
  [z.boolean(), firewallLimit],
  "use true, false or a value such as { requestsPer5MinutesPerAddress: 3000 }, from 10 to 2000000000",
);

export type FirewallLimit = z.input<typeof firewallLimit>;

/**
 * Maximum number of accepted secrets. The number is limited, because the template refers to each secret twice, and CloudFormation limits a
 * template to 60 references.
 */
const acceptedSecretsMax = 4;

const numberOfSecret = wholeNumber({ example: 2 });
const secretsForm = "use a value such as { sent: 1, accepted: [1, 2] }; docs/runbook.md says when";

/** The number of the secret that the edge sends, and the numbers of the secrets that API Gateway and the ingest server accept. */
export const originSecrets = z
  .strictObject(
    { sent: numberOfSecret, accepted: z.array(numberOfSecret, "use a value such as [1, 2]").readonly() },
    secretsForm,
  )
  .refine(
    ({ sent, accepted }) => accepted.includes(sent) && new Set(accepted).size === accepted.length,
    `accepted must hold sent, and each number once; ${secretsForm}`,
  )
  .check(({ value: { accepted }, issues }) => {
    if (accepted.length <= acceptedSecretsMax) return;
    const message = `has ${accepted.length} numbers: use at most ${acceptedSecretsMax}; a rotation needs two`;
    issues.push({ code: "custom", input: accepted, path: ["accepted"], message, ...withoutValue });
  });

export type OriginSecrets = Readonly<z.input<typeof originSecrets>>;

/** AWS Regions except in China and AWS GovCloud, which have separate accounts and a different CloudFront. */
export const region = text(
  /^(?!cn-|us-gov-|us-iso)[a-z]{2}(-[a-z]+)+-\d$/,
  'use an AWS Region such as "eu-central-1"',
);

/**
 * Maximum length of a stack name. CloudFormation allows 128 characters, but function names begin with the stack name and have at most 64.
 */
export const stackNameLengthMax = 40;

export const stackName = text(
  new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${stackNameLengthMax - 1}}$`),
  `use a letter, then up to ${stackNameLengthMax - 1} letters, digits and dashes, such as "Dropleaf"`,
);
