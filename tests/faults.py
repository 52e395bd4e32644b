#!/usr/bin/env python3
"""A store whose disk fails at each step: every system call that changes it fails once, or is the last one.

    tests/faults.py [--weir FILE]         needs strace and a C compiler, on Linux

`weir run` stores a result while one call of one kind is made to fail (EIO, ENOSPC), to write only half, or to end the process. However that
goes: the command's own exit code; the whole text, or an excerpt, or a word that it could not be stored; a handle that was shown reads back every
byte; earlier results are as they were; the next result is stored. Then the order of the calls of a run without a fault is read: what a power cut
can take away was not promised before.
"""

import argparse, os, re, shutil, subprocess, sys, tempfile
from pathlib import Path

CALLS = ["pwrite64", "fsync", "renameat", "linkat", "unlinkat", "mkdirat", "openat2", "utimensat", "ftruncate"]
SHORT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static int seen;
ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  int half = bytes > 1 && ++seen == atoi(getenv("SHORT_AT"));
  return real(fd, from, half ? bytes / 2 : bytes, at);
}
"""


def text(name, lines=2_000):
    return "".join(f"{name} {n}: all is well here\n" for n in range(lines))


class Lab:
    def __init__(self, weir, folder):
        self.weir, self.folder = weir, folder
        self.cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        for name in ["early", "now", "next"]:
            (folder / name).write_text(text(name))

    def run(self, store, *words, before=(), **more):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_CACHE_HOME": self.cache, "WEIR_STORE": str(store), **more}
        done = subprocess.run([*before, self.weir, *words], env=environment, cwd=self.folder, capture_output=True, timeout=120)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def store(self, store, name, **more):
        return self.run(store, "run", "--", "sh", "-c", f"cat {name}; exit 3", **more)

    def reads_back(self, store, shown, name):
        found = re.search(r"; id=([0-9a-f]+)", shown.split("\n", 1)[0])
        return found and self.run(store, "fetch", found[1], "--all")[1] == text(name)

    def honest(self, store, code, shown, said, what, killed=False):
        """What is wrong with what came of a fault; `None` when nothing is."""
        if not killed:
            if code != 3:
                return f"{what}: exit code {code}: {said}"
            whole = shown == text("now")
            handle = "; id=" in shown.split("\n", 1)[0]
            if not whole and not (handle and self.reads_back(store, shown, "now")) and "could not be stored" not in shown.lower():
                return f"{what}: {shown[:200]!r}"
        if not self.reads_back(store, self.early, "early"):
            return f"{what}: an earlier result is gone"
        code, shown, said = self.store(store, "next")
        if code != 3 or not self.reads_back(store, shown, "next"):
            return f"{what}: afterwards nothing is stored: {said}"
        checked = self.run(store, "doctor")[1]
        if "corrupt" in checked and not re.search(r"\b0 corrupt", checked):
            return f"{what}: {checked}"

    def fresh(self, kind):
        """A store: with an earlier result, in the state before the call that is to fail."""
        store = self.folder / "store"
        shutil.rmtree(store, ignore_errors=True)
        shutil.copytree(self.folder / "base", store)
        return store


def order(log, store):
    """What is not on the disk when the excerpt is shown, as a text; else the folders that were made."""
    dirty, named, unsynced, folders = set(), set(), set(), set()
    for line in log.splitlines():
        call = re.search(r"(\w+)\((.*)\) += (-?\d+)", line)
        if not call or call[3].startswith("-"):
            continue
        name, words = call[1], call[2]
        paths = [path for path in re.findall(r"<([^>]+)>", words) if path.startswith(store)]
        if name == "pwrite64" and paths:
            dirty.add(paths[0])
        elif name == "fsync" and paths:
            dirty.discard(paths[0])
            unsynced.discard(paths[0])
        elif name in ("linkat", "renameat"):
            to = re.search(r'<[^>]+>, "([^"]+)", \d+<([^>]+)>, "([^"]+)"', words)
            source = paths[0] + "/" + to[1]
            if "/blobs/" in to[2] and source in dirty:
                return f"{to[3]} has its name before its bytes are synced"
            if "/blobs/" in to[2] or "/refs/" in to[2]:
                named.add(source)
                unsynced.add(to[2])
        elif name == "mkdirat" and paths:
            folders.add(re.search(r'"([^"]+)"', words)[1])
        elif name == "write" and words.startswith("1<") and '"[weir: ' in words:
            left = unsynced | named & dirty
            return f"not synced when shown: {left}" if left else folders
    return "no excerpt was shown"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--weir", default="target/debug/weir")
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(os.path.realpath(folder))
        lab = Lab(os.path.abspath(arguments.weir), folder)
        (folder / "short.c").write_text(SHORT)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder / "short.so", folder / "short.c", "-ldl"], check=True)
        lab.early = lab.store(folder / "base", "early")[1]
        assert lab.reads_back(folder / "base", lab.early, "early"), lab.early
        wrong, counts = [], {}
        for kind in ["first", "later"]:
            # A store with nothing in it but an earlier result; and one that was used in this session, whose folders are there.
            if kind == "later":
                lab.store(folder / "base", "next")
            trace = folder / "trace"
            store = lab.fresh(kind)
            lab.store(store, "now", before=["strace", "-f", "-y", "-o", str(trace), "-e", "trace=write," + ",".join(CALLS)])
            log = trace.read_text()
            steps = {call: sum(f"{call}(" in line for line in log.splitlines()) for call in CALLS}
            for call, number in steps.items():
                for step in range(1, number + 1):
                    for fault in ["error=EIO", "error=ENOSPC", "signal=KILL"]:
                        inject = ["strace", "-f", "-o", str(trace), "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={step}"]
                        store = lab.fresh(kind)
                        result = lab.store(store, "now", before=inject)
                        # A thread that makes fewer calls of a kind never comes to its last one.
                        met = re.search(r"INJECTED|killed by SIGKILL", trace.read_text())
                        counts[fault] = counts.get(fault, 0) + bool(met)
                        if problem := lab.honest(store, *result, f"{kind}: {call} {step} of {number}, {fault}", killed="KILL" in fault):
                            wrong.append(problem)
            for step in range(1, steps["pwrite64"] + 1):
                store = lab.fresh(kind)
                result = lab.store(store, "now", LD_PRELOAD=str(folder / "short.so"), SHORT_AT=str(step))
                counts["short write"] = counts.get("short write", 0) + 1
                if problem := lab.honest(store, *result, f"{kind}: short write {step}"):
                    wrong.append(problem)
            found = order(log, str(folder / "store"))
            if isinstance(found, str):
                wrong.append(f"{kind}: order of writes: {found}")
            else:
                print(f"{kind}: all that a shown handle needs was synced before; folders made on the way: {sorted(found)}")
        print(", ".join(f"{number} times {fault}" for fault, number in counts.items()))
        for problem in wrong:
            print("WRONG", problem)
        sys.exit(bool(wrong))


main()
