"""The build backend of the Python package (PEP 517): CMake builds, this packs.

Everything that it needs comes with Python, CMake and the compiler, so that `pip install .` works without
a network. `python3 python/backend.py DIR` writes the wheel into DIR without pip. Environment:

    ABUT_BUILD_DIR   build folder to use (default build/wheel-<version of Python>)
    ABUT_JOBS        compilers at a time
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# what every Linux machine that runs this Python has, of the version that it was built with
SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+|crypt))\.so")


def project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def version():
    return re.search(r"project\(abut VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def build_folder():
    given = os.environ.get("ABUT_BUILD_DIR")
    return pathlib.Path(given).resolve() if given else ROOT / f"build/wheel-{sysconfig.get_python_version()}"


def build():
    folder = build_folder()
    arguments = ["cmake", "-S", str(ROOT), "-B", str(folder), "-DABUT_BUILD_PYTHON=ON"]
    if not (folder / "build.ninja").exists():
        arguments += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DABUT_BUILD_TESTS=OFF"]
    if "ABUT_BUILD_DIR" not in os.environ:
        arguments += [f"-DPYTHON_EXECUTABLE={sys.executable}"]
    jobs = os.environ.get("ABUT_JOBS", str(os.cpu_count() or 2))
    # stdout belongs to the caller of this backend
    subprocess.run(arguments, check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", str(folder), "-j", jobs, "--target", "abut_python", "abut-tool"],
                   check=True, stdout=sys.stderr)
    return folder


def libraries(programs):
    """The shared libraries that the programs need and a bare system lacks, by file name."""
    found = {}
    for program in programs:
        for line in subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
            words = line.split()
            if "not found" in line:
                raise SystemExit(f"{program}: {words[0]} is not found")
            if len(words) >= 3 and words[1] == "=>" and not SYSTEM.match(words[0]):
                found[words[0]] = pathlib.Path(words[2]).resolve()
    return found


def metadata():
    p = project()
    lines = ["Metadata-Version: 2.1", f"Name: {p['name']}", f"Version: {version()}",
             f"Summary: {p['description']}", f"License: {p['license']['text']}",
             f"Keywords: {','.join(p['keywords'])}", f"Requires-Python: {p['requires-python']}"]
    lines += [f"Requires-Dist: {d}" for d in p["dependencies"]]
    for extra, packages in p["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"]
        lines += [f'Requires-Dist: {d}; extra == "{extra}"' for d in packages]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text()]
    return "\n".join(lines)


class Wheel:
    """A zip file with the same bytes for the same content, and its record."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []
        self.info = f"abut-{version()}.dist-info"

    def add(self, name, content, executable=False):
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def close(self):
        self.add(f"{self.info}/METADATA", metadata().encode())
        self.add(f"{self.info}/WHEEL",
                 f"Wheel-Version: 1.0\nGenerator: abut\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
        self.add(f"{self.info}/top_level.txt", b"abut\n")
        scripts = "".join(f"{name} = {to}\n" for name, to in project()["scripts"].items())
        self.add(f"{self.info}/entry_points.txt", f"[console_scripts]\n{scripts}".encode())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self.record.append(f"{self.info}/RECORD,,")
        self.zip.writestr(f"{self.info}/RECORD", "\n".join(self.record) + "\n")
        self.zip.close()


def wheel_name():
    return f"abut-{version()}-{tag()}.whl"


# --- PEP 517 ----------------------------------------------------------------------------------------

def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = build()
    name = wheel_name()
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    module = next((folder / "python/abut").glob("_abut*.so"))
    tool = folder / "abut"
    for file in sorted((ROOT / "python/abut").iterdir()):
        if file.suffix in (".py", ".pyi", ".typed") or file.name == "py.typed":
            wheel.add(f"abut/{file.name}", file.read_bytes())
    wheel.add(f"abut/{module.name}", stripped(module), executable=True)
    # the tool looks for worlds in ../share/abut/worlds, and both look for libraries in abut/libs
    wheel.add("abut/bin/abut", stripped(tool), executable=True)
    for library, path in sorted(libraries([module, tool]).items()):
        wheel.add(f"abut/libs/{library}", path.read_bytes(), executable=True)
    for world in sorted((ROOT / "worlds").rglob("*")):
        if world.is_file():
            wheel.add(f"abut/share/abut/worlds/{world.relative_to(ROOT / 'worlds')}", world.read_bytes())
    wheel.close()
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    folder = build()
    wheel = Wheel(pathlib.Path(wheel_directory) / wheel_name())
    wheel.add("abut_editable.pth", f"{folder / 'python'}\n".encode())
    wheel.close()
    return wheel_name()


def build_sdist(sdist_directory, config_settings=None):
    base = f"abut-{version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as tar:
        for file in sorted(f for f in files.decode().split("\0") if f):
            tar.add(ROOT / file, f"{base}/{file}", recursive=False)
    return f"{base}.tar.gz"


def stripped(program):
    """The program without the names that debuggers use."""
    out = build_folder() / f"{program.name}.stripped"
    subprocess.run(["strip", "--strip-unneeded", "-o", str(out), str(program)], check=True)
    content = out.read_bytes()
    out.unlink()
    return content


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/dist")
    target.mkdir(parents=True, exist_ok=True)
    print(target / build_wheel(target))
