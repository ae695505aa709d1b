import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { ApiError } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import { readArchive } from "../../functions/folders/archive.ts";
import type { FolderFile } from "../../functions/folders/folder.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { refusalOf } from "../support/folder-refusal.ts";
import { extraField, writeZip, type ZipEntry } from "../support/zip-writer.ts";

const entry: ZipEntry = { name: "index.html", bytes: "<h1>Hello</h1>" };

/** Reads an archive and returns the texts of its files by path. */
async function textsOf(zip: Uint8Array): Promise<Record<string, string>> {
  const { files } = await readArchive(zip);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
}

const pathsOf = async (...entries: readonly ZipEntry[]) =>
  (await readArchive(writeZip(entries))).files.map(({ path }) => path);
const refuse = (...entries: readonly ZipEntry[]) => refusalOf(() => readArchive(writeZip(entries)));

test("a folder's files are all read, compressed or not", async () => {
  const zip = writeZip([
    entry,
    { name: "assets/app.js", bytes: "alert(1)", method: 0 },
    { name: "empty.css", bytes: "", method: 0 },
    { name: "deflated-empty.css", bytes: "" },
    { name: "without-deflate.css", bytes: "", data: Buffer.alloc(0) },
  ]);

  expect(await textsOf(zip)).toEqual({
    "index.html": "<h1>Hello</h1>",
    "assets/app.js": "alert(1)",
    "empty.css": "",
    "deflated-empty.css": "",
    "without-deflate.css": "",
  });
});

test("a single top-level folder is removed from paths, and system files are skipped", async () => {
  const paths = await pathsOf(
    { name: "site/", bytes: "", method: 0, mode: 0o040755 },
    { name: "site/index.html", bytes: "x" },
    { name: "site/a/b.js" },
    { name: "__MACOSX/site/._index.html", bytes: "x" },
    { name: ".DS_Store", bytes: "x" },
    { name: "site/.DS_Store", bytes: "x" },
    { name: "site/Thumbs.db", bytes: "x" },
    { name: "site/.git/config", bytes: "x" },
    { name: "site/.git/link", bytes: "../..", mode: 0o120777 },
  );

  expect(paths).toEqual(["index.html", "a/b.js"]);
});

test("only one folder is removed, and only if all files are in it", async () => {
  expect(await pathsOf(entry, { name: "site/a.js" })).toEqual(["index.html", "site/a.js"]);
  expect(await pathsOf({ name: "a/b/index.html" })).toEqual(["b/index.html"]);
  expect(await pathsOf({ name: "a/index.html" }, { name: "b/c.js" })).toEqual(["a/index.html", "b/c.js"]);
});

test("path rules apply after the top-level folder is removed, but parent, absolute and drive paths are always refused", async () => {
  const long = "a".repeat(limits.folderPathCharactersMax);

  expect(await pathsOf({ name: "@3/index.html", bytes: "x" }, { name: `@3/${long}` })).toEqual([
    "index.html",
    long,
  ]);
  expect((await refuse({ name: "../index.html", bytes: "x" })).details.path).toBe("../index.html");
  expect((await refuse({ name: "/index.html", bytes: "x" })).message).toContain("absolute");
  expect((await refuse({ name: "C:/index.html", bytes: "x" })).message).toContain("drive");
});

