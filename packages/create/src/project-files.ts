import manifest from "../package.json" with { type: "json" };
import type { Choices } from "./choices.ts";

/** Returns the files of a new project, by name. */
export function projectFiles(name: string, given: Choices): Readonly<Record<string, string>> {
  return {
    "package.json": toJson(packageOf(name)),
    "settings.ts": settingsOf(given),
    "cdk.json": toJson({
      app: "dropleaf-stack synth",
      versionReporting: false,
      pathMetadata: false,
      notices: false,
      requireApproval: "broadening",
    }),
    "README.md": readmeOf(name),
    ".gitignore": "node_modules/\ncdk.out/\n.dropleaf/\n",
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function packageOf(name: string) {
  return {
    name,
    private: true,
    type: "module",
    scripts: {
      start: "dropleaf-stack start",
      preflight: "dropleaf-stack preflight",
      synth: "cdk synth --quiet",
      deploy: "cdk deploy",
      smoke: "dropleaf-stack smoke",
      operator: "dropleaf-stack operator",
      cost: "dropleaf-stack cost",
    },
    // `npm update` installs newer versions with the same major version.
    dependencies: { "@dropleaf/stack": `${manifest.version.split(".")[0]}.x` },
  };
}

function settingsOf(given: Choices): string {
  const lines = [
    `region: ${JSON.stringify(given.region)},`,
    ...domainLines(given),
    ...(given["identity-provider"] === "github"
      ? ['identityProvider: "github",']
      : [`identityProvider: { kind: "oidc", issuer: ${JSON.stringify(given["identity-provider"])} },`]),
    ...publisherLines(given.publishers),
    "// To render pages, run npm install @dropleaf/renderer (86 MB) and remove this line.",
    "renders: false,",
  ];
  return `import type { Settings } from "@dropleaf/stack";

/** Your editor shows every setting with its default. */
export const settings: Settings = {
${lines.map((line) => `  ${line}\n`).join("")}};
`;
}

function domainLines({ domain, region }: Choices): string[] {
  if (domain === "none") return [];
  const zone = domain.split(".").length > 2 ? domain.replace(/^[^.]+\./, "") : domain;
  return [
    `baseUrl: "https://${domain}",`,
    ...(region === "us-east-1"
      ? [
          `// REPLACE with your hosted zone. To find it, run: aws route53 list-hosted-zones-by-name --dns-name ${zone}`,
          `hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "${zone}" },`,
        ]
      : [
          `// REPLACE with a certificate in us-east-1 for ${domain} and *.${domain}.`,
          'certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-000000000000",',
        ]),
  ];
}

function publisherLines(publishers: string): string[] {
  if (publishers === "none") return [];
  if (publishers === "anyone") return ['members: "anyone",'];
  return publishers.startsWith("@")
    ? [`members: { emailDomains: [${JSON.stringify(publishers.slice(1))}] },`]
    : [`members: { githubOrganizations: [${JSON.stringify(publishers)}] },`];
}

function readmeOf(name: string): string {
  return `# ${name}

A [Dropleaf](https://www.npmjs.com/package/@dropleaf/stack) service. [settings.ts](settings.ts) has its settings.

    npm start             # the service on http://localhost:8787, without an AWS account; data in .dropleaf
    npm run synth         # writes the CloudFormation template to cdk.out

## Deploy

With AWS credentials, once for the account and region: \`npx cdk bootstrap\`. Then:

    npm run preflight     # finds what would make the deployment fail
    npm run deploy        # prints the address, the callback URL for the identity provider, and the parameter for its secret
    npm run operator -- members add <your user name> --stack Dropleaf
    npm run smoke -- --stack Dropleaf

## Publish

    npx dropleaf login <address>
    npx dropleaf publish page.html

## Pictures of pages

Link cards, thumbnails and reports need a browser and fonts, 86 MB: \`npm install @dropleaf/renderer\`. Then remove \`renders: false\` from
settings.ts, and run \`npm start\` or \`npm run deploy\`.

## Upgrade

    npm update @dropleaf/stack && npm run deploy

## A second stack, a second account

\`settings.staging.ts\`: \`export const settings = { ...production, stackName: "DropleafStaging" };\`, with
\`import { settings as production } from "./settings.ts";\` above. Then:

    SETTINGS=settings.staging.ts npm run deploy
    AWS_PROFILE=<other account> npm run deploy
`;
}
