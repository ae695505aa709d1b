import { expect, test } from "vitest";
import { dataBucketsOf, givenStack, resourcesOf } from "./given-stack.ts";

const backupVaultArn = "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf";
const template = givenStack({ backupVaultArn });
const only = (type: string) => {
  const [resource, ...more] = Object.values(resourcesOf(template, type));
  expect(more).toEqual([]);
  return resource?.Properties;
};

test("the table and both buckets are copied to the other vault every day, and stored there for 35 days", () => {
  const [rule, ...more] = only("AWS::Backup::BackupPlan").BackupPlan.BackupPlanRule;
  const { BackupSelection } = only("AWS::Backup::BackupSelection");
  const arnOf = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

  expect(more).toEqual([]);
  expect(rule).toMatchObject({
    ScheduleExpression: "cron(17 3 * * ? *)",
    Lifecycle: { DeleteAfterDays: 7 },
    CopyActions: [{ DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 35 } }],
  });
  expect(BackupSelection.Resources).toEqual(
    ["StorageTableB43FDCE7", "StoragePages2B0B5787", "StorageBlobs31FE9BCB"].map(arnOf),
  );
});

test("buckets send changes to AWS Backup in addition to the queue", () => {
  const buckets = dataBucketsOf(template);
  expect(buckets).toHaveLength(2);
  for (const [, { Properties }] of buckets) {
    expect(Properties.NotificationConfiguration).toMatchObject({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
      QueueConfigurations: [{ Event: "s3:ObjectCreated:*" }],
    });
    expect(Properties.VersioningConfiguration).toEqual({ Status: "Enabled" });
  }
});

test("only AWS Backup can assume the backup role, which has the permissions of AWS Backup's two policies", () => {
  const roles = Object.values(resourcesOf(template, "AWS::IAM::Role")).filter(({ Properties }) =>
    JSON.stringify(Properties.AssumeRolePolicyDocument).includes("backup.amazonaws.com"),
  );

  expect(roles).toHaveLength(1);
  expect(JSON.stringify(roles[0]?.Properties.ManagedPolicyArns)).toMatch(
    /AWSBackupServiceRolePolicyForBackup.*AWSBackupServiceRolePolicyForS3Backup/,
  );
  expect(roles[0]?.Properties.Policies).toBeUndefined();
});

test("without the setting there are no copies, and no resources for them", () => {
  expect(JSON.stringify(givenStack().toJSON())).not.toMatch(/AWS::Backup|EventBridgeConfiguration/);
});
