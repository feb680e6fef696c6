"""The `abut` tool, where the package brings it along: python3 -m abut run WORLD."""
import os
import pathlib
import shutil
import sys


def main() -> None:
    package = pathlib.Path(__file__).resolve().parent
    for tool in (package / "bin/abut", package.parents[1] / "abut"):
        if tool.is_file() and os.access(tool, os.X_OK):
            os.execv(tool, ["abut", *sys.argv[1:]])
    found = shutil.which("abut", path="/usr/local/bin:/usr/bin")
    if found is None:
        sys.exit("abut: the tool is not installed with this package")
    os.execv(found, ["abut", *sys.argv[1:]])


if __name__ == "__main__":
    main()
