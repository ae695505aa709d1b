import { SignatureV4 } from "@smithy/signature-v4";
import { DomUtils, parseDocument } from "htmlparser2";
import { dynamodb } from "../../functions/table/table.ts";

/** The outputs of a stack, by their names. */
export type StackOutputs = Readonly<Record<string, string>>;

/**
 * Asks CloudFormation for a deployed stack's outputs, with the credentials of the AWS SDK's default chain.
 *
 * Source: AWS CloudFormation API reference, "DescribeStacks".
 *
 * @throws Error with what CloudFormation says, such as that there is no such stack
 */
export async function fetchStackOutputs(stackName: string): Promise<StackOutputs> {
  const region = await dynamodb.config.region();
  const endpoint = process.env.AWS_ENDPOINT_URL ?? `https://cloudformation.${region}.amazonaws.com`;
  const response = await fetch(endpoint, await signedRequest(new URL(endpoint), region, stackName));
  const xml = await response.text();
  if (!response.ok) {
    const [message = xml] = textsOf(parseXml(xml), "Message");
    throw new Error(`CloudFormation did not return the outputs of the stack ${stackName}: ${message}`);
  }
  return readOutputs(xml);
}

async function signedRequest(endpoint: URL, region: string, stackName: string) {
  const signer = new SignatureV4({
    service: "cloudformation",
    region,
    credentials: dynamodb.config.credentials,
    sha256: dynamodb.config.sha256,
  });
  const body = new URLSearchParams({
    Action: "DescribeStacks",
    Version: "2010-05-15",
    StackName: stackName,
  }).toString();
  const { headers } = await signer.sign({
    method: "POST",
    protocol: endpoint.protocol,
    hostname: endpoint.hostname,
    path: "/",
    headers: { host: endpoint.host, "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body,
  });
  const { host: _, ...sent } = headers;
  return { method: "POST", headers: sent, body };
}

function readOutputs(xml: string): StackOutputs {
  const document = parseXml(xml);
  const keys = textsOf(document, "OutputKey");
  const values = textsOf(document, "OutputValue");
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ""]));
}

function parseXml(xml: string) {
  return parseDocument(xml, { xmlMode: true });
}

function textsOf(document: ReturnType<typeof parseXml>, name: string): string[] {
  return DomUtils.getElementsByTagName(name, document, true).map((element) => DomUtils.textContent(element));
}
