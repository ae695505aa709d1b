import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";

/** A text that contains one secret. */
interface PlantedSecret {
  /** The rule set, the format and the context of the secret. */
  readonly name: string;
  readonly text: string;
}

const alphabets: Readonly<Record<string, string>> = {
  base32: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  base62: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  digits: "0123456789",
  hex: "0123456789abcdef",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  lower: "abcdefghijklmnopqrstuvwxyz0123456789",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
};

type RandomInt = (exclusiveMax: number) => number;

function characters(alphabet: string, length: number, randomInt: RandomInt): string {
  const set = alphabets[alphabet] ?? "";
  return Array.from({ length }, () => set.charAt(randomInt(set.length))).join("");
}

/**
 * Fills `<alphabet length>` in a format. Secrets are generated, so that scanners of the repository do not report this
 * file.
 */
function fill(format: string, randomInt: RandomInt): string {
  return format.replaceAll(/<(\w+) (\d+)>/g, (_, alphabet: string, length: string) =>
    characters(alphabet, Number(length), randomInt),
  );
}

/** Formats that identify a secret without a name, from the test cases of the rule sets. */
const formats: Readonly<Record<string, readonly string[]>> = {
  gitleaks: listOf(`
    p8e-<lower 32>, AGE-SECRET-KEY-1<upper 58>, LTAI<lower 20>, sk-ant-admin01-<url 93>AA,
    sk-ant-api03-<url 93>AA, AKCp<base62 69>, cmVmd<base62 59>, ATATT3<url 186>, AKIA<base32 16>,
    ASIA<base32 16>, ABSK<base64 109>, <base62 3>8Q~<base62 31>, 4b1d<base62 38>, CLOJARS_<lower 60>,
    v1.0-<hex 24>-<hex 146>, dapi<hex 32>, dnkey-<lower 26>-<lower 52>, dop_v1_<hex 64>, doo_v1_<hex 64>,
    dor_v1_<hex 64>, dp.pt.<base62 43>, duffel_test_<url 43>, EZAK<base62 54>, dt0c01.<upper 24>.<upper 64>,
    EZTK<base62 54>, EAAM<base62 110>, FLWSECK_TEST-<hex 32>-X, fo1_<url 43>, fio-u-<url 64>, AIza<url 35>,
    ghp_<base62 36>, gho_<base62 36>, ghu_<base62 36>, ghs_<base62 36>, ghr_<base62 36>,
    github_pat_<base62 82>, glpat-<url 20>, gldt-<url 20>, glft-<url 20>, glrt-<url 20>, glptt-<hex 40>,
    glimt-<url 25>, glagent-<url 50>, gloas-<hex 64>, glsoat-<url 20>, glffct-<url 20>, GR1348941<url 20>,
    glc_<base64 40>, glsa_<base62 32>_<hex 8>, pat.<url 22>.<hex 24>.<base62 20>, HRKU-AA<url 58>,
    hf_<letters 34>, api_org_<letters 34>, ico-<base62 32>, s-s4t2ud-<hex 64>, lin_api_<base62 40>,
    key-<hex 32>, pubkey-<hex 32>, <hex 32>-us12, pk.<base62 60>.<base62 22>, <base62 6>_<base62 29>_mmk,
    NRAK-<upper 27>, NRII-<base62 32>, NRJS-<hex 19>, npm_<base62 36>, ntn_<digits 11><base62 35>,
    oy2<lower 43>, API-<upper 26>, sk-<base62 20>T3BlbkFJ<base62 20>, sk-proj-<url 74>T3BlbkFJ<url 74>,
    sha256~<url 43>, pplx-<base62 48>, pscale_tkn_<base62 32>, pscale_oauth_<base62 32>,
    pscale_pw_<base62 32>, PMAK-<hex 24>-<hex 34>, pnu_<base62 36>, pul-<hex 40>,
    pypi-AgEIcHlwaS5vcmc<url 60>, rdme_<lower 70>, rubygems_<hex 48>, tk-us-<url 48>, SG.<url 22>.<url 43>,
    xkeysib-<hex 64>-<base62 16>, sntryu_<hex 64>, sm_aat_<base62 16>, shippo_live_<hex 40>, shpat_<hex 32>,
    shpca_<hex 32>, shppa_<hex 32>, shpss_<hex 32>, xapp-1-A<base62 10>-<digits 12>-<hex 40>, sqp_<hex 40>,
    squ_<hex 40>, xoxb-<digits 12>-<digits 12>-<base62 24>, xoxp-<digits 12>-<digits 12>-<digits 12>-<hex 32>,
    https://hooks.slack.com/services/T<upper 8>/B<upper 8>/<base62 24>, sgp_<hex 40>, EAAA<url 60>,
    sq0atp-<url 22>, sq0csp-<url 43>, sk_live_<base62 30>, rk_live_<base62 30>, sk_prod_<base62 30>,
    <digits 9>:AA<url 33>, <base62 14>.atlasv1.<base62 64>, SK<hex 32>, tfp_<url 44>_<url 14>, hvs.<url 95>,
    hvb.<url 140>, AQVN<url 36>, t1.<base62 40>.<url 86>, pat<base62 14>.<hex 64>,
    eyJ<base62 30>.eyJ<base62 40>.<url 43>, ops_eyJ<base64 250>fQ==, fm2_<base64 120>
  `),
  secretlint: listOf(`
    dckr_pat_<url 27>, figd_<url 43>, gsk_<base62 52>, vcp_<base62 24>, cfut_<base62 40><hex 8>,
    tskey-auth-<base62 17>-<base62 32>, https://deploy:<base62 20>@git.company.dev/repository,
    postgres://service:<base62 20>@db.company.dev:5432/orders,
    mysql://service:<base62 20>@db.company.dev/orders,
    mongodb+srv://service:<base62 20>@db.company.dev/orders, _authToken=npm_<base62 36>,
    AWS_SECRET_ACCESS_KEY=<base64 40>
  `),
  "vendors' documentation": listOf(`
    whsec_<base62 32>, r8_<base62 37>, re_<base62 8>_<base62 24>, sk-or-v1-<hex 64>, xai-<base62 80>,
    sbp_<hex 40>, nfp_<base62 36>, lsv2_pt_<hex 32>_<hex 10>, GOCSPX-<url 28>, CFPAT-<url 43>,
    https://discord.com/api/webhooks/<digits 18>/<url 68>, ghs_1234_<url 60>.<url 80>.<url 40>
  `),
};

