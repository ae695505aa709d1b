import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";

/** The outputs of a stack, by their names. */
export type StackOutputs = Readonly<Record<string, string>>;

/**
 * Asks CloudFormation for a deployed stack's outputs, in the region of `AWS_REGION`.
 *
 * @throws Error with CloudFormation's message, such as that there is no such stack
 */
export async function fetchStackOutputs(stackName: string): Promise<StackOutputs> {
  const command = new DescribeStacksCommand({ StackName: stackName });
  try {
    const { Stacks: [stack] = [] } = await new CloudFormationClient().send(command);
    return outputsOf(stack);
  } catch (error) {
    if (!(error instanceof CloudFormationServiceException)) throw error;
    throw new Error(`CloudFormation did not return the outputs of the stack ${stackName}: ${error.message}`);
  }
}

/** The outputs in CloudFormation's description of a stack. */
export function outputsOf(stack: Stack | undefined): StackOutputs {
  const outputs = stack?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]));
}
