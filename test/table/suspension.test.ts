import { afterEach, expect, test, vi } from "vitest";
import { environmentNames } from "../../functions/core/environment.ts";
import { accountSuspended, identityBanned } from "../../functions/table/suspension.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, "Ask the operator of this service.", {}],
  ["mailto:security@example.com", "Ask security@example.com.", { contact: "mailto:security@example.com" }],
  ["https://example.com/form", "Ask https://example.com/form.", { contact: "https://example.com/form" }],
])("a refused person is shown whom to contact if the contact is %s", (contact, whom, more) => {
  vi.stubEnv(environmentNames.securityContact, contact);

  const [suspended, banned] = [accountSuspended().toBody(), identityBanned().toBody()];

  expect(suspended.error).toMatchObject({
    code: "forbidden",
    message: expect.stringMatching(/^This account is suspended\. /),
  });
  expect(suspended.error.details).toEqual({ reason: "account_suspended", ...more });
  expect(banned.error).toMatchObject({ code: "forbidden" });
  expect(banned.error.details).toEqual({ reason: "identity_banned", ...more });
  for (const { error } of [suspended, banned]) expect(error.message.endsWith(` ${whom}`)).toBe(true);
});
