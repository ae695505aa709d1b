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
  const state = item.state as DeviceCode["state"];
  return state === "pending" ? { ...facts, state } : { ...facts, state, userId: item.userId as string };
}
