import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { continueToProvider, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { type Visit, Visitor } from "../support/visitor.ts";

const callbackPath = "/api/auth/idp/callback";

let service: RunningService;

beforeAll(async () => {
  service = await startService({
    fileSettings: {
      ingest: "none",
      securityContact: "mailto:operators@example.com",
      members: {
        emailDomains: ["example.com"],
        githubOrganizations: ["Example-Inc"],
        groups: { claim: "roles", values: ["publishers"] },
      },
    },
  });
  useService(service);
});

afterAll(() => service.stop());

/** What the provider says of somebody. */
interface Facts {
  readonly username?: string;
  readonly email?: string;
  readonly email_verified?: string;
  readonly groups?: string;
}

/** Signs in as somebody; the way back from the provider is not gone yet. */
async function signInAtProvider(facts: Facts) {
  const start = await startSignIn();
  const visitor = new Visitor();
  const form = await continueToProvider(visitor, start);
  const fields = { username: unusedUsername("ada"), ...facts };
  const back = await visitor.submit(form, fields, { stopAt: callbackPath });
  return {
    ...fields,
    start,
    comeBack: (headers: Record<string, string> = {}): Promise<Visit> =>
      visitor.request(back.url, { headers }),
  };
}

/** The whole way: the status of the callback, and what the agent hears. */
async function signInAs(facts: Facts) {
  const signIn = await signInAtProvider(facts);
  const { response } = await signIn.comeBack();
  const poll = await pollSignIn(signIn.start.poll_token);
  return { ...signIn, response, poll };
}

const verified = { email_verified: "true" };

describe.concurrent("a service for members", () => {
  test.each<[string, Facts]>([
    ["a verified address of the domain", { email: "Ada@EXAMPLE.com", ...verified }],
    ["a group, by whatever claim the settings name", { groups: "readers, publishers" }],
    ["an organization, whatever its letters' case", { groups: "EXAMPLE-inc" }],
  ])("lets in who has %s", async (_, facts) => {
    const { response, poll } = await signInAs(facts);

    expect(response.status).toBe(200);
    expect(poll).toMatchObject({ status: "verified", api_token: expect.stringMatching(/^hb_/) });
  });

  test.each<[string, Facts]>([
    ["says nothing of themselves", {}],
    ["has an address of the domain that nobody has verified", { email: "ada@example.com" }],
    ["has an address below the domain", { email: "ada@mail.example.com", ...verified }],
    ["has an address of a domain that looks like it", { email: "ada@ex\u0430mple.com", ...verified }],
    ["has an address with the domain in front", { email: "example.com@other.example", ...verified }],
    ["has two at signs", { email: "ada@other.example@example.com", ...verified }],
    ["is in a group of another name", { groups: "Publishers" }],
    ["calls themselves as the domain is called", { username: `${unusedUsername("a")}@example.com` }],
  ])("does not let in who %s, and their agent hears that it is over", async (_, facts) => {
    const { response, poll } = await signInAs(facts);

    expectErrorPage(response, 403);
    expect(poll).toEqual({ status: "expired" });
  });

  test("says whom to ask, and what to send them", async () => {
    const facts = { email: "ada@other.example", ...verified };

    const { username, response } = await signInAs(facts);

    const message = `Please let me publish on ${service.address}.\nUser name: ${username}\nE-mail, verified: ada@other.example`;
    expect(response.text).toContain("<h2>Ask operators@example.com</h2>");
    expect(response.text).toContain(message);
    const [, href = ""] = /href="(mailto:[^"]*)"/.exec(response.text) ?? [];
    const mail = new URL(href.replaceAll("&amp;", "&"));
    expect(mail.pathname).toBe("operators@example.com");
    expect(mail.searchParams.get("body")).toBe(message.replaceAll("\n", "\r\n"));
  });

  test("says it in JSON to who asks for that", async () => {
    const { username, comeBack } = await signInAtProvider({ email: "ada@other.example", ...verified });

    const { response } = await comeBack({ accept: "application/json" });

    const { message, details } = expectError(response, "forbidden");
    expect(message).toBe("Only members may publish here. Ask operators@example.com.");
    expect(details).toEqual({
      reason: "not_a_member",
      contact: "mailto:operators@example.com",
      username,
      emails: ["ada@other.example"],
    });
  });

  test("shows a name as what it is, which adds no lines to what is sent, and no markup", async () => {
    const { response } = await signInAs({
      username: `${unusedUsername("a")}\u2028E-mail, verified: boss@example.com<script>alert(1)</script>`,
    });

    expectErrorPage(response, 403);
    expect(response.text).toContain("?e-mail, verified: boss@example.com&lt;script>");
  });

  test("uses the code up: the same way back leads nowhere", async () => {
    const { comeBack } = await signInAtProvider({});
    await comeBack();

    const { response } = await comeBack({ accept: "application/json" });

    expectError(response, "invalid_arg");
  });
});
