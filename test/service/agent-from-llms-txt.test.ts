import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { enterUsername, unusedUsername } from "../support/sign-in.ts";
import { elementsOf, Visitor } from "../support/visitor.ts";

/** One step of a recipe in the guide, which gives the agent all paths, fields and headers. */
interface Step {
  readonly human?: string;
  readonly show?: readonly string[];
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly also_status?: number;
  readonly keep?: Readonly<Record<string, string>>;
  readonly repeat?: {
    readonly while: Readonly<Record<string, readonly string[]>>;
    readonly every_seconds: number;
  };
  readonly next?: readonly {
    readonly when: string;
    readonly equals?: unknown;
    readonly recipe: string;
    readonly keep?: Readonly<Record<string, string>>;
  }[];
}

interface Guide {
  readonly recipes: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** Follows recipes by the rules in the guide's own `how_to_read_recipes`. */
class Agent {
  readonly #guide: Guide;
  readonly #askHuman: (shown: readonly string[]) => Promise<void>;
  /** Values kept from responses, and values that the agent chose itself. */
  readonly known: Record<string, string>;
  /** The last response's JSON, or undefined. */
  response: unknown;

  constructor(
    guide: Guide,
    filledIn: Record<string, string>,
    askHuman: (shown: readonly string[]) => Promise<void>,
  ) {
    this.#guide = guide;
    this.known = { ...filledIn };
    this.#askHuman = askHuman;
  }

  async follow(name: string): Promise<void> {
    for (const step of this.#guide.recipes[name]?.steps ?? []) {
      if (step.human === undefined) await this.#call(step);
      else await this.#askHuman((step.show ?? []).map((text) => this.#fill(text)));
    }
  }

  async #call(step: Step): Promise<void> {
    this.response = await this.#send(step);
    while (
      Object.entries(step.repeat?.while ?? {}).some(([at, values]) => values.includes(String(this.#at(at))))
    ) {
      await setTimeout((step.repeat?.every_seconds ?? 0) * 1000);
      this.response = await this.#send(step);
    }
    this.#keep(step.keep);
    const way = step.next?.find(({ when, equals }) => {
      const found = this.#at(when);
      return found !== undefined && (equals === undefined || found === equals);
    });
    if (way === undefined) return;
    this.#keep(way.keep);
    await this.follow(way.recipe);
  }

  async #send({ method, url, headers, body, status, also_status: also = status }: Step): Promise<unknown> {
    const filledHeaders = Object.entries(headers).map(([name, value]) => [name, this.#fill(value)]);
    const response = await fetchPage(this.#fill(url, encodeURIComponent), {
      method,
      headers: Object.fromEntries(filledHeaders),
      ...(body === undefined ? {} : { body: JSON.stringify(this.#fillAll(body)) }),
    });
    if (response.status !== status && response.status !== also)
      throw new Error(`${method} ${url} returned ${response.status}: ${response.text}`);
    return response.text === "" ? undefined : JSON.parse(response.text);
  }

  #keep(pointers: Readonly<Record<string, string>> = {}): void {
    for (const [name, pointer] of Object.entries(pointers)) this.known[name] = String(this.#at(pointer));
  }

  /** Resolves a JSON Pointer (RFC 6901) in the last response, for names without `~` and `/`. */
  #at(pointer: string): unknown {
    return pointer
      .split("/")
      .slice(1)
      .reduce(
        (value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name],
        this.response,
      );
  }

  #fill(text: string, encode = (value: string) => value): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = this.known[name];
      if (value === undefined) throw new Error(`The guide uses {${name}}, which has no value yet.`);
      return encode(value);
    });
  }

  #fillAll(value: unknown): unknown {
    if (typeof value === "string") return this.#fill(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#fillAll(inner)]));
  }
}

/** Signs in like a person who was shown a URL and a code: compares the code and follows the page's one button. */
async function signIn([url = "", code = ""]: readonly string[], username: string): Promise<void> {
  const human = new Visitor();
  const page = await human.open(url);
  expect(page.response.text).toContain(code);
  const [button] = elementsOf(page.response, "a").filter(({ attribs }) =>
    attribs.class?.split(" ").includes("button"),
  );
  const provider = await human.open(new URL(button?.attribs.href ?? "", page.url));
  const confirmation = await enterUsername(human, provider, username);
  expect(confirmation.response.status).toBe(200);
}

/** Fetches every document of this service that a text links to. */
async function readLinked(text: string): Promise<ReceivedResponse[]> {
  const links = [...text.matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, url = ""]) => new URL(url));
  return Promise.all(
    links.filter(({ origin }) => origin === new URL(baseUrl()).origin).map((url) => fetchPage(url)),
  );
}

test("an agent that knows only the address signs in, publishes, updates, locks and deletes", async () => {
  const llmsTxt = await fetchPage("/llms.txt");
  const linked = await readLinked(llmsTxt.text);
  const guide = linked
    .filter(({ headers }) => headers["content-type"]?.startsWith("application/json"))
    .map(({ text }) => JSON.parse(text) as Guide)
    .find(({ recipes }) => recipes !== undefined);
  if (guide === undefined) throw new Error("/llms.txt links to no guide with recipes.");
  const username = unusedUsername("agent");
  const html = '<!doctype html><html lang="en"><title>One</title><p>The first page.</p></html>';
  const filledIn = {
    label: "an agent that has read llms.txt",
    project: `test ${randomBytes(4).toString("hex")} & more`,
    title: "From the guide",
    html,
    passcode: "open sesame",
  };
  const agent = new Agent(guide, filledIn, (shown) => signIn(shown, username));

  await agent.follow("sign_in");
  await agent.follow("look_up");
  const { slug = "", url = "" } = agent.known;

  const { raw_url: rawUrl } = agent.response as { raw_url: string };
  expect((await fetchPage(`${rawUrl}?v=1`)).text).toContain("The first page.");

  agent.known.html = html.replace("first", "second");
  delete agent.known.slug;
  await agent.follow("look_up");

  expect(agent.known).toMatchObject({ slug, url, latest_version: "2" });
  expect((await fetchPage(`${rawUrl}?v=2`)).text).toContain("The second page.");

  agent.known.html = html.replace("first", "third");
  delete agent.known.slug;
  await agent.follow("upsert");

  expect(agent.known).toMatchObject({ slug, url, latest_version: "3" });

  agent.known.title = "A better title";
  await agent.follow("edit");
  expect(agent.response).toMatchObject({ title: "A better title" });

  await agent.follow("lock");
  expect(agent.response).toMatchObject({ locked: true });
  expect((await fetchPage(url)).text).not.toContain("A better title");

  await agent.follow("unlock");
  expect(agent.response).toMatchObject({ locked: false });

  await agent.follow("delete");
  expect((await fetchPage(url)).status).toBe(404);
});
