// node run-in-pyodide.mjs <pyodide.mjs> <script.py> <argument>...: does the same as `python3 <script.py>
// <argument>...`, with access to the machine's files and to TCP.
import { pathToFileURL } from "node:url";

const [, , pyodide, script, ...rest] = process.argv;
const { loadPyodide } = await import(pathToFileURL(pyodide).href);
const python = await loadPyodide({
  env: { ...process.env },
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
});
python.mountNodeFS("/machine", "/");
await python.useNodeSockFS();
process.exitCode = await python.runPythonAsync(`
import os, runpy, sys, traceback

def run(directory, script, arguments):
    os.chdir("/machine" + directory)
    sys.argv = [script, *arguments]
    try:
        runpy.run_path("/machine" + script, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

run(*${JSON.stringify([process.cwd(), script, rest])})
`);
process.exit();
