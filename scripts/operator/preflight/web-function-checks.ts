import { LambdaClient } from "@aws-sdk/client-lambda";
import { SignatureV4 } from "@smithy/signature-v4";
import { ingestEnvironmentsMax } from "../../../functions/ingest/rows.ts";
import { ingestLimitOf } from "../../../lib/settings.ts";
import { type Check, fails, type Result, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

const type = "AWS::Lambda::WebFunction";
const instead = 'Set `ingest: "none"`: bodies above 3 MB are refused, and large files go in steps.';

/** vCPUs of an environment; AWS Lambda developer guide, "Lambda quotas", Web Functions. */
const vcpusPerEnvironment = 2;

/** The checks of Lambda Web Functions, for settings that bring one. */
export function webFunctionChecks(plan: Plan, isNew: boolean): Check[] {
  if (plan.countOf(type) === 0) return [];
  return [
    {
      about: "Web Functions",
      actions: ["lambda:GetWebAccountSettings", ...(isNew ? ["lambda:GetWebFunction"] : [])],
      run: () => checkWebFunctions(plan, isNew),
    },
  ];
}

/** Lambda Web API reference, "AccountQuotas". */
interface AccountSettings {
  readonly accountQuotas: { readonly maxTotalArmVCpus: number; readonly maxTotalRateLimit: number };
}

async function checkWebFunctions(plan: Plan, isNew: boolean): Promise<Result> {
  const { region, settings } = plan;
  const response = await getFromLambda(region, "web-account-settings");
  // The response of a Region without Web Functions, whatever the caller's permissions are.
  if (response.text.includes("Unable to determine service/operation name"))
    return fails(`${region} has none`, instead);
  const { accountQuotas } = JSON.parse(bodyOf(response)) as AccountSettings;
  const { maxTotalArmVCpus: vcpus, maxTotalRateLimit: rate } = accountQuotas;
  const has = `the account has ${vcpus} vCPUs and ${rate} requests a second for them`;
  if (vcpus < vcpusPerEnvironment || rate === 0) return fails(has, instead);
  for (const name of isNew ? plan.namesOf(type) : []) {
    const named = await getFromLambda(region, `web-functions/${name}`);
    if (named.status !== 404 && bodyOf(named) !== "")
      return fails(
        `there is already ${name}: an earlier stack left it`,
        "Delete it, or choose another `stackName`.",
      );
  }
  const wanted = vcpusPerEnvironment * ingestEnvironmentsMax;
  const { requestsPerSecondMax = 0 } = ingestLimitOf(settings) ?? {};
  if (vcpus >= wanted && rate >= requestsPerSecondMax) return well(has);
  const says = `${has}; the server for large bodies uses up to ${wanted} and ${requestsPerSecondMax}, and accepts fewer bodies at once`;
  return { verdict: "warns", says, todo: "Ask for more: Service Quotas, AWS Lambda." };
}

interface LambdaResponse {
  readonly status: number;
  readonly text: string;
  /** Such as `AccessDeniedException`. */
  readonly errorType: string;
}

/**
 * Gets from the Lambda Web API, for which npm has no client of the AWS SDK. Lambda Web API reference, "GetWebAccountSettings" and
 * "GetWebFunction".
 */
async function getFromLambda(region: string, path: string): Promise<LambdaResponse> {
  const { credentials, sha256 } = new LambdaClient({ region }).config;
  const endpoint = process.env.AWS_ENDPOINT_URL ?? `https://lambda.${region}.amazonaws.com`;
  const { protocol, hostname, host, pathname, href } = new URL(`/2025-03-07/${path}`, endpoint);
  const signer = new SignatureV4({ service: "lambda", region, credentials, sha256 });
  const { headers } = await signer.sign({
    method: "GET",
    protocol,
    hostname,
    path: pathname,
    headers: { host },
  });
  const response = await fetch(href, { headers });
  const text = await response.text();
  const [, inBody] = /"__type": ?"([^"]+)"/.exec(text) ?? [];
  const errorType = response.headers.get("x-amzn-errortype") ?? inBody ?? `HTTP ${response.status}`;
  return { status: response.status, text, errorType };
}

/** @throws Error with AWS's response, unless it is 200 */
function bodyOf({ status, text, errorType }: LambdaResponse): string {
  if (status === 200) return text;
  throw Object.assign(new Error(text.slice(0, 500)), { name: errorType });
}
