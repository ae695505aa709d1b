import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { readArchive } from "../../functions/folders/archive.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";

const entry = { path: "index.html", bytes: Buffer.from("<h1>x</h1>") };

test("the same files make the same archive, in any order and time zone", { tags: "slow" }, () => {
  const script = `
    import { writeArchive } from "${import.meta.resolve("../../functions/folders/write-archive.ts")}";
    const files = [["index.html", "x"], ["b.png", "y"], ["a.js", "z".repeat(99)]].map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
    if (process.env.TZ === "Asia/Tokyo") files.reverse();
    console.log(Buffer.from(writeArchive(files)).toString("hex"));`;
  const archiveIn = (zone: string) =>
    execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });

  expect(archiveIn("Asia/Tokyo")).toBe(archiveIn("America/New_York"));
});

test("file types that are already compressed are stored uncompressed, and texts are compressed", () => {
  const text = Buffer.from("words ".repeat(1_000));

  const zip = Buffer.from(
    writeArchive([
      { path: "a.png", bytes: text },
      { path: "a.txt", bytes: text },
    ]),
  );

  expect(zip.indexOf(text)).toBe(zip.indexOf("a.png") + 5);
  expect(zip.byteLength).toBeLessThan(text.byteLength + 500);
});

test("a folder that would exceed the maximum expansion of an archive is written so that it can be read", async () => {
  const files = [{ path: "a.bin", bytes: Buffer.alloc(5_000_000) }, entry];

  const { files: read } = await readArchive(writeArchive(files));

  expect(read.map(({ path, bytes }) => [path, bytes.byteLength])).toEqual([
    ["a.bin", 5_000_000],
    ["index.html", 10],
  ]);
});
