import { isTokenPlaintext } from "../table/identifiers.ts";

/** A token format that identifies a secret without any context. */
export interface TokenFormat {
  readonly rule: string;
  /** Literals at the start of a token, separated by spaces. */
  readonly starts: string;
  /** Source of a regular expression for the text after the literal. It has no capturing groups, and all repetitions are bounded. */
  readonly rest: string;
  /**
   * Pattern of the text before the literal, and the possible lengths of this text.
   * @default - the token starts with the literal
   */
  readonly before?: { readonly pattern: string; readonly lengths: readonly number[] };
  /** Verifies a match, for example by its checksum. @default - matches are not verified */
  readonly isReal?: (match: string) => boolean;
}

/**
 * Token formats that secretlint's preset lacks, of this service and of vendors. The sources are the vendors' documentation, the rules of
 * gitleaks, and GitHub's "Supported secret scanning patterns". If several formats match the same text, the rule of the first one is
 * reported.
 */
export const tokenFormats: readonly TokenFormat[] = [
  { rule: "dropleaf-token", starts: "hb_", rest: "[0-9A-Za-z]{36}", isReal: isTokenPlaintext },
  { rule: "dropleaf-token", starts: "scim_", rest: "[0-9A-Za-z]{43}" },
  { rule: "dropleaf-publication-url", starts: "api/publications/page?key=", rest: String.raw`[\w-]{20,100}` },
  { rule: "1password", starts: "ops_eyJ", rest: "[A-Za-z0-9+/]{200,2000}={0,3}" },
  { rule: "adobe", starts: "p8e-", rest: "[A-Za-z0-9]{32}" },
  { rule: "age", starts: "AGE-SECRET-KEY-1", rest: "[A-Z0-9]{58}" },
  { rule: "airtable", starts: "pat", rest: String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{64}` },
  { rule: "alibaba", starts: "LTAI", rest: "[A-Za-z0-9]{20}" },
  { rule: "anthropic", starts: "sk-ant-admin01-", rest: String.raw`[\w-]{93}AA` },
  { rule: "artifactory", starts: "AKCp", rest: "[A-Za-z0-9]{69}" },
  { rule: "artifactory", starts: "cmVmd", rest: "[A-Za-z0-9]{59}" },
  { rule: "atlassian", starts: "ATATT3 ATCTT3", rest: "[A-Za-z0-9_=-]{180,250}" },
  { rule: "aws-access-key-id", starts: "A3T", rest: "[A-Z0-9][A-Z2-7]{16}" },
  { rule: "aws-access-key-id", starts: "AKIA ASIA ABIA ACCA", rest: "[A-Z2-7]{16}" },
  { rule: "aws-bedrock", starts: "ABSK", rest: "[A-Za-z0-9+/]{109,269}={0,2}" },
  {
    rule: "azure",
    before: { pattern: String.raw`[\w~.]{3}[0-9]`, lengths: [4] },
    starts: "Q~",
    rest: String.raw`[\w~.-]{31,34}`,
  },
  { rule: "brevo", starts: "xkeysib-", rest: "[a-f0-9]{64}-[A-Za-z0-9]{16}" },
  { rule: "clickhouse", starts: "4b1d", rest: "[A-Za-z0-9]{38}" },
  { rule: "clojars", starts: "CLOJARS_", rest: "[A-Za-z0-9]{60}" },
  { rule: "cloudflare", starts: "v1.0-", rest: "[a-f0-9]{24}-[a-f0-9]{146}" },
  { rule: "contentful", starts: "CFPAT-", rest: String.raw`[\w-]{43}` },
  { rule: "crates", starts: "cio", rest: "[A-Za-z0-9]{32}" },
  { rule: "defined-networking", starts: "dnkey-", rest: "[a-z0-9=_-]{26}-[a-z0-9=_-]{52}" },
  { rule: "digitalocean", starts: "doo_v1_ dop_v1_ dor_v1_ dot_v1_", rest: "[a-f0-9]{64}" },
  {
    rule: "discord-webhook",
    starts:
      "https://discord.com/api/ https://discordapp.com/api/ https://canary.discord.com/api/ https://canary.discordapp.com/api/ https://ptb.discord.com/api/ https://ptb.discordapp.com/api/",
    rest: String.raw`webhooks/[0-9]{17,20}/[\w-]{60,80}`,
  },
  {
    rule: "doppler",
    starts: "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    rest: String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  },
  { rule: "dropbox", starts: "sl.", rest: String.raw`[\w=-]{130,152}` },
  { rule: "duffel", starts: "duffel_test_ duffel_live_", rest: "[A-Za-z0-9_=-]{43}" },
  { rule: "dynatrace", starts: "dt0", rest: String.raw`[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}` },
  { rule: "easypost", starts: "EZAK EZTK", rest: "[A-Za-z0-9]{54}" },
  { rule: "facebook", starts: "EAAM EAAC", rest: "[A-Za-z0-9]{100,250}" },
  { rule: "flutterwave", starts: "FLWSECK_TEST- FLWPUBK_TEST-", rest: "[a-h0-9]{12,32}(?:-X)?" },
  { rule: "fly", starts: "fo1_", rest: String.raw`[\w-]{43}` },
  {
    rule: "fly",
    starts: "fm1_ fm1a_ fm1r_ fm2_ fm2a_ fm2r_",
    rest: "[A-Za-z0-9+/]{100,500}={0,3}",
  },
  { rule: "frameio", starts: "fio-u-", rest: "[A-Za-z0-9_=-]{64}" },
  { rule: "github", starts: "gho_ ghp_ ghr_ ghs_ ghu_", rest: "[A-Za-z0-9]{36}" },
  { rule: "github", starts: "github_pat_", rest: "[A-Za-z0-9_]{82}" },
  { rule: "github", starts: "ghs_", rest: String.raw`[0-9]{1,20}_[\w-]{20}[\w.-]{0,2000}` },
  {
    rule: "gitlab",
    starts: "glagent- glcbt- gldt- glffct- glft- glimt- gloas- glptt- glrt- glsoat- glwt-",
    rest: String.raw`[\w.-]{20,130}`,
  },
  { rule: "gitlab", starts: "GR1348941", rest: String.raw`[\w-]{20}` },
  { rule: "google-api-key", starts: "AIza", rest: String.raw`[\w-]{35}` },
  { rule: "google-oauth", starts: "GOCSPX-", rest: String.raw`[\w-]{28}` },
  { rule: "google-oauth", starts: "ya29.", rest: String.raw`[\w-]{30,250}` },
  { rule: "grafana", starts: "eyJrIjoi", rest: "[A-Za-z0-9]{70,400}={0,3}" },
  {
    rule: "harness",
    starts: "pat. sat.",
    rest: String.raw`[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`,
  },
  { rule: "heroku", starts: "HRKU-AA", rest: String.raw`[\w-]{58}` },
  { rule: "huggingface", starts: "api_org_", rest: "[A-Za-z]{34}" },
  { rule: "infracost", starts: "ico-", rest: "[A-Za-z0-9]{32}" },
  { rule: "intra42", starts: "s-s4t2af- s-s4t2ud-", rest: "[a-f0-9]{64}" },
  { rule: "jwt", starts: "eyJ", rest: String.raw`[\w-]{14,2000}\.eyJ[\w-]{14,4000}\.[\w-]{20,1000}` },
  { rule: "langsmith", starts: "lsv2_pt_ lsv2_sk_", rest: "[a-f0-9]{32}_[a-f0-9]{10}" },
  {
    rule: "mailchimp",
    before: { pattern: "[a-f0-9]{32}", lengths: [32] },
    starts: "-us",
    rest: "[0-9]{1,2}",
  },
  { rule: "mailgun", starts: "key- pubkey-", rest: "[a-f0-9]{32}" },
  { rule: "mapbox", starts: "pk. sk.", rest: String.raw`[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}` },
  { rule: "mapbox", starts: "sk.eyJ1", rest: String.raw`[\w-]{40,150}\.[\w-]{22}` },
  {
    rule: "maxmind",
    before: { pattern: "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}", lengths: [36] },
    starts: "_mmk",
    rest: "",
  },
  {
    rule: "microsoft-teams-webhook",
    starts: "webhook.office.com/webhookb2/",
    rest: "[a-z0-9@-]{36,80}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36}",
  },
  { rule: "netlify", starts: "nfp_", rest: "[A-Za-z0-9]{36,40}" },
  { rule: "new-relic", starts: "NRAK-", rest: "[A-Za-z0-9]{27}" },
  { rule: "new-relic", starts: "NRII-", rest: "[A-Za-z0-9-]{32}" },
  { rule: "new-relic", starts: "NRJS-", rest: "[a-f0-9]{19}" },
  { rule: "notion", starts: "secret_", rest: "[A-Za-z0-9]{43}" },
  { rule: "nuget", starts: "oy2", rest: "[a-z0-9]{43}" },
  { rule: "octopus", starts: "API-", rest: "[A-Z0-9]{26}" },
  { rule: "openrouter", starts: "sk-or-v1-", rest: "[a-f0-9]{64}" },
  { rule: "openshift", starts: "sha256~", rest: String.raw`[\w-]{43}` },
  { rule: "perplexity", starts: "pplx-", rest: "[A-Za-z0-9]{48}" },
  {
    rule: "plaid",
    starts: "access-sandbox- access-development- access-production-",
    rest: "[0-9a-f]{8}-[0-9a-f-]{27}",
  },
  { rule: "planetscale", starts: "pscale_tkn_ pscale_oauth_ pscale_pw_", rest: String.raw`[\w=.-]{32,64}` },
  { rule: "postman", starts: "PMAK-", rest: "[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}" },
  { rule: "prefect", starts: "pnu_", rest: "[A-Za-z0-9]{36}" },
  { rule: "pulumi", starts: "pul-", rest: "[a-f0-9]{40}" },
  { rule: "pypi", starts: "pypi-AgE", rest: String.raw`[\w-]{50,1000}` },
  { rule: "readme", starts: "rdme_", rest: "[a-z0-9]{70}" },
  { rule: "replicate", starts: "r8_", rest: "[A-Za-z0-9]{37}" },
  { rule: "resend", starts: "re_", rest: "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" },
  { rule: "rubygems", starts: "rubygems_", rest: "[a-f0-9]{48}" },
  { rule: "scalingo", starts: "tk-us-", rest: String.raw`[\w-]{48}` },
  { rule: "sendgrid", starts: "SG.", rest: String.raw`[\w-]{16,32}\.[\w-]{32,64}` },
  { rule: "sentry", starts: "sntrys_", rest: "[A-Za-z0-9+/=_-]{60,800}" },
  { rule: "sentry", starts: "sntryu_", rest: "[a-f0-9]{64}" },
  { rule: "settlemint", starts: "sm_aat_ sm_pat_ sm_sat_", rest: "[A-Za-z0-9]{16}" },
  { rule: "shippo", starts: "shippo_live_ shippo_test_", rest: "[A-Fa-f0-9]{40}" },
  { rule: "slack", starts: "xoxe- xoxe.xoxb- xoxe.xoxp-", rest: "[0-9]-[A-Za-z0-9]{140,180}" },
  { rule: "slack", starts: "xoxc- xoxd- xoxe- xoxs-", rest: "[A-Za-z0-9%/+-]{10,250}" },
  {
    rule: "slack",
    starts: "xapp- xoxa- xoxb- xoxo- xoxp- xoxr-",
    rest: "(?:[0-9]-)?(?:[A-Za-z0-9]{1,40}-){1,8}[A-Za-z0-9]{1,40}",
  },
  {
    rule: "slack",
    starts: "https://hooks.slack.com/workflows/ https://hooks.slack.com/triggers/",
    rest: "[A-Za-z0-9+/]{43,60}",
  },
  { rule: "sonar", starts: "sqa_ sqp_ squ_", rest: "[a-f0-9]{40}" },
  { rule: "sourcegraph", starts: "sgp_", rest: "(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}" },
  { rule: "square", starts: "sq0atp- sq0csp- sq0idp-", rest: String.raw`[\w-]{22,43}` },
  { rule: "square", starts: "EAAA", rest: String.raw`[\w-]{56,60}` },
  { rule: "stripe", starts: "rk_prod_ sk_prod_", rest: "[A-Za-z0-9]{10,99}" },
  { rule: "supabase", starts: "sbp_", rest: "[a-f0-9]{40}" },
  { rule: "supabase", starts: "sb_secret_", rest: String.raw`[\w-]{31}` },
  {
    rule: "telegram",
    before: { pattern: "[0-9]{8,10}", lengths: [8, 9, 10] },
    starts: ":A",
    rest: "[A-Za-z0-9_-]{34}",
  },
  {
    rule: "terraform",
    before: { pattern: "[A-Za-z0-9]{14}", lengths: [14] },
    starts: ".atlasv1.",
    rest: String.raw`[\w=-]{60,70}`,
  },
  { rule: "twilio", starts: "SK", rest: "[0-9a-f]{32}" },
  { rule: "typeform", starts: "tfp_", rest: String.raw`[\w=.-]{59}` },
  { rule: "webhook-secret", starts: "whsec_", rest: "[A-Za-z0-9+/]{32,64}={0,2}" },
  { rule: "xai", starts: "xai-", rest: "[A-Za-z0-9]{80}" },
  { rule: "yandex", starts: "AQVN", rest: String.raw`[\w-]{35,38}` },
  { rule: "yandex", starts: "t1.", rest: String.raw`[\w-]{20,200}={0,2}\.[\w-]{86}={0,2}` },
];

/**
 * Literals that every match of a preset rule contains, keyed by the last part of the rule's id. Rules that are not listed run on every text,
 * because their literals are very common or may be in capitals.
 */
export const presetStarts: Readonly<Record<string, string>> = {
  "1password": "ops_ey",
  anthropic: "sk-ant-api0",
  aws: "A3T AKIA AGPA AIDA AROA AIPA ANPA ANVA ASIA SECRET Secret secret ACCOUNT Account account",
  cloudflare: "cfk_ cfut_ cfat_",
  databricks: "dapi",
  docker: "dckr_pat_",
  figma: "figd_",
  gitlab: "glpat-",
  grafana: "glc_ glsa_",
  groq: "gsk_",
  "hashicorp-vault": "hvs. hvb. hvr.",
  huggingface: "hf_",
  linear: "lin_api_",
  notion: "ntn_",
  npm: "x-oauth-basic _authToken= npm_",
  openai: "sk-",
  privatekey: "-----BEGIN",
  shopify: "shppa_ shpca_ shpat_ shpss_",
  stripe: "sk_live sk_test rk_live rk_test",
  tailscale: "tskey-",
  vercel: "vcp_ vci_ vca_ vcr_ vck_",
};