/** Splits a list of formats at commas. */
function listOf(text: string): string[] {
  return text.trim().split(/,\s+/);
}

/** Formats that are recognized only beside a name, by the name's first word. From the test cases of gitleaks. */
const named: Readonly<Record<string, string>> = {
  adafruit: "<lower 32>",
  airtable: "<lower 17>",
  algolia: "<lower 32>",
  alibaba: "<lower 30>",
  asana: "<lower 32>",
  atlassian: "<lower 20><hex 4>",
  beamer: "b_<lower 44>",
  bitbucket: "<lower 64>",
  bittrex: "<lower 32>",
  meraki: "<hex 40>",
  cloudflare: "<lower 40>",
  codecov: "<lower 32>",
  cohere: "<base62 40>",
  coinbase: "<lower 64>",
  confluent: "<lower 16>",
  contentful: "<lower 43>",
  datadog: "<lower 40>",
  discord: "<hex 64>",
  droneci: "<lower 32>",
  etsy: "<lower 24>",
  facebook: "<hex 32>",
  fastly: "<lower 32>",
  finicity: "<hex 32>",
  finnhub: "<lower 20>",
  flickr: "<lower 32>",
  freshbooks: "<lower 64>",
  gitter: "<lower 40>",
  heroku: "<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
  intercom: "<lower 60>",
  jfrog: "<lower 73>",
  kraken: "<base64 80>",
  kucoin: "<hex 24>",
  launchdarkly: "<lower 40>",
  linkedin: "<lower 16>",
  lob: "live_<hex 35>",
  looker: "<lower 24>",
  mattermost: "<lower 26>",
  messagebird: "<lower 25>",
  netlify: "<lower 43>",
  nytimes: "<lower 32>",
  okta: "00<url 40>",
  plaid: "<lower 30>",
  rapidapi: "<lower 50>",
  sendbird: "<hex 40>",
  snyk: "<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
  sumologic: "<lower 64>",
  trello: "<base62 32>",
  travisci: "<lower 22>",
  twitch: "<lower 30>",
  twitter: "<lower 45>",
  yandex: "<lower 40>",
  zendesk: "<lower 40>",
};

/** Contexts in which a page can contain a secret without a name. */
const places: readonly (readonly [string, (secret: string) => string])[] = [
  ["text", (secret) => `<p>Use this: ${secret}</p>`],
  ["code", (secret) => `<pre><code>login --with ${secret}\n</code></pre>`],
  ["script", (secret) => `<script>const client = new Client("${secret}");</script>`],
  ["attribute", (secret) => `<div data-config="${secret}"></div>`],
  ["references", (secret) => `<p>&quot;${secret.replace("-", "&#45;").replace("_", "&lowbar;")}&quot;</p>`],
  [
    "highlighted",
    (secret) => `<span class="s">'${secret.slice(0, 9)}</span><span>${secret.slice(9)}'</span>`,
  ],
  ["Markdown", (secret) => `# Set-up\n\n- the key is \`${secret}\`\n`],
];

