import * as z from "zod";
import { text, wholeNumber, withoutValue } from "./setting-kinds.ts";

const rates =
  "write 100 to 1000 in steps of 100, or 2000 to 10000 in steps of 1000, which are the rates that AWS Lambda supports";

/** Server for request bodies that API Gateway and Lambda do not accept. */
export const ingest = z.union(
  [
    z.enum(["webfunction", "none"]),
    z.strictObject({
      /**
       * 100 to 1,000 in steps of 100, or 2,000 to 10,000 in steps of 1,000. A Region may have fewer of these. Lambda Web API reference,
       * "ThrottleConfig"; 0 would refuse every body.
       */
      requestsPerSecondMax: z
        .int(rates)
        .min(100, rates)
        .max(10_000, rates)
        .refine((rate) => rate % (rate < 1_000 ? 100 : 1_000) === 0, rates),
    }),
  ],
  'write "webfunction", "none" or such as { requestsPerSecondMax: 200 }',
);

/** Limit of the firewall for one network address; AWS WAF API reference, "RateBasedStatement". */
const firewallLimit = z.strictObject({
  /** From 10 to 2,000,000,000. */
  requestsPer5MinutesPerAddress: wholeNumber({ min: 10, max: 2_000_000_000 }),
});

export const firewall = z.union(
  [z.boolean(), firewallLimit],
  "write true, false or such as { requestsPer5MinutesPerAddress: 3000 }, from 10 to 2000000000",
);

export type FirewallLimit = z.input<typeof firewallLimit>;

/** Limit of accepted secrets: CloudFormation resolves each twice, and a template may have 60 references. */
const acceptedSecretsMax = 4;

const numberOfSecret = wholeNumber({ example: 2 });
const secretsForm = "write such as { sent: 1, accepted: [1, 2] }; docs/runbook.md says when";

/** The number of the secret that the edge sends, and those that API Gateway and the ingest server accept. */
export const originSecrets = z
  .strictObject(
    { sent: numberOfSecret, accepted: z.array(numberOfSecret, "write such as [1, 2]").readonly() },
    secretsForm,
  )
  .refine(
    ({ sent, accepted }) => accepted.includes(sent) && new Set(accepted).size === accepted.length,
    `accepted must hold sent, and each number once; ${secretsForm}`,
  )
  .check(({ value: { accepted }, issues }) => {
    if (accepted.length <= acceptedSecretsMax) return;
    const message = `has ${accepted.length} numbers: write at most ${acceptedSecretsMax}; a rotation needs two`;
    issues.push({ code: "custom", input: accepted, path: ["accepted"], message, ...withoutValue });
  });

export type OriginSecrets = Readonly<z.input<typeof originSecrets>>;

/** Regions other than those of China and AWS GovCloud, whose accounts are separate and whose CloudFront differs. */
export const region = text(
  /^(?!cn-|us-gov-|us-iso)[a-z]{2}(-[a-z]+)+-\d$/,
  'write a region of AWS such as "eu-central-1"',
);

/** Shorter than CloudFormation's 128: names of functions begin with it, and have 64 characters at most. */
export const stackNameLengthMax = 40;

export const stackName = text(
  new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${stackNameLengthMax - 1}}$`),
  `write a letter, then up to ${stackNameLengthMax - 1} letters, digits and dashes, such as "Dropleaf"`,
);
