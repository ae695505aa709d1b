#!/usr/bin/env python3
"""Publishes an HTML file to Dropleaf and prints its address. Python 3.9 or newer, standard library only.

  export DROPLEAF_URL=https://drops.example.com DROPLEAF_TOKEN=hb_...
  python3 publish.py [--title title] [--metadata key=value]... page.html

With tags (--metadata) the address stays: a drop that carries them all gets a new version, and only where there is none
is one published. Run by several at once with the same tags, each may find none: let one of them publish first.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Problem(Exception):
    """What the person who runs this can mend."""

    def __init__(self, message, exit_code=1):
        super().__init__(message)
        self.exit_code = exit_code


def call(method, path, body=None):
    """Calls the service as the token's owner; waits where it says that a minute's writes are used up."""
    address = os.environ["DROPLEAF_URL"].rstrip("/") + path
    headers = {
        "Authorization": f"Bearer {os.environ['DROPLEAF_TOKEN']}",
        "Content-Type": "application/json",
    }
    data = None if body is None else json.dumps(body).encode()
    attempt = 1
    while True:
        try:
            with urlopen(Request(address, data=data, headers=headers, method=method)) as response:
                return json.load(response)
        except HTTPError as error:
            seconds = int(error.headers.get("Retry-After", 3600))
            # A minute's limit is worth waiting for; where only deleting helps, the service says an hour.
            if error.code != 429 or seconds > 60 or attempt == 5:
                raise Problem(f"{method} {path} answered {error.code}: {error.read().decode()}") from error
        except URLError as error:
            raise Problem(f"no response from {address}: {error.reason}") from error
        print(f"publish.py: too many writes; trying again in {seconds} seconds", file=sys.stderr)
        time.sleep(seconds)
        attempt += 1


def key_and_value(text):
    key, separator, value = text.partition("=")
    if not key or not separator:
        raise argparse.ArgumentTypeError(f"takes key=value, not {text}")
    return key, value


def read_arguments():
    parser = argparse.ArgumentParser(description="Publishes an HTML file to Dropleaf and prints its address.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--title", help="the file's name where it is not given")
    parser.add_argument("--metadata", type=key_and_value, action="append", default=[], metavar="key=value")
    return parser.parse_args()


def read_page(file):
    try:
        # Not read_text, which would change line ends.
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{file} is no file of UTF-8 that can be read: {error}", 2) from error


def find_drop(metadata):
    """The oldest drop that carries all the tags, so that everyone finds the same."""
    if not metadata:
        return None
    filters = {f"metadata.{key}": value for key, value in metadata.items()}
    drops = call("GET", "/api/drops?" + urlencode({"sortOrder": "asc", "pageSize": 1, **filters}))["drops"]
    return drops[0] if drops else None


def publish():
    arguments = read_arguments()
    if not os.environ.get("DROPLEAF_URL") or not os.environ.get("DROPLEAF_TOKEN"):
        raise Problem("set DROPLEAF_URL, such as https://drops.example.com, and DROPLEAF_TOKEN", 2)
    html, title, metadata = read_page(arguments.file), arguments.title, dict(arguments.metadata)
    found = find_drop(metadata)
    if found:
        # What is left out of a new version stays as it is.
        drop = call("PUT", f"/api/drops/{found['slug']}", {"html": html, **({"title": title} if title else {})})
    else:
        title = title or arguments.file.stem
        drop = call("POST", "/api/drops", {"html": html, "title": title, "metadata": metadata})
    print(drop["url"])


if __name__ == "__main__":
    try:
        publish()
    except Problem as problem:
        sys.exit(print(f"publish.py: {problem}", file=sys.stderr) or problem.exit_code)