test.each([
  [{ name: "a\\..\\..\\b" }, "a/../../b", "."],
  [{ name: "..\\b" }, "../b", "."],
  [{ name: "C:\\b" }, "C:/b", "drive"],
  [{ name: "\\b" }, "/b", "absolute"],
  [{ name: "\\\\host\\b" }, "//host/b", "absolute"],
  [{ name: ".\\index.html" }, "./index.html", "."],
  [{ name: "a/../../b" }, "a/../../b", "."],
  [{ name: "link", bytes: "/etc/passwd", mode: 0o120777 }, "link", "symbolic link"],
  [{ name: "device", mode: 0o020666 }, "device", "special file"],
  [{ name: "pipe", mode: 0o010666 }, "pipe", "special file"],
  [{ name: "socket", mode: 0o140666 }, "socket", "special file"],
  [{ name: "secret", flags: 0x801 }, "secret", "encrypted"],
  [{ name: "secret", method: 99, flags: 0x801 }, "secret", "encrypted"],
  [{ name: "secret", flags: 0x2800 }, "secret", "encrypted"],
  [{ name: "a", method: 12, bytes: "x" }, "a", "method 12"],
  [{ name: "a", method: 93, bytes: "x" }, "a", "method 93"],
  [{ name: "a", bytes: "x", crc32: 1 }, "a", "broken"],
  [{ name: "a", bytes: "x", method: 0, crc32: 1 }, "a", "broken"],
  [{ name: "a", bytes: "xy", size: 1 }, "a", "broken"],
  [{ name: "a", bytes: "xy", size: 3 }, "a", "broken"],
  [{ name: "a", bytes: "xy", size: 0 }, "a", "broken"],
  [{ name: "a", bytes: "xy", data: Buffer.from("no deflate") }, "a", "broken"],
  [{ name: "a", bytes: "xy", data: deflateRawSync("xy").subarray(0, 2) }, "a", "broken"],
  [
    { name: "a", bytes: "xy", data: Buffer.concat([deflateRawSync("xy"), Buffer.from("more")]) },
    "a",
    "broken",
  ],
  [{ name: "a", bytes: "xy", local: { name: "b" } }, "a", "two different headers"],
  [{ name: "a", bytes: "xy", local: { method: 0 } }, "a", "two different headers"],
  [{ name: "a", bytes: "xy", local: { size: 9 } }, "a", "two different headers"],
  [{ name: "a", bytes: "xy", local: { crc32: 9 } }, "a", "two different headers"],
  [{ name: "a", bytes: "xy", local: { flags: 0x801 } }, "a", "two different headers"],
  [{ name: Buffer.from("\x81ber.html", "latin1"), flags: 0 }, "\ufffdber.html", "UTF-8"],
  [{ name: Buffer.from("\xff.html", "latin1") }, "\ufffd.html", "UTF-8"],
  [{ name: "old.zip", bytes: writeZip([entry]) }, "old.zip", "a zip archive inside"],
  [{ name: "image.png", bytes: writeZip([entry]) }, "image.png", "a zip archive inside"],
  [{ name: "none.bin", bytes: writeZip([]) }, "none.bin", "a zip archive inside"],
  [{ name: "a.7z", bytes: Buffer.from("7z\xbc\xaf\x27\x1c", "latin1") }, "a.7z", "a 7z archive"],
  [{ name: "a.rar", bytes: "Rar!\u001a\u0007\u0000" }, "a.rar", "a rar archive"],
  [{ name: "a.bin", bytes: `${"a".repeat(257)}ustar` }, "a.bin", "a tar archive"],
  [{ name: "a.tar.gz", bytes: Buffer.from([0x1f, 0x8b, 8]) }, "a.tar.gz", "a tar archive"],
] satisfies [ZipEntry, string, string][])(
  "the entry %j is refused with its path and a reason",
  async (hostile, path, reason) => {
    const refusal = await refuse(entry, hostile);

    expect(refusal).toMatchObject({ code: "invalid_arg", status: 400, details: { path } });
    expect(refusal.message).toContain(reason);
  },
);

test.each([
  ["report.docx", writeZip([entry])],
  ["book.EPUB", writeZip([entry])],
  ["search/index.pf_index", Buffer.from([0x1f, 0x8b, 8])],
  ["data.json.gz", Buffer.from([0x1f, 0x8b, 8])],
  ["data/trace.zip", writeZip([entry])],
  ["downloads/all.tar.gz", Buffer.from([0x1f, 0x8b, 8])],
  ["b.html", Buffer.from("\xfcber", "latin1")],
  ["old.css", Buffer.from("@charset 'latin1'; \xfc", "latin1")],
])("the file %s is published unchanged", async (name, bytes) => {
  expect(await pathsOf(entry, { name, bytes })).toContain(name);
});

test("names in UTF-8 are read with the flag, without it, and from the extra field of an older name", async () => {
  const older = Buffer.from("\x81ber.js", "latin1");
  const sum = Buffer.alloc(5);
  sum[0] = 1;
  sum.writeUInt32LE(crc32(older), 1);
  const beside = extraField(0x7075, Buffer.concat([sum, Buffer.from("ber-\u00fc.js")]));

  const paths = await pathsOf(
    entry,
    { name: "\u00fcber/\u65e5.js" },
    { name: "u\u0308ber/2.js", flags: 0 },
    { name: older, flags: 0, extra: beside },
  );

  expect(paths).toEqual(["index.html", "\u00fcber/\u65e5.js", "\u00fcber/2.js", "ber-\u00fc.js"]);
});

test("an archive that a streaming program wrote, with sizes only after the contents, is read", async () => {
  const described: ZipEntry = {
    ...entry,
    flags: 0x808,
    local: { crc32: 0, size: 0, compressedSize: 0 },
  };

  expect(await pathsOf(described)).toEqual(["index.html"]);
});

test("an archive with sizes in a zip64 field is read", async () => {
  const extra = extraField(1, Buffer.from(new BigUint64Array([14n, 14n]).buffer));
  const sized: ZipEntry = { ...entry, method: 0, size: 0xffffffff, compressedSize: 0xffffffff, extra };

  expect(await textsOf(writeZip([sized]))).toEqual({ "index.html": "<h1>Hello</h1>" });
});

