import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { stackTag } from "./cost-anomaly.ts";

export interface MonthlyBudgetProps {
  /** Budget for the stack in a calendar month, in dollars. */
  readonly dollars: number;
  readonly topic: ITopic;
}

/**
 * Sends a notification when the stack's actual or forecast cost of the month exceeds the budget. Nothing is stopped. AWS updates a budget
 * up to three times a day. A budget without actions is free, and a forecast needs about five weeks of usage. See "Managing your costs with
 * AWS Budgets", AWS Cost Management user guide.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, topic }: MonthlyBudgetProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new CfnBudget(this, "Budget", {
      budget: {
        // If the notifications change, the name must change too, so that CloudFormation replaces the budget.
        budgetName: `${stackName}-monthly-budget`,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: dollars, unit: "USD" },
        // A user-defined tag is written `user:<key>$<value>`; see "Budget", AWS Billing API reference.
        costFilters: { TagKeyValue: [`user:${stackTag}$${stackName}`] },
      },
      notificationsWithSubscribers: ["FORECASTED", "ACTUAL"].map((notificationType) => ({
        notification: {
          notificationType,
          comparisonOperator: "GREATER_THAN",
          threshold: 100,
          thresholdType: "PERCENTAGE",
        },
        subscribers: [{ subscriptionType: "SNS", address: topic.topicArn }],
      })),
    });
  }
}
