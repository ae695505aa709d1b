import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";

// The SDK reads its endpoint from AWS_ENDPOINT_URL, which the local cloud sets for every function.
const client = new DynamoDBClient();

/** Serves POST /visits. Counts a visit and returns the number of visits. */
export async function handler() {
  const { Attributes } = await client.send(
    new UpdateItemCommand({
      TableName: process.env.TABLE,
      Key: { page: { S: "home" } },
      UpdateExpression: "ADD visits :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ReturnValues: "ALL_NEW",
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ visits: Number(Attributes?.visits?.N) }) };
}
