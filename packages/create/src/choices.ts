/** Answers that determine the project's files. */
export type Choices = Readonly<Record<ChoiceName, string>>;

export type ChoiceName = "region" | "domain" | "identity-provider" | "publishers";

/** A question that can also be answered by an option with its name. */
interface Choice {
  readonly question: string;
  readonly default: string;
  /** Example of an answer other than the default. */
  readonly example: string;
  readonly isValid: (answer: string, others: Partial<Choices>) => boolean;
  /** Description of the accepted answers, for error messages. */
  readonly expected: string;
}

const domain = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;
/** Letters, digits and single hyphens, at most 39 characters; see "Signing up for a new personal account", GitHub documentation. */
const organization = /^[a-z\d](-?[a-z\d]){0,38}$/i;

/** The questions, in order. */
export const choices: Readonly<Record<ChoiceName, Choice>> = {
  region: {
    question: "AWS region of the service",
    default: "us-east-1",
    example: "eu-central-1",
    // AWS China and AWS GovCloud are separate partitions.
    isValid: (answer) => /^(?!cn-|us-gov-|us-iso)[a-z]{2}(-[a-z]+)+-\d$/.test(answer),
    expected: 'an AWS region such as "eu-central-1"',
  },
  domain: {
    question: "Domain of the service, or none for a cloudfront.net address",
    default: "none",
    example: "drops.example.com",
    isValid: (answer) => answer === "none" || domain.test(answer),
    expected: 'a lower-case domain such as "drops.example.com", without https://, or "none"',
  },
  "identity-provider": {
    question: "Identity provider: github, or the address of an OpenID Connect issuer",
    default: "github",
    example: "https://id.example.com",
    isValid: (answer) =>
      answer === "github" || (URL.canParse(answer) && new URL(answer).protocol === "https:"),
    expected: '"github", or the https address of an issuer such as "https://id.example.com"',
  },
  publishers: {
    question:
      "Publishers: anyone, @<e-mail domain>, <GitHub organization>, or none: people whom you add later",
    default: "none",
    example: "@example.com",
    isValid: (answer, others) =>
      answer === "none" ||
      answer === "anyone" ||
      (answer.startsWith("@") && domain.test(answer.slice(1))) ||
      (organization.test(answer) && others["identity-provider"] === "github"),
    expected:
      '"anyone", an e-mail domain such as "@example.com", "none", or, with the identity provider GitHub, an organization such as "example-inc"',
  },
};

export const choiceNames = Object.keys(choices) as readonly ChoiceName[];

/** Default answers to all questions, for `--yes`. */
export const defaults = Object.fromEntries(
  choiceNames.map((name) => [name, choices[name].default]),
) as Choices;

/** Returns the error message for an answer, or undefined for a valid answer. */
export function problemOf(name: ChoiceName, answer: string, others: Partial<Choices>): string | undefined {
  const { isValid, expected } = choices[name];
  return isValid(answer, others) ? undefined : `${JSON.stringify(answer)}: use ${expected}.`;
}
