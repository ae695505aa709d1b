import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import type { Operation } from "../http/operation.ts";
import type { HttpResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { reviewPublication, withSecrets } from "../secrets/secret-review.ts";
import type { PageContent } from "./drop.ts";

/** Input of an operation that publishes a page. */
export type PublicationInput<Row extends Route> = TokenOperationInput<Row> & {
  readonly body: PublicationBody;
};

type PublicationBody = PageContent & { readonly passcode?: string | undefined };

/** The parts in which operations that publish a page differ. */
interface PublicationParts<Row extends Route> {
  /** The content that a request must share with an earlier one of the same Idempotency-Key. A passcode is compared besides. */
  readonly content: (input: PublicationInput<Row>) => unknown;
  /** Stores the page, and its response with it by `keep`. */
  readonly publish: (input: PublicationInput<Row>, keep: StoreResponse) => Promise<HttpResponse>;
}

/** An operation that scans a page for secrets, and publishes it once for each Idempotency-Key. */
export function publicationOperation<Row extends Route>(
  route: Row,
  { content, publish }: PublicationParts<Row>,
): Operation {
  return tokenOperation(route, async (given) => {
    // Rows of publications have such a body.
    const input = given as PublicationInput<Row>;
    const body: PublicationBody = input.body;
    const review = reviewPublication(body, input.act);
    const digest = () => requestDigest(content(input));
    const request = { ...input, operation: route.id, digest, passcode: body.passcode };
    const response = await respondOnce(request, (keep) => publish({ ...input, act: review.act }, keep));
    return withSecrets(response, review);
  });
}
