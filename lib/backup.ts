import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { recoveryDays } from "./retention.ts";
import type { Stage } from "./settings.ts";
import { removalPolicyOf, type Storage } from "./storage.ts";

export interface BackupProps {
  readonly storage: Storage;
  readonly stage: Stage;
  /** ARN of the vault in another account or Region that receives the copies. */
  readonly vaultArn: string;
}

/** Retention of backups in the stack's own vault, in days. The copies in the other vault are kept longer. */
const daysHere = 7;

/**
 * Backs up the table and both buckets every day, and copies each backup to a vault elsewhere. The account must have opted in to Amazon S3
 * and to the advanced features of DynamoDB backups; see "Getting started 1: Service Opt-in" and "Advanced DynamoDB backup", AWS Backup
 * developer guide.
 */
export class Backup extends Construct {
  constructor(scope: Construct, id: string, { storage, stage, vaultArn }: BackupProps) {
    super(scope, id);
    const { table, pages, blobs } = storage;
    const plan = new BackupPlan(this, "Plan", {
      backupVault: new BackupVault(this, "Vault", { removalPolicy: removalPolicyOf(stage) }),
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: "daily",
          scheduleExpression: Schedule.cron({ hour: "3", minute: "17" }),
          deleteAfter: Duration.days(daysHere),
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, "Elsewhere", vaultArn),
              deleteAfter: Duration.days(recoveryDays),
            },
          ],
        }),
      ],
    });
    plan.addSelection("Data", {
      resources: [
        BackupResource.fromDynamoDbTable(table),
        ...[pages, blobs].map(({ bucketArn }) => BackupResource.fromArn(bucketArn)),
      ],
      role: this.#role(),
      // The default policy would also allow restores, and backups of the account's other tagged resources.
      disableDefaultBackupPolicy: true,
    });
  }

  /** Creates the role for backups; see "AWS managed policies for AWS Backup", AWS Backup developer guide. */
  #role(): Role {
    const policies = [
      "service-role/AWSBackupServiceRolePolicyForBackup",
      "AWSBackupServiceRolePolicyForS3Backup",
    ];
    return new Role(this, "Role", {
      assumedBy: new ServicePrincipal("backup.amazonaws.com"),
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
  }
}
