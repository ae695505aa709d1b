import { each, jsonLength, lengthOf, numberOf, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons } from "./quota.ts";

const table = "AWS::DynamoDB::Table";
const bucket = "AWS::S3::Bucket";

const onDemand = "The table uses on-demand capacity.";
const noGlobal = "The table is in one Region.";
const noImport = "The service does not import or export tables.";
const noIndex = "The table has no secondary indexes.";
const byKeys = "`keys.ts` builds every key from ids and names of limited length.";
const byStores =
  "Transactions have a few named writes. SCIM's, which are the largest, are split by constants of `user-accounts.ts` and `group-store.ts`.";
const byLimits = "`limits.ts` limits the contents of items. The largest is a context of 65,536 characters.";
const fewExpressions = "Expressions are constants of the code with a few names and values.";
const objects = "Objects are pages and files of at most 25 MB: `limits.ts`.";

export const dynamoDbQuotas: QuotaPage = {
  title: 'Amazon DynamoDB Developer Guide, "Quotas in Amazon DynamoDB"',
  services: ["AWS::DynamoDB"],
  quotas: [
    {
      name: "Throughput per table",
      value: "40,000 request units for reads and writes each",
      reason: reasons.rate,
    },
    { name: "Throughput per account", value: 80_000, reason: onDemand },
    { name: "Minimum throughput for any table or global secondary index", value: 1, reason: onDemand },
    { name: "Decreasing provisioned throughput", value: "4 a day, and 1 an hour", reason: onDemand },
    { name: "Reserved capacity per account", value: 1_000_000, reason: onDemand },
    { name: "Table size", value: "no practical limit", reason: "DynamoDB has no quota." },
    {
      name: "Maximum number of tables per account per region",
      value: 2_500,
      bound: 1,
      count: numberOf(table),
    },
    { name: "Global tables", value: "4 rows", reason: noGlobal },
    {
      name: "Local secondary indexes per table",
      value: 5,
      bound: 0,
      count: each(table, ({ LocalSecondaryIndexes }) => lengthOf(LocalSecondaryIndexes)),
    },
    {
      name: "Global secondary indexes per table",
      value: 20,
      bound: 0,
      count: each(table, ({ GlobalSecondaryIndexes }) => lengthOf(GlobalSecondaryIndexes)),
    },
    { name: "Vector indexes", value: "8 rows", reason: reasons.unused },
    { name: "Projected secondary index attributes", value: 100, reason: noIndex },
    {
      name: "Simultaneous readers of a shard in DynamoDB Streams",
      value: 2,
      bound: 2,
      count: (template) => ({
        "the table's stream": resourcesOf(template, "AWS::Lambda::EventSourceMapping").filter(
          ([, { Properties }]) => Properties.StartingPosition !== undefined,
        ).length,
      }),
    },
    {
      name: "Maximum write capacity for a table with DynamoDB Streams enabled",
      value: 40_000,
      reason: onDemand,
    },
    { name: "Import from Amazon S3", value: "50 jobs", reason: noImport },
    { name: "Table export to Amazon S3", value: "300 jobs", reason: noImport },
    { name: "Backup and restore", value: "50 restores", reason: "An operator restores one table at a time." },
    { name: "Contributor Insights", value: "as CloudWatch says", reason: reasons.unused },
  ],
};

