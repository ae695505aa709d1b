import { isTokenPlaintext } from "../table/identifiers.ts";

/** A format that identifies a secret by itself. */
interface TokenFormat {
  readonly rule: string;
  /** Source of a regular expression without capturing groups. Every repetition is bounded. */
  readonly pattern: string;
  /** Confirms a match, such as by its checksum. @default - every match counts */
  readonly isReal?: (match: string) => boolean;
}

/**
 * Token formats that the preset of secretlint lacks: those of this service, and of vendors that publish their format. Sources: the vendors'
 * documentation, and the rules of gitleaks and of GitHub's "Supported secret scanning patterns".
 */
const formats: readonly TokenFormat[] = [
  { rule: "dropleaf-token", pattern: "hb_[0-9A-Za-z]{36}", isReal: isTokenPlaintext },
  { rule: "dropleaf-token", pattern: "scim_[0-9A-Za-z]{43}" },
  { rule: "dropleaf-publication-url", pattern: String.raw`api/publications/page\?key=[\w-]{20,100}` },
  { rule: "1password", pattern: "ops_eyJ[A-Za-z0-9+/]{200,2000}={0,3}" },
  { rule: "adobe", pattern: "p8e-[A-Za-z0-9]{32}" },
  { rule: "age", pattern: "AGE-SECRET-KEY-1[A-Z0-9]{58}" },
  { rule: "airtable", pattern: String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}` },
  { rule: "alibaba", pattern: "LTAI[A-Za-z0-9]{20}" },
  { rule: "anthropic", pattern: String.raw`sk-ant-admin01-[\w-]{93}AA` },
  { rule: "artifactory", pattern: "AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}" },
  { rule: "atlassian", pattern: "AT[AC]TT3[A-Za-z0-9_=-]{180,250}" },
  { rule: "aws-access-key-id", pattern: "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" },
  { rule: "aws-bedrock", pattern: "ABSK[A-Za-z0-9+/]{109,269}={0,2}" },
  { rule: "azure", pattern: String.raw`[\w~.]{3}[0-9]Q~[\w~.-]{31,34}` },
  { rule: "brevo", pattern: "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}" },
  { rule: "clickhouse", pattern: "4b1d[A-Za-z0-9]{38}" },
  { rule: "clojars", pattern: "CLOJARS_[A-Za-z0-9]{60}" },
  { rule: "cloudflare", pattern: String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}` },
  { rule: "contentful", pattern: String.raw`CFPAT-[\w-]{43}` },
  { rule: "crates", pattern: "cio[A-Za-z0-9]{32}" },
  { rule: "defined-networking", pattern: "dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}" },
  { rule: "digitalocean", pattern: "do[oprt]_v1_[a-f0-9]{64}" },
  {
    rule: "discord-webhook",
    pattern: String.raw`https://(?:canary\.|ptb\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[\w-]{60,80}`,
  },
  {
    rule: "doppler",
    pattern: String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  },
  { rule: "dropbox", pattern: String.raw`sl\.[\w=-]{130,152}` },
  { rule: "duffel", pattern: "duffel_(?:test|live)_[A-Za-z0-9_=-]{43}" },
  { rule: "dynatrace", pattern: String.raw`dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}` },
  { rule: "easypost", pattern: "EZ[AT]K[A-Za-z0-9]{54}" },
  { rule: "facebook", pattern: "EAA[MC][A-Za-z0-9]{100,250}" },
  { rule: "flutterwave", pattern: "FLW(?:SECK|PUBK)_TEST-[a-h0-9]{12,32}(?:-X)?" },
  { rule: "fly", pattern: String.raw`fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,500}={0,3}` },
  { rule: "frameio", pattern: "fio-u-[A-Za-z0-9_=-]{64}" },
  {
    rule: "github",
    pattern: String.raw`gh[oprsu]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82}|ghs_[0-9]{1,20}_[\w-]{20}[\w.-]{0,2000}`,
  },
  {
    rule: "gitlab",
    pattern: String.raw`gl(?:agent|cbt|dt|ffct|ft|imt|oas|ptt|rt|soat|wt)-[\w.-]{20,130}|GR1348941[\w-]{20}`,
  },
  { rule: "google-api-key", pattern: String.raw`AIza[\w-]{35}` },
  { rule: "google-oauth", pattern: String.raw`GOCSPX-[\w-]{28}|ya29\.[\w-]{30,250}` },
  { rule: "grafana", pattern: "eyJrIjoi[A-Za-z0-9]{70,400}={0,3}" },
  { rule: "harness", pattern: String.raw`[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}` },
  { rule: "heroku", pattern: String.raw`HRKU-AA[\w-]{58}` },
  { rule: "huggingface", pattern: "api_org_[A-Za-z]{34}" },
  { rule: "infracost", pattern: "ico-[A-Za-z0-9]{32}" },
  { rule: "intra42", pattern: "s-s4t2(?:af|ud)-[a-f0-9]{64}" },
  { rule: "jwt", pattern: String.raw`eyJ[\w-]{14,2000}\.eyJ[\w-]{14,4000}\.[\w-]{20,1000}` },
  { rule: "langsmith", pattern: "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}" },
  { rule: "mailchimp", pattern: "[a-f0-9]{32}-us[0-9]{1,2}" },
  { rule: "mailgun", pattern: "(?:pub)?key-[a-f0-9]{32}" },
  {
    rule: "mapbox",
    pattern: String.raw`[ps]k\.[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}|sk\.eyJ1[\w-]{40,150}\.[\w-]{22}`,
  },
  { rule: "maxmind", pattern: "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk" },
  {
    rule: "microsoft-teams-webhook",
    pattern: String.raw`webhook\.office\.com/webhookb2/[a-z0-9@-]{36,80}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36}`,
  },
  { rule: "netlify", pattern: "nfp_[A-Za-z0-9]{36,40}" },
  { rule: "new-relic", pattern: "NR(?:AK-[A-Za-z0-9]{27}|II-[A-Za-z0-9-]{32}|JS-[a-f0-9]{19})" },
  { rule: "notion", pattern: "secret_[A-Za-z0-9]{43}" },
  { rule: "nuget", pattern: "oy2[a-z0-9]{43}" },
  { rule: "octopus", pattern: "API-[A-Z0-9]{26}" },
  { rule: "openrouter", pattern: "sk-or-v1-[a-f0-9]{64}" },
  { rule: "openshift", pattern: String.raw`sha256~[\w-]{43}` },
  { rule: "perplexity", pattern: "pplx-[A-Za-z0-9]{48}" },
  { rule: "plaid", pattern: "access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}" },
  { rule: "planetscale", pattern: String.raw`pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}` },
  { rule: "postman", pattern: "PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}" },
  { rule: "prefect", pattern: "pnu_[A-Za-z0-9]{36}" },
  { rule: "pulumi", pattern: "pul-[a-f0-9]{40}" },
  { rule: "pypi", pattern: String.raw`pypi-AgE[\w-]{50,1000}` },
  { rule: "readme", pattern: "rdme_[a-z0-9]{70}" },
  { rule: "replicate", pattern: "r8_[A-Za-z0-9]{37}" },
  { rule: "resend", pattern: "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" },
  { rule: "rubygems", pattern: "rubygems_[a-f0-9]{48}" },
  { rule: "scalingo", pattern: String.raw`tk-us-[\w-]{48}` },
  { rule: "sendgrid", pattern: String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}` },
  { rule: "sentry", pattern: "sntrys_[A-Za-z0-9+/=_-]{60,800}|sntryu_[a-f0-9]{64}" },
  { rule: "settlemint", pattern: "sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}" },
  { rule: "shippo", pattern: "shippo_(?:live|test)_[A-Fa-f0-9]{40}" },
  {
    rule: "slack",
    pattern: String.raw`xoxe(?:\.xox[bp])?-[0-9]-[A-Za-z0-9]{140,180}|xox[cdes]-[A-Za-z0-9%/+-]{10,250}|https://hooks\.slack\.com/(?:workflows|triggers)/[A-Za-z0-9+/]{43,60}`,
  },
  { rule: "sonar", pattern: "sq[apu]_[a-f0-9]{40}" },
  { rule: "sourcegraph", pattern: "sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}" },
  { rule: "square", pattern: String.raw`sq0(?:atp|csp|idp)-[\w-]{22,43}|EAAA[\w-]{56,60}` },
  { rule: "stripe", pattern: "[rs]k_prod_[A-Za-z0-9]{10,99}" },
  { rule: "supabase", pattern: String.raw`sbp_[a-f0-9]{40}|sb_secret_[\w-]{31}` },
  { rule: "telegram", pattern: "[0-9]{8,10}:A[A-Za-z0-9_-]{34}" },
  { rule: "terraform", pattern: String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}` },
  { rule: "twilio", pattern: "SK[0-9a-f]{32}" },
  { rule: "typeform", pattern: String.raw`tfp_[\w=.-]{59}` },
  { rule: "webhook-secret", pattern: "whsec_[A-Za-z0-9+/]{32,64}={0,2}" },
  { rule: "xai", pattern: "xai-[A-Za-z0-9]{80}" },
  { rule: "yandex", pattern: String.raw`AQVN[\w-]{35,38}|t1\.[\w-]{20,200}={0,2}\.[\w-]{86}={0,2}` },
];

/** Matches any of the formats where a token can start and end. The number of its group is the format's. */
const anyFormat = new RegExp(
  `(?<![A-Za-z0-9_])(?:${formats.map(({ pattern }) => `(${pattern})`).join("|")})(?![A-Za-z0-9])`,
  "g",
);

/** A match of a rule: offsets in the text. */
export interface SecretMatch {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the tokens of known formats in a text. */
export function* findKnownTokens(text: string): Generator<SecretMatch> {
  for (const found of text.matchAll(anyFormat)) {
    const format = formats[found.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    const [match] = found;
    if (format === undefined || format.isReal?.(match) === false) continue;
    yield { rule: format.rule, start: found.index, end: found.index + match.length };
  }
}

/** Names of values that are secrets. */
const names =
  "(?:access|account|api|app|auth|client|consumer|encryption|license|master|private|secret|service|session|shared|signing|storage|subscription|webhook)[_. -]?key|secret|token|passw(?:or)?d|passwd|pwd|passphrase|credentials?|creds";

/** Text between a name and its value in code, JSON, YAML, shell, markup and headers. */
const connection = String.raw`["'\x60\]\)]{0,3}(?:[ \t]{1,5}(?:string|str|String))?\s{0,5}(?:=>|[:?|+.]{0,3}={1,2}|:{1,2}|,|\s{1,5}(?:value|content)=)\s{0,5}["'\x60\\]{0,3}`;

/** A name from its last word on, and its value: the groups. The lookahead takes the value once, so that a text cannot cause backtracking. */
const namedValue = new RegExp(
  String.raw`((?:${names})[\w.-]{0,20}?)${connection}(?=([\w+/=.~-]{10,200}))\2(?![\w+/=.~(-])`,
  "gi",
);

/** A header that authenticates, with its value. */
const authorization =
  /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?(?:basic|bearer|token|apikey)\s{1,5}([\w+/=.~-]{16,1000})/gi;

/** The start of a private key with a part of its text. Markup is removed, and its entities are decoded, before. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^<>-]{0,300}?(?:\\n|\s)[A-Za-z0-9+/\\\s]{0,20}[A-Za-z0-9+/]{32}/g;

/** Names whose values look alike, and may be public. */
const publicName =
  /csrf|xsrf|nonce|public|publish|anon|continuation|cursor|page_?token|next|sync|etag|cache|integrity|captcha|site_?key|design|color|syntax|lexer|parser|selector|token_?(type|uri|url|endpoint|name|count|limit|id|index|kind|max)|secret_?(name|id|arn|ref)|key_?(name|id|code|path|arn)|(arn|path|file|url|uri|hint|regex|pattern|type|format)$/i;

const bitsMin = 3.4;

/** Recognizes values that people write in place of secrets, and texts that are not random. */
export function isExample(value: string): boolean {
  return (
    /example|sample|placeholder|dummy|change.?me|redacted|your[-_. ]|insert|replace|x{5,}|\*{4}|\.{3}|0{8}|1234567|abcdefg|deadbeef|qwerty/i.test(
      value,
    ) || new Set(value).size < Math.min(8, value.length / 2)
  );
}

/** Finds opaque values beside names such as `api_key`, headers that authenticate, and private keys. */
export function* findNamedValues(text: string): Generator<SecretMatch> {
  for (const { index, 0: match } of text.matchAll(privateKey))
    yield { rule: "privatekey", start: index, end: index + match.length };
  for (const { index, 0: match, 1: value = "" } of text.matchAll(authorization))
    if (isOpaque(value))
      yield {
        rule: "authorization-header",
        start: index + match.length - value.length,
        end: index + match.length,
      };
  for (const { index, 0: match, 1: name = "", 2: value = "" } of text.matchAll(namedValue)) {
    const [firstWords = ""] = /[\w-]*$/.exec(text.slice(Math.max(0, index - 40), index)) ?? [];
    if (!publicName.test(firstWords + name) && isOpaque(value))
      yield { rule: "named-value", start: index + match.length - value.length, end: index + match.length };
  }
}

/** Recognizes values in which letters and digits are mixed at random: no addresses, paths, versions, calls and words with separators. */
function isOpaque(value: string): boolean {
  const digitRuns = value.match(/[0-9]+/g)?.length ?? 0;
  if (digitRuns < (value.length < 20 ? 2 : 3) || !/[a-z]/i.test(value)) return false;
  const parts = value.split(/[-_./+=~]+/).filter((part) => part !== "");
  const words = parts.filter((part) => /^[A-Za-z]*[0-9]{0,3}$/.test(part));
  return words.join("").length * 2 < value.length && entropyBits(value) >= bitsMin;
}

/** Shannon entropy of a text's characters in bits for each. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return -[...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum + share * Math.log2(share);
  }, 0);
}