test("a name from DOS or Windows is read in code page 437, with a warning", async () => {
  const name = Buffer.from("\x81bersicht \x84\xe1.html", "latin1");

  const read = await readArchive(writeZip([entry, { name, flags: 0, system: 0 }]));

  expect(read.files.map(({ path }) => path)).toEqual(["index.html", "\u00fcbersicht \u00e4\u00df.html"]);
  expect(read.warnings.join()).toContain('code page 437: "\u00fcbersicht');
});

test.each([
  ["written on Unix", { system: 3, flags: 0 }, "\x81ber.html"],
  ["marked as UTF-8", { system: 0, flags: 0x800 }, "\x81ber.html"],
  ["that would contain box-drawing characters", { system: 10, flags: 0 }, "\xb5ber.html"],
])("a name %s is not read in code page 437", async (_what, made, name) => {
  const refusal = await refuse(entry, { name: Buffer.from(name, "latin1"), ...made });

  expect(refusal.message).toContain("UTF-8");
});

test("backslashes separate folders in the paths of files, folders and skipped entries", async () => {
  const paths = await pathsOf(
    { name: "site\\assets\\", bytes: "" },
    { name: "site\\index.html", bytes: "x" },
    { name: "site\\assets\\app.js" },
    { name: "site\\.git\\config" },
    { name: "__MACOSX\\site\\._index.html" },
  );

  expect(paths).toEqual(["index.html", "assets/app.js"]);
});

test("two entries whose names become equal are refused", async () => {
  expect((await refuse(entry, { name: "a/b.js" }, { name: "a\\b.js" })).message).toContain("was sent twice");
});

test("a folder has at most 25 MiB and 2,000 files", { tags: "slow" }, async () => {
  const noise = Buffer.alloc(limits.folderBytesMax - 14, "0123456789abcdef");
  const largest: ZipEntry = { name: "a.bin", bytes: noise, method: 0 };
  const many = Array.from({ length: limits.folderFilesMax }, (_, index) => ({ name: `${index}.js` }));

  expect(await pathsOf(entry, largest)).toEqual(["index.html", "a.bin"]);
  expect((await refuse(entry, largest, { name: "b", bytes: "x" })).details).toEqual({
    bytes: limits.folderBytesMax + 1,
    bytes_max: limits.folderBytesMax,
  });
  expect(await pathsOf(entry, ...many.slice(1))).toHaveLength(2_000);
  expect((await refuse(entry, ...many)).details).toEqual({ files: 2_001, files_max: 2_000 });
});

test("an archive that expands more than 200 times is refused, unless it is small", {
  tags: "slow",
}, async () => {
  const zeros = (bytes: number): ZipEntry => ({ name: "a.bin", bytes: Buffer.alloc(bytes) });

  expect(await pathsOf(entry, zeros(1_000_000))).toContain("a.bin");
  expect((await refuse(entry, zeros(20_000_000))).message).toContain("times is allowed");
  expect(await pathsOf(entry, { ...zeros(20_000_000), method: 0 })).toContain("a.bin");
});

test("files that share bytes of the archive are refused", async () => {
  const shared = writeZip([
    { name: "index.html", bytes: "x" },
    { name: "index.html/", bytes: "" },
    { name: "a.js", bytes: "y", offset: 0, isListedOnly: true, local: {} },
  ]);
  const inside: ZipEntry = { name: "b.js", bytes: "y", method: 0 };
  const inner = writeZip([inside]).subarray(0, 35);
  const quoting: ZipEntry = { name: "a.bin", bytes: Buffer.concat([Buffer.from("x"), inner]), method: 0 };
  const start = writeZip([entry]).indexOf(Buffer.from("PK\u0001\u0002", "latin1"));

  const quoted = await refuse(entry, quoting, { ...inside, offset: start + 36, isListedOnly: true });

  expect((await refusalOf(() => readArchive(shared))).message).toContain("two different headers");
  expect(quoted.message).toContain(`overlaps "a.bin"`);
});

test("an entry whose contents would be the central directory is refused", async () => {
  const zip = writeZip([entry, { name: "a.js", bytes: "xy", method: 0, data: Buffer.alloc(0) }]);

  expect((await refusalOf(() => readArchive(zip))).message).toMatch(/overlaps|broken/);
});

test.each([
  ["cut off", (zip: Buffer) => zip.subarray(0, zip.byteLength - 5)],
  ["cut in half", (zip: Buffer) => zip.subarray(0, zip.byteLength / 2)],
  ["without its beginning", (zip: Buffer) => Buffer.concat([Buffer.from("PK"), zip.subarray(20)])],
  ["followed by other bytes", (zip: Buffer) => Buffer.concat([zip, Buffer.from("more")])],
  ["that consists of a header only", () => Buffer.from("PK\u0003\u0004")],
  ["of two bytes", () => Buffer.from("PK")],
])("an archive %s is refused", async (_, damage) => {
  const refusal = await refusalOf(() => readArchive(damage(writeZip([entry, { name: "a.js", bytes: "x" }]))));

  expect(refusal).toMatchObject({ code: "invalid_arg", details: { reason: expect.any(String) } });
  expect(refusal.message).toContain("broken or cut off");
});

