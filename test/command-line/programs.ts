import { once } from "node:events";
import type { Server } from "node:net";

/** Environment variables that the program reads. Each test sets its own. */
const steering = /^(?:DROPLEAF_\w+|(?:https?|all|no)_proxy)$/i;

/** Sets environment variables for a test and returns a function that restores the earlier ones. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) if (steering.test(name)) delete process.env[name];
  Object.assign(process.env, { DROPLEAF_KEYCHAIN: "off", ...variables });
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
}

/** Starts a server on a free port by default and returns its address. */
export async function listen(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
