import { areRendered, type Settings } from "../../lib/settings.ts";

/** A finding of the AWS Solutions checks that stands, with the reason. */
export interface NagSuppression {
  /** The finding: a rule's id, with the part of the policy in brackets where the rule names one. */
  readonly id: string;
  /** Prefix of the construct's path below the stack. The suppression covers everything inside. */
  readonly construct: string;
  readonly reason: string;
  /** Settings with which the finding is expected. @default - all */
  readonly where?: (settings: Settings) => boolean;
}

const ownDomain = ({ certificateArn, hostedZone }: Settings) => (certificateArn ?? hostedZone) !== undefined;

const objectsReason =
  "Objects are named by slug or namespace and a random id, which no prefix tells in advance. The actions are those of the row, and nobody may list the bucket.";
const streamReason =
  "dynamodb:ListStreams knows no resources, and Lambda wants it to read the table's stream: service authorization reference, 'Actions, resources, and condition keys for Amazon DynamoDB'.";
const tracingReason =
  "AWS X-Ray knows no resources: service authorization reference, 'Actions, resources, and condition keys for AWS X-Ray'.";

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

/** Every suppression, from storage to the edge. */
export const nagSuppressions: readonly NagSuppression[] = [
  ...["service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup"].map(
    (policy) => ({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      construct: "Backup/Role",
      reason:
        "AWS Backup assumes the role, and AWS keeps these policies as its service needs them: AWS Backup developer guide, 'AWS managed policies for AWS Backup'.",
      where: ({ backupVaultArn }: Settings) => backupVaultArn !== undefined,
    }),
  ),
  {
    id: "AwsSolutions-S1",
    construct: "Storage/Pages",
    reason:
      "Only the stack's functions read and write pages, and their logs name each operation. A second record of who read what would be one more thing to keep from others.",
  },
  {
    id: "AwsSolutions-S1",
    construct: "Storage/Blobs",
    reason:
      "Only the stack's functions and its distribution read files; an access log would hold little but addresses of visitors. Whoever needs it turns on the distribution's.",
  },
  {
    id: "AwsSolutions-S1",
    construct: "Ingest/WebFunction/CodeBucket",
    reason: "Holds the code of the ingest server, which only Lambda reads, and no data.",
  },
  {
    id: "AwsSolutions-SMG4",
    construct: "Secrets/Origin",
    reason:
      "The edge and its origins get it when the stack is deployed, so it is rotated by a deployment: the setting originSecrets.",
  },
  {
    id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:<AWS::StackName>_*]",
    construct: "Api/OperationsRole",
    reason:
      "The functions that answer requests, and no others, have names that begin like this: each by itself, they would not fit into a policy.",
  },
  {
    id: "AwsSolutions-APIG1",
    construct: "Api/Gateway/DeploymentStage",
    reason:
      "Each function logs operation, request id, status, code and duration. A log of the API's own needs a role set for the whole account, which is not this stack's to set.",
  },
  {
    id: "AwsSolutions-APIG2",
    construct: "Api/Gateway",
    reason:
      "The functions validate each request by the contract's schemas, whose errors have codes that API Gateway's validation cannot tell apart.",
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
    reason:
      "An execution log holds headers and query strings, tokens among them, which must never be in a log.",
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
      "What Lambda needs to connect a function to a network, most of which knows no resources; a second statement denies all of it to calls from within a function: AWS Lambda developer guide, 'Giving Lambda functions access to resources in an Amazon VPC'.",
    where: areRendered,
  },
  {
    id: "AwsSolutions-VPC7",
    construct: "Renderer/Network/Vpc",
    reason:
      "It leads nowhere but to Amazon S3, and nothing comes in: a flow log would be of the objects that pages show, at a price for each.",
    where: areRendered,
  },
  {
    id: "AwsSolutions-IAM5[Resource::<IngestWebFunctionCodeBucketD53BC1BC.Arn>/*]",
    construct: "Ingest/WebFunction/CopyRole",
    reason:
      "The bucket holds nothing but the server's code, whose keys are known when the stack is deployed. The function copies it there and touches nothing else.",
  },
  {
    id: "AwsSolutions-CFR1",
    construct: "Edge/Distribution",
    reason: "A link that was handed out opens wherever its reader is.",
  },
  {
    id: "AwsSolutions-CFR2",
    construct: "Edge/Distribution",
    reason: "AWS WAF costs about 6 dollars a month with no traffic at all: it is the operator's choice, waf.",
    where: ({ waf }) => !waf,
  },
  {
    id: "AwsSolutions-CFR3",
    construct: "Edge/Distribution",
    reason:
      "An access log holds query strings, and with them the codes and tokens of sign-in, which must never be in a log.",
  },
  {
    id: "AwsSolutions-CFR4",
    construct: "Edge/Distribution",
    reason:
      "Under the distribution's own name CloudFront chooses the version of TLS. With a domain it is 1.2 at least.",
    where: (settings) => !ownDomain(settings),
  },
  {
    id: "AwsSolutions-CFR7",
    construct: "Edge/Distribution",
    reason:
      "Files that are open to all are read by origin access control. Those for some readers are not the edge's to read: it sends on a request that a function has signed, and the bucket refuses every other.",
  },
];
