import { query } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { parseDropDestination } from "../identity/destination.ts";

/** `?to=` of the gate's forms: the address of the same drop to lead back to; its viewer without one. */
export const gateQuery = /* @__PURE__ */ schema(() =>
  query({ to: { type: "string" } }, (_, { to = [] }) => {
    return {
      destinationFor: (slug: string) => parseDropDestination(to.length === 1 ? (to[0] ?? "") : "", slug),
    };
  }),
);
