import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import type { AttackedAddress } from "./attacked-addresses.ts";
import { cookieBombs, hostileScript } from "./hostile-script.ts";

/** Window of any browser engine that shows the hostile page. */
export interface HostileWindow {
  evaluate(expression: string): Promise<unknown>;
  /** Evaluates `expression`, which navigates the window away, and goes back to the hostile page. */
  leadAndPressBack(expression: string): Promise<void>;
  /** Closes the windows that the page has opened. */
  closeOthers(): Promise<void>;
}

/** Everything that the hostile page found out about an address with one technique. */
export interface Sight extends AttackedAddress {
  readonly means: "requests" | "frames" | "window" | "Back";
  readonly cookies: keyof ReturnType<typeof cookieBombs>;
  readonly seen: string;
}

const atOnce = 8;

/** Attacks each address by requests, frames and windows, with the given cookies. */
export async function attack(
  window: HostileWindow,
  home: string,
  addresses: readonly AttackedAddress[],
  { means, cookies }: Pick<Sight, "means" | "cookies">,
): Promise<Sight[]> {
  const sights: Sight[] = [];
  await window.evaluate(hostileScript);
  for (let start = 0; start < addresses.length; start += atOnce) {
    const some = addresses.slice(start, start + atOnce);
    const seen = await Promise.all(some.map((one) => seenOf(window, home, one, { means, cookies })));
    sights.push(...some.map((one, index) => ({ ...one, means, cookies, seen: seen[index] ?? "" })));
    if (means === "window") await window.closeOthers();
  }
  return sights;
}

async function seenOf(
  window: HostileWindow,
  home: string,
  { url, slug = "" }: AttackedAddress,
  { means, cookies }: Pick<Sight, "means" | "cookies">,
): Promise<string> {
  const bombs = JSON.stringify(cookieBombs(slug)[cookies]);
  const address = JSON.stringify(url);
  if (means === "window")
    return String(await window.evaluate(`hostile.window(${address}, ${bombs}, ${JSON.stringify(home)})`));
  return String(await window.evaluate(`hostile.${means}(${address})`));
}

/** Navigates the hostile page's own window to each address in turn, and reads what the page finds after Back. */
export async function attackByBack(
  window: HostileWindow,
  addresses: readonly AttackedAddress[],
  cookies: Sight["cookies"],
): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const one of addresses) {
    const bombs = JSON.stringify(cookieBombs(one.slug ?? "")[cookies]);
    await window.leadAndPressBack(
      `void (${bombs}.forEach((cookie) => { document.cookie = cookie; }), setTimeout(() => { location.href = ${JSON.stringify(one.url)}; }))`,
    );
    await window.evaluate(hostileScript);
    sights.push({
      ...one,
      means: "Back",
      cookies,
      seen: String(await window.evaluate("hostile.standing()")),
    });
  }
  return sights;
}

/** Sends forms to each address in the name of the signed-in person. */
export async function sendForms(
  window: HostileWindow,
  addresses: readonly string[],
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await window.evaluate(hostileScript);
  const send = (address: string) =>
    window.evaluate(`hostile.send(${JSON.stringify(address)}, ${JSON.stringify(fields)})`);
  await pLimit(atOnce).map(addresses, send);
  // The windows that the forms open need a moment to load.
  await setTimeout(1_500);
  await window.closeOthers();
}

/** Returns the secrets that the page has seen, and long words of addresses that it did not know before. */
export function secretsIn({ seen }: Sight, secrets: readonly string[], known: string): string[] {
  const addresses = textsIn(JSON.parse(seen)).filter((text) => URL.canParse(text));
  const words = addresses.flatMap((address) => address.match(/[A-Za-z0-9_~%.-]{16,}/g) ?? []);
  return [
    ...secrets.filter((secret) => seen.includes(secret)),
    ...new Set(words.filter((word) => !known.includes(word))),
  ];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
