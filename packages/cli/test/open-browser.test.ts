import { beforeEach, expect, test, vi } from "vitest";
import { openBrowser } from "../src/terminal/open-browser.ts";

const opened = vi.hoisted((): string[] => []);
vi.mock("open", () => ({ default: async (target: string) => opened.push(target) }));
beforeEach(() => {
  opened.length = 0;
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ms-settings:privacy",
  "-a Calculator",
  "https://drops.example.com/ --args",
  "https://drops.example.com/\u001b[2J",
  "https://",
  "",
])("%j is not opened", async (address) => {
  await expect(openBrowser(address)).rejects.toThrow("is not an http or https address");
  expect(opened).toEqual([]);
});

test("shell metacharacters are escaped before the browser is opened", async () => {
  await openBrowser("https://drops.example.com/p/k3J9xQ2?v=2&x='$(calc)`;|<>^{}!*\"\\#s");

  expect(opened).toEqual([
    "https://drops.example.com/p/k3J9xQ2?v=2&x=%27%24%28calc%29%60;%7C%3C%3E%5E%7B%7D%21%2A%22%5C#s".replace(
      ";",
      ";",
    ),
  ]);
});
