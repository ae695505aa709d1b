/** Words for requests, headers and parameters of the API. Sentences with these words do not help a user at a terminal. */
const apiWords =
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\b|\/api\/|\bheaders?\b|\bAuthorization\b|[?&]\w+=|`\w+`|"metadata\.|\bsend\b.*\bin the body\b/;

/** Command-line options, by the field that the error details name. */
const options = new Map(
  Object.entries({
    allow_secrets: "--allow-secrets",
    context: "--context",
    description: "--description",
    expires_at: "--expires",
    expires_in_days: "--expires",
    from: "--from",
    metadata: "--tag",
    note: "--note",
    owner: "--owner",
    readers: "--reader",
    title: "--title",
    to: "--to",
    visibility: "--visibility",
  }),
);

/** Maximum number of slugs in a message. */
const slugsMax = 5;

type Details = Readonly<Record<string, unknown>>;

/** Commands to run next, by error code. */
const nextSteps = new Map(
  Object.entries<(address: string) => string>({
    unauthorized: (address) =>
      process.env.DROPLEAF_TOKEN === undefined
        ? `To sign in again, run: dropleaf login ${address}`
        : `The token is from DROPLEAF_TOKEN. Set another token, or unset the variable and run: dropleaf login ${address}`,
    insufficient_scope: (address) =>
      process.env.DROPLEAF_TOKEN === undefined
        ? `To get a token with all permissions, run: dropleaf login ${address}`
        : "The token is from DROPLEAF_TOKEN. Set a token with more permissions.",
    not_found: () => "dropleaf list shows your drops.",
    title_required: () => "Give the page a <title>, or add --title <text>.",
    several_match: () => "Choose one with --to <drop>, or add a --tag that only one drop has.",
    secrets_found: () =>
      "Remove it from the page. If it is not a secret, publish again with --allow-secrets <reason>.",
    quota_exceeded: () =>
      "dropleaf rm <drop> deletes a drop, and dropleaf purge <drop> deletes a drop in the trash.",
  }),
);

/** Messages by error code. They replace messages that consist only of sentences about the API. */
const plainWords = new Map(
  Object.entries({
    unauthorized: "The token is not accepted.",
    insufficient_scope: "The token lacks the permission for this request.",
    not_found: "Not found.",
    title_required: "The page has no title.",
    several_match: "Several drops have these tags.",
    secrets_found: "The page may contain a secret.",
    quota_exceeded: "The account has reached a limit.",
  }),
);

/**
 * Rewrites an error message for a user at a terminal: removes sentences about the API, and adds the command or option that helps.
 *
 * @param address address of the service
 */
export function describeRefusal(code: string, message: string, details: Details, address: string): string {
  const sentences = message.split(/(?<=[.!?])\s+(?=\p{Lu}|["\x60])/u);
  const kept = sentences.filter((sentence) => !apiWords.test(sentence)).join(" ");
  const first = kept === "" ? (plainWords.get(code) ?? `The service refused the request (${code}).`) : kept;
  const { slugs, field } = details;
  const shown =
    Array.isArray(slugs) && slugs.length > 0 ? `They are ${slugs.slice(0, slugsMax).join(", ")}.` : "";
  const option = options.get(String(field));
  const named = option === undefined || first.includes(option) ? "" : `The option is ${option}.`;
  return [first, shown, named, nextSteps.get(code)?.(address) ?? ""].filter((part) => part !== "").join(" ");
}
