import type { DeviceCode } from "../domain/device-code.ts";
import { keys } from "./keys.ts";
import { getItem, type Item } from "./table.ts";

/** Finds device codes; nothing here writes. */
export const deviceCodeSearch = {
  /** The code, whatever its state, or undefined where there is none. */
  async find(code: string): Promise<DeviceCode | undefined> {
    const item = await getItem(keys.deviceCode(code));
    return item && toDeviceCode(code, item);
  },

  /** The code that a poll token was given for. */
  async findByPollTokenHash(hash: string): Promise<DeviceCode | undefined> {
    const poll = await getItem(keys.poll(hash));
    return poll && deviceCodeSearch.find(poll.code as string);
  },
};

function toDeviceCode(code: string, item: Item): DeviceCode {
  const facts = {
    code,
    label: item.label as string | null,
    pollTokenHash: item.pollTokenHash as string,
    codeVerifier: (item.codeVerifier ?? "") as string,
    expiresAtMs: item.expiresAtMs as number,
  };
  const userId = item.userId as string;
  switch (item.state as DeviceCode["state"]) {
    case "pending":
      return { ...facts, state: "pending" };
    case "verified":
      return { ...facts, state: "verified", userId };
    case "claimed":
      // Those of earlier deployments do not say it.
      return { ...facts, state: "claimed", userId, tokenId: (item.tokenId ?? "") as string };
  }
}
