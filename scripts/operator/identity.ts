import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { edgeRegion } from "../../lib/settings.ts";

/** Who asks, and in which account. Needs no permission; IAM user guide, "GetCallerIdentity". */
export async function askIdentity(): Promise<{ account: string; arn: string }> {
  const { Account, Arn } = await new STSClient({ region: edgeRegion }).send(new GetCallerIdentityCommand({}));
  return { account: Account ?? "", arn: Arn ?? "" };
}
