import { areRendered, type Settings } from "../../lib/settings.ts";

/** A finding of the AWS Solutions checks that is accepted, with the reason. */
export interface NagSuppression {
  /** The rule's id, followed by a part of the policy in brackets if the rule names one. */
  readonly id: string;
  /** Prefix of the construct's path below the stack. The suppression covers everything inside. */
  readonly construct: string;
  readonly reason: string;
  /** Settings with which the finding is expected. @default - all */
  readonly where?: (settings: Settings) => boolean;
}

const ownDomain = ({ certificateArn, hostedZone }: Settings) => (certificateArn ?? hostedZone) !== undefined;

const objectsReason =
  "Object names consist of a slug or namespace and a random id, so no fixed prefix covers them. The actions are those of the operation, and no function can list the bucket.";
const streamReason =
  "dynamodb:ListStreams has no resource-level permissions, and Lambda needs it to read the table's stream: service authorization reference, 'Actions, resources, and condition keys for Amazon DynamoDB'.";
const tracingReason =
  "AWS X-Ray has no resource-level permissions: service authorization reference, 'Actions, resources, and condition keys for AWS X-Ray'.";

const pagesObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/*]";
const blobsObjects = "AwsSolutions-IAM5[Resource::<StorageBlobs31FE9BCB.Arn>/*]";
const stagedObjects = "AwsSolutions-IAM5[Resource::<StorageBlobs31FE9BCB.Arn>/staging/*]";
const restrictedObjects = "AwsSolutions-IAM5[Resource::<StorageBlobs31FE9BCB.Arn>/_restricted/*]";
const cardObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/cards/*]";
const reportObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/_reports/*]";
const searchObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/_search/*]";
const archiveObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/_files/*.zip]";
const folderObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/_files/*]";
const wordObjects = "AwsSolutions-IAM5[Resource::<StoragePages2B0B5787.Arn>/_words/*]";
const anyResource = "AwsSolutions-IAM5[Resource::*]";

/** All suppressions, from storage to the edge. */
export const nagSuppressions: readonly NagSuppression[] = [
  ...["service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup"].map(
    (policy) => ({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      construct: "Backup/Role",
      reason:
        "AWS Backup assumes the role, and AWS maintains these policies for its service: AWS Backup developer guide, 'AWS managed policies for AWS Backup'.",
      where: ({ backupVaultArn }: Settings) => backupVaultArn !== undefined,
    }),
  ),
  {
    id: "AwsSolutions-S1",
    construct: "Storage/Pages",
    reason:
      "Only the stack's functions read and write pages, and their logs name each operation. A second record of reads would be one more thing to protect.",
  },
  {
    id: "AwsSolutions-S1",
    construct: "Storage/Blobs",
    reason:
      "Only the stack's functions and its distribution read files. An access log would contain little but visitors' IP addresses. An operator can turn on the distribution's log.",
  },
  {
    id: "AwsSolutions-S1",
    construct: "Ingest/WebFunction/CodeBucket",
    reason: "The bucket contains only the ingest server's code, which only Lambda reads.",
  },
  {
    id: "AwsSolutions-SMG4",
    construct: "Secrets/Origin",
    reason:
      "The edge and its origins get the secret during a deployment, so a deployment rotates it: the setting originSecrets.",
  },
  {
    id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:<AWS::StackName>_*]",
    construct: "Api/OperationsRole",
    reason:
      "Only the operations' functions have names with this prefix. A list of all of them would not fit into a policy.",
  },
  {
    id: "AwsSolutions-APIG1",
    construct: "Api/Gateway/DeploymentStage",
    reason:
      "Each function logs operation, request id, status, code and duration. The API's own log needs a role for the whole account, which one stack must not set.",
  },
  {
    id: "AwsSolutions-APIG2",
    construct: "Api/Gateway",
    reason:
      "The functions validate each request by the contract's schemas, whose error codes API Gateway's validation cannot distinguish.",
  },
  {
    id: "AwsSolutions-APIG3",
    construct: "Api/Gateway/DeploymentStage",
    reason:
      "The setting waf puts AWS WAF before the edge. API Gateway refuses requests that bypass the edge, since they have no API key.",
  },
  {
    id: "AwsSolutions-APIG6",
    construct: "Api/Gateway/DeploymentStage",
    reason: "An execution log contains headers and query strings with tokens, which must never be logged.",
  },
  { id: pagesObjects, construct: "Ingest/", reason: objectsReason },
  { id: blobsObjects, construct: "Ingest/", reason: objectsReason },
  { id: pagesObjects, construct: "Operations", reason: objectsReason },
  { id: blobsObjects, construct: "Operations", reason: objectsReason },
  { id: stagedObjects, construct: "Ingest/", reason: objectsReason },
  { id: reportObjects, construct: "Operations", reason: objectsReason },
  { id: wordObjects, construct: "Operations", reason: objectsReason },
  { id: searchObjects, construct: "Operations", reason: objectsReason },
  { id: archiveObjects, construct: "Operations", reason: objectsReason },
  { id: folderObjects, construct: "Operations", reason: objectsReason },
  { id: stagedObjects, construct: "Operations", reason: objectsReason },
  { id: restrictedObjects, construct: "Operations", reason: objectsReason },
  { id: pagesObjects, construct: "Workers", reason: objectsReason },
  { id: searchObjects, construct: "Workers", reason: objectsReason },
  { id: blobsObjects, construct: "Workers", reason: objectsReason },
  { id: cardObjects, construct: "Operations", reason: objectsReason },
  { id: cardObjects, construct: "Workers", reason: objectsReason, where: areRendered },
  { id: reportObjects, construct: "Workers", reason: objectsReason, where: areRendered },
  { id: anyResource, construct: "Workers/JanitorRole/Resource", reason: streamReason },
  { id: anyResource, construct: "Workers/IndexLibraryRole/Resource", reason: streamReason },
  { id: anyResource, construct: "Tracing", reason: tracingReason },
  {
    id: anyResource,
    construct: "Renderer/DrawPageRole/Resource",
    reason:
      "Lambda needs these actions to connect a function to a network, and most have no resource-level permissions. A second statement denies them to the function's own code: AWS Lambda developer guide, 'Giving Lambda functions access to resources in an Amazon VPC'.",
    where: areRendered,
  },
  {
    id: "AwsSolutions-VPC7",
    construct: "Renderer/Network/Vpc",
    reason:
      "The network reaches only Amazon S3 and accepts no connections. A flow log would list the objects that pages show, at a cost for each.",
    where: areRendered,
  },
  {
    id: "AwsSolutions-IAM5[Resource::<IngestWebFunctionCodeBucketD53BC1BC.Arn>/*]",
    construct: "Ingest/WebFunction/CopyRole",
    reason:
      "The bucket contains only the server's code, whose keys are known only when the stack is deployed. The function copies the code there and can use no other object.",
  },
  {
    id: "AwsSolutions-CFR1",
    construct: "Edge/Distribution",
    reason: "A shared link must work in every country.",
  },
  {
    id: "AwsSolutions-CFR2",
    construct: "Edge/Distribution",
    reason: "AWS WAF costs about 6 dollars a month even without traffic, so it is optional: the setting waf.",
    where: ({ waf }) => !waf,
  },
  {
    id: "AwsSolutions-CFR3",
    construct: "Edge/Distribution",
    reason: "An access log contains query strings with sign-in codes and tokens, which must never be logged.",
  },
  {
    id: "AwsSolutions-CFR4",
    construct: "Edge/Distribution",
    reason:
      "Under the distribution's own name CloudFront chooses the version of TLS. With a domain it is at least 1.2.",
    where: (settings) => !ownDomain(settings),
  },
  {
    id: "AwsSolutions-CFR7",
    construct: "Edge/Distribution",
    reason:
      "Public files are read with origin access control. The edge cannot read restricted files: it forwards a request that a function has signed, and the bucket refuses all others.",
  },
];