export const dynamoDbConstraints: QuotaPage = {
  title: 'Amazon DynamoDB Developer Guide, "Constraints in Amazon DynamoDB"',
  services: ["AWS::DynamoDB"],
  quotas: [
    { name: "Read/write capacity mode", value: "4 switches a day", reason: "The mode never changes." },
    { name: "Projected Secondary Index attributes per table", value: 100, reason: noIndex },
    { name: "Partition key length", value: "2,048 bytes", reason: byKeys },
    { name: "Partition key values", value: "no practical limit", reason: "DynamoDB has no quota." },
    { name: "Sort key length", value: "1,024 bytes", reason: byKeys },
    { name: "Sort key values", value: "no practical limit", reason: noIndex },
    {
      name: "Table names and Secondary Index names",
      value: 255,
      reason: "CloudFormation generates the name.",
    },
    { name: "Attribute names", value: "64 KB", reason: "Attribute names are constants of the code." },
    { name: "String", value: "400 KB", reason: byLimits },
    { name: "Number", value: "38 digits", reason: "Numbers are JavaScript integers." },
    { name: "Binary", value: "400 KB", reason: byLimits },
    { name: "Item size", value: "400 KB", reason: byLimits },
    { name: "Item size for tables with Local Secondary Indexes", value: "400 KB", reason: noIndex },
    { name: "Attribute name-value pairs per item", value: "400 KB", reason: byLimits },
    { name: "Number of values in list, map, or set", value: "no limit", reason: "DynamoDB has no quota." },
    {
      name: "Attribute values",
      value: "not empty in a key or a set",
      reason: "The local cloud refuses empty values too.",
    },
    { name: "Nested attribute depth", value: 32, reason: "The deepest attribute is a list of maps." },
    { name: "Expression parameters: lengths", value: "4 KB", reason: fewExpressions },
    {
      name: "Expression parameters: operators and operands",
      value: "300, and 100 for IN",
      reason: fewExpressions,
    },
    {
      name: "Reserved words",
      value: "as the page lists",
      reason: "Every name in an expression is a placeholder.",
    },
    { name: "Items of a transaction", value: 100, reason: byStores },
    { name: "Data of a transaction", value: "4 MB", reason: byStores },
    {
      name: "Actions of a transaction on one item",
      value: 1,
      reason: "The local cloud refuses a second action too.",
    },
    { name: "DynamoDB Accelerator (DAX)", value: "5 rows", reason: reasons.unused },
    { name: "CreateTable, UpdateTable, DeleteTable", value: "500 at the same time", reason: reasons.rate },
    { name: "PutResourcePolicy, DeleteResourcePolicy", value: "20 KB", reason: "The table has no policy." },
    { name: "BatchGetItem", value: "100 items, 16 MB", reason: "`table.ts` splits longer lists of keys." },
    { name: "BatchWriteItem", value: "25 items, 16 MB", reason: "`table-writes.ts` splits longer lists." },
    { name: "Query, Scan", value: "1 MB", reason: "Queries follow LastEvaluatedKey." },
    {
      name: "UpdateTableTimeToLive",
      value: "1 an hour",
      reason: "The time to live is set once, with the table.",
    },
    { name: "Other calls with a rate of their own", value: "8 rows", reason: reasons.rate },
    {
      name: "DynamoDB encryption at rest",
      value: "4 switches a day",
      reason: "The key is managed by AWS and never changes.",
    },
  ],
};

export const s3: QuotaPage = {
  title: 'AWS General Reference, "Amazon Simple Storage Service endpoints and quotas"',
  services: ["AWS::S3"],
  quotas: [
    { name: "Access Points", value: 10_000, reason: reasons.unused },
    {
      name: "Bucket policy",
      value: 20_480,
      bound: 5_000,
      count: each("AWS::S3::BucketPolicy", ({ PolicyDocument }) => jsonLength(PolicyDocument)),
    },
    { name: "Bucket tags", value: 50, bound: 10, count: each(bucket, ({ Tags }) => lengthOf(Tags)) },
    { name: "Directory buckets", value: 100, reason: reasons.unused },
    {
      name: "Event notifications",
      value: 100,
      bound: 10,
      count: each(bucket, ({ NotificationConfiguration: { QueueConfigurations } = {} }) =>
        lengthOf(QueueConfigurations),
      ),
    },
    { name: "General purpose buckets", value: 10_000, bound: 5, count: numberOf(bucket) },
    {
      name: "Lifecycle rules",
      value: 1_000,
      bound: 20,
      count: each(bucket, ({ LifecycleConfiguration }) => lengthOf(LifecycleConfiguration?.Rules)),
    },
    { name: "Maximum part size", value: "5 GB", reason: objects },
    { name: "Minimum part size", value: "5 MB", reason: "`objects.ts` uploads in parts of 5 MiB." },
    { name: "Multi-Region Access Point Regions", value: 20, reason: reasons.unused },
    { name: "Multi-Region Access Points", value: 100, reason: reasons.unused },
    { name: "Object size", value: "48.8 TB", reason: objects },
    { name: "Object size (Console upload)", value: "160 GB", reason: objects },
    { name: "Object tags", value: 10, reason: "A file has at most one tag, which hides it." },
    { name: "Parts", value: 10_000, reason: "A file of 25 MB has five parts." },
    { name: "Replication Destinations", value: 28, reason: reasons.unused },
    { name: "Replication rules", value: 1_000, reason: reasons.unused },
    { name: "Replication transfer rate", value: "1 Gbps", reason: reasons.unused },
    { name: "S3 Glacier", value: "3 rows", reason: reasons.unused },
    { name: "Amazon S3 on Outposts", value: "2 rows", reason: reasons.unused },
  ],
};