test.each([
  ["too many entries", { entryCount: 3 }],
  ["too few entries", { entryCount: 1 }],
  ["no entries", { entryCount: 0 }],
  ["a central directory elsewhere", { directoryOffset: 7 }],
  ["a central directory past the end", { directoryOffset: 0xfffffff0 }],
  ["a central directory past the end by zip64", { zip64: { entryCount: 2n, directoryOffset: 1n << 62n } }],
  ["too few entries by zip64", { zip64: { entryCount: 1n, directoryOffset: 0n } }],
])("an archive that claims %s is refused", async (_, claims) => {
  const zip = writeZip([entry, { name: "a.js", bytes: "x" }], claims);

  expect(await refusalOf(() => readArchive(zip))).toMatchObject({ code: "invalid_arg" });
});

test("a zip64 field that claims a huge file is refused", async () => {
  const extra = extraField(1, Buffer.from(new BigUint64Array([1n << 60n, 1n << 60n]).buffer));
  const endless: ZipEntry = { name: "a.bin", size: 0xffffffff, compressedSize: 0xffffffff, extra };

  expect((await refuse(entry, endless)).details).toMatchObject({ bytes_max: limits.folderBytesMax });
});

test("an archive with too many entries is refused with the maximum", async () => {
  const zip = writeZip([entry], { zip64: { entryCount: 1n << 40n, directoryOffset: 0n } });

  expect((await refusalOf(() => readArchive(zip))).details).toMatchObject({ entries_max: 10_000 });
});

test("strong encryption is refused by name", async () => {
  expect((await refuse(entry, { name: "a", flags: 0x841 })).message).toContain("encrypted");
});

test.each([
  ["", "The body is empty"],
  ["<!doctype html>", "A page was sent"],
  [`{"files":{}}`, "JSON was sent"],
  ["\u001f\u008b\u0008", "A gzip file"],
  ["7z\u00bc\u00af\u0027\u001c", "A 7z archive"],
  ["Rar!\u001a", "A rar archive"],
  ["UEsDBBQ", "base64"],
  ["--boundary", "multipart"],
  [`${"a\n".repeat(200)}`.slice(0, 257).concat("ustar"), "A tar archive"],
  ["hello", "Something else was sent"],
])("%j in place of a zip archive is refused for its type", async (body, words) => {
  const refusal = await refusalOf(() => readArchive(Buffer.from(body, "latin1")));

  expect(refusal.code).toBe("invalid_arg");
  expect(refusal.message).toContain(words);
});

const arbitraryFolder = fc
  .uniqueArray(
    fc.tuple(fc.stringMatching(/^[a-z0-9 -][a-z0-9 ._-]{0,5}[a-z0-9]\.(?:js|css|png|txt)$/), fc.uint8Array()),
    {
      selector: ([name]) => name,
      maxLength: 12,
    },
  )
  .map((files): readonly FolderFile[] => [
    { path: "index.html", bytes: Buffer.from("<h1>x</h1>") },
    ...files.map(([name, bytes], index) => ({ path: `${index % 3}/${name}`, bytes })),
  ]);

/** Writes an archive as another program streams it, without knowing the sizes in advance. */
async function writeAsStream(files: readonly FolderFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, bytes } of files) zip.addReadStream(Readable.from([Buffer.from(bytes)]), path);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

/** Sorts files into values that can be compared. */
function sorted(files: readonly FolderFile[]) {
  return files
    .map(({ path, bytes }) => [path, Buffer.from(bytes).toString("hex")])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
}

test("archives of this program and of another one are read as the files that were written", {
  tags: "slow",
}, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFolder, async (files) => {
      const zip = writeArchive(files);
      const byAnother = await writeAsStream(files);

      expect(sorted((await readArchive(zip)).files)).toEqual(sorted(files));
      expect(sorted((await readArchive(byAnother)).files)).toEqual(sorted(files));
    }),
    { numRuns: 50 },
  );
});

test("a damaged archive is read or refused, and causes no other error", async () => {
  const zip = writeZip([
    entry,
    { name: "a/b.js", bytes: "alert(1);".repeat(40) },
    { name: "c.png", bytes: "x".repeat(99), method: 0 },
  ]);
  const change = fc.record({ at: fc.nat(zip.byteLength - 1), value: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const damaged = Buffer.from(zip);
      for (const { at, value } of changes) damaged[at] = value;

      const outcome = await readArchive(damaged).catch((error) => error);

      expect("files" in outcome || outcome instanceof ApiError).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});
