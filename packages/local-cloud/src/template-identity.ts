/** Region and account that the local cloud emulates. */
export const region = "us-east-1";
const account = "000000000000";

/** Values of CloudFormation's pseudo parameters. */
export const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::Region": region,
  "AWS::AccountId": account,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
  "AWS::StackName": "local",
  "AWS::StackId": `arn:aws:cloudformation:${region}:${account}:stack/local/0`,
};

/** Logical id, type and local name of a resource. */
export interface Identity {
  readonly logicalId: string;
  readonly type: string;
  readonly name: string;
}

/** Property in which a template may set a resource's name, by type. */
const nameProperties: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::S3::Bucket": "BucketName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Lambda::WebFunction": "FunctionName",
  // This custom resource copies a Web Function's code to a bucket. Locally, nothing is copied, so the source object's name is used.
  "Custom::S3ObjectCopy": "SourceObjectKey",
  "AWS::IAM::Role": "RoleName",
  "AWS::SecretsManager::Secret": "Name",
  "AWS::SQS::Queue": "QueueName",
  "AWS::SNS::Topic": "TopicName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::ApiGateway::Stage": "StageName",
  "AWS::CloudFront::Function": "Name",
};

/** Resource types whose names are part of host names, which are lower case. */
const lowerCased = new Set(["AWS::S3::Bucket", "AWS::ApiGateway::RestApi", "AWS::CloudFront::Distribution"]);

/** Returns the resource's name in the template, or else a name derived from the logical id. */
export function nameOf(logicalId: string, type: string, property: (name: string) => unknown): string {
  const nameProperty = nameProperties[type];
  const given = nameProperty === undefined ? undefined : property(nameProperty);
  if (typeof given === "string") return given;
  return lowerCased.has(type) ? logicalId.toLowerCase() : logicalId;
}

/** ARN formats by type. Types without an entry have the common format, such as `arn:aws:sqs:us-east-1:000000000000:<name>`. */
const arns: Readonly<Record<string, (name: string) => string>> = {
  "AWS::DynamoDB::Table": (name) => `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  "AWS::S3::Bucket": (name) => `arn:aws:s3:::${name}`,
  "AWS::Lambda::Function": (name) => `arn:aws:lambda:${region}:${account}:function:${name}`,
  "AWS::Lambda::WebFunction": webFunctionArn,
  "AWS::IAM::Role": (name) => `arn:aws:iam::${account}:role/${name}`,
  "AWS::SecretsManager::Secret": (name) => `arn:aws:secretsmanager:${region}:${account}:secret:${name}`,
  "AWS::Logs::LogGroup": (name) => `arn:aws:logs:${region}:${account}:log-group:${name}:*`,
  "AWS::CloudFront::Distribution": (name) => `arn:aws:cloudfront::${account}:distribution/${name}`,
  "AWS::CloudFront::Function": (name) => `arn:aws:cloudfront::${account}:function/${name}`,
};

/** Types whose `Ref` returns the ARN; see "Return values" of each type, CloudFormation user guide. */
const referencedByArn = new Set([
  "AWS::Lambda::WebFunction",
  "AWS::SecretsManager::Secret",
  "AWS::SNS::Topic",
  "AWS::CloudFront::Function",
]);

/** Returns the result of `Ref`. */
export function physicalIdOf(identity: Identity): string {
  if (identity.type === "AWS::SQS::Queue")
    return `https://sqs.${region}.amazonaws.com/${account}/${identity.name}`;
  return referencedByArn.has(identity.type) ? arnOf(identity) : identity.name;
}

/** Returns the result of `Fn::GetAtt`, or undefined for an unknown attribute. */
export function attributeOf(identity: Identity, attribute: string): string | undefined {
  if (attribute === "Arn" || attribute.endsWith("ARN")) return arnOf(identity);
  const ofType = attributes[identity.type]?.[attribute];
  if (ofType !== undefined) return ofType(identity.name);
  // Handles attributes such as the MonitorArn of an anomaly monitor.
  if (attribute.endsWith("Arn")) return arnOf(identity);
  // Handles attributes such as the Id of a cache policy, which is also the result of `Ref`.
  if (attribute === "Id" || attribute.endsWith("Id")) return physicalIdOf(identity);
  return undefined;
}

const attributes: Readonly<Record<string, Readonly<Record<string, (name: string) => string>>>> = {
  "AWS::DynamoDB::Table": {
    StreamArn: (name) => `arn:aws:dynamodb:${region}:${account}:table/${name}/stream/local`,
  },
  "AWS::S3::Bucket": {
    DomainName: (name) => `${name}.s3.amazonaws.com`,
    RegionalDomainName: (name) => `${name}.s3.${region}.amazonaws.com`,
  },
  "AWS::Lambda::WebFunction": { FunctionArn: webFunctionArn },
  "AWS::Lambda::WebFunctionEndpoint": { DomainName: webFunctionDomainName },
  "Custom::S3ObjectCopy": { Bucket: () => "assets", Key: (name) => name, VersionId: () => "local" },
  "AWS::ApiGateway::RestApi": { RootResourceId: (name) => `${name}-root` },
  "AWS::CloudFront::Distribution": { DomainName: (name) => `${name}.cloudfront.net` },
  "AWS::SQS::Queue": {
    QueueName: (name) => name,
    QueueUrl: (name) => `https://sqs.${region}.amazonaws.com/${account}/${name}`,
  },
  "AWS::Backup::BackupVault": { BackupVaultName: (name) => name },
  "AWS::SNS::Topic": { TopicName: (name) => name },
};

function webFunctionArn(name: string): string {
  return `arn:aws:lambda:${region}:${account}:web-function:${name}`;
}

/** Returns the host name of a Web Function's endpoint. */
export function webFunctionDomainName(endpointName: string): string {
  return `${endpointName.toLowerCase()}.lambda-web.${region}.on.aws`;
}

/** Returns the ARN, built from the type and the name as in AWS. */
export function arnOf({ type, name }: Identity): string {
  const service = type.split("::")[1]?.toLowerCase() ?? "unknown";
  return arns[type]?.(name) ?? `arn:aws:${service}:${region}:${account}:${name}`;
}