/** Contexts in which a page can contain a name and its secret: those of gitleaks' test cases, and those of pages. */
const assignments: readonly (readonly [string, (name: string, secret: string) => string])[] = [
  ["assignment", (name, secret) => `<pre>${name}_api_token = "${secret}"</pre>`],
  ["camel case", (name, secret) => `<script>const ${name}ApiKey = '${secret}';</script>`],
  ["environment", (name, secret) => `<pre>export ${name.toUpperCase()}_SECRET_KEY=${secret}\n</pre>`],
  ["JSON", (name, secret) => `{"${name}": {"client_secret": "${secret}"}}`],
  ["YAML", (name, secret) => `${name}:\n  access_token: ${secret}\n`],
  ["Go", (name, secret) => `var ${name}Token string = "${secret}"`],
  ["PHP", (name, secret) => `'${name}_password' => '${secret}',`],
  ["header", (name, secret) => `<pre>X-${name}-Api-Key: ${secret}</pre>`],
  ["references", (name, secret) => `<p>${name}_secret&#61;&quot;${secret}&quot;</p>`],
  ["highlighted", (name, secret) => `<b>${name}_token</b> <i>=</i> <span class="s">"${secret}"</span>`],
  ["form", (name, secret) => `<input name="${name}_api_key" value="${secret}">`],
  ["query", (name, secret) => `<a href="https://${name}.dev/v1?api_key=${secret}&amp;page=2">List</a>`],
  ["bearer", (name, secret) => `curl https://${name}.dev -H "Authorization: Bearer ${secret}"`],
];

/** Kinds of private keys, by the words in their first lines. */
const keyKinds = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP "];

/** Contexts in which a page can contain a private key. */
const keyPlaces: readonly (readonly [string, (key: string) => string])[] = [
  ["lines", (key) => `<pre>${key}</pre>`],
  ["line ends of HTML", (key) => `<p>${key.replaceAll("\n", "<br>")}</p>`],
  ["JSON", (key) => `<script>const account = {"private_key": "${key.replaceAll("\n", "\\n")}"};</script>`],
  [
    "references",
    (key) =>
      `<pre>${key.replaceAll("-", "&#45;").replaceAll("+", "&plus;").replaceAll("\n", "&NewLine;")}</pre>`,
  ],
  [
    "hexadecimal references",
    (key) =>
      `<pre>${key.replaceAll("-", "&#x2d;").replaceAll("/", "&#x2F;").replaceAll("\n", "&#xA;")}</pre>`,
  ],
  [
    "a list",
    (key) =>
      `<ol>${key
        .split("\n")
        .map((line) => `<li>${line}</li>`)
        .join("")}</ol>`,
  ],
];

/** Generates texts with one secret each: every format in every context. */
export function plantSecrets(seed: number): PlantedSecret[] {
  const randomInt = seededNumbers(seed);
  const plain = Object.entries(formats).flatMap(([set, ofSet]) =>
    ofSet.flatMap((format) =>
      places.map(([place, put]) => ({
        name: `${set}: ${format}, ${place}`,
        text: put(fill(format, randomInt)),
      })),
    ),
  );
  const withNames = Object.entries(named).flatMap(([name, format]) =>
    assignments.map(([place, put]) => ({
      name: `gitleaks: ${name} ${format}, ${place}`,
      text: put(name, fill(format, randomInt)),
    })),
  );
  const keys = keyKinds.flatMap((kind) =>
    keyPlaces.map(([place, put]) => ({
      name: `private key: ${kind}, ${place}`,
      text: put(privateKey(kind, randomInt)),
    })),
  );
  const own = places.map(([place, put]) => ({
    name: `dropleaf: token, ${place}`,
    text: put(createTokenPlaintext(randomInt)),
  }));
  return [...plain, ...withNames, ...keys, ...own];
}

function privateKey(kind: string, randomInt: RandomInt): string {
  const edge = "-".repeat(5);
  const block = kind === "PGP " ? " BLOCK" : "";
  const lines = Array.from({ length: 12 }, () => characters("base64", 64, randomInt));
  const headers = kind === "PGP " ? ["Version: GnuPG v2", ""] : [];
  const word = ["PRIVATE", "KEY"].join(" ");
  return [
    `${edge}BEGIN ${kind}${word}${block}${edge}`,
    ...headers,
    ...lines,
    `${edge}END ${kind}${word}${block}${edge}`,
  ].join("\n");
}
