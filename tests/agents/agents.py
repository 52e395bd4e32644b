#!/usr/bin/env python3
"""Runs every agent host found on this machine against a model on 127.0.0.1 and prints a table.

    agents.py --weir FILE [--path DIR]... [--keep DIR] [--wrap] [--json] [HOST...]

Nothing is installed, and no file of yours is touched: each host gets a home and a project of its
own. In these `weir install` puts the gateway and the hook in place, then the model asks for `seq 1 20000` in the host's shell. A
host passes when the next request of the host holds the excerpt, and not the output, and when the
tool or command that the excerpt names gives the lines asked for. Hosts that are not there are skipped, by
name. Exit code 1 when one that is there does not pass.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from stub import WHOLE_LINES, Stub  # noqa: E402

PATIENCE = 150
# Runs of a host that has lost the command's output itself.
TRIES = 3


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Host:
    """One host: how it is told of the model, and how it is given a prompt."""
    name = program = ""
    environment = {}
    note = ""

    def configure(self, home, base):
        """Writes what the host needs to reach the model."""

    def arguments(self, base):
        raise NotImplementedError


class ClaudeCode(Host):
    name, program = "claude-code", "claude"

    def configure(self, home, base):
        self.environment = {"ANTHROPIC_BASE_URL": base, "ANTHROPIC_API_KEY": "dummy",
                            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}

    def arguments(self, base):
        return ["-p", "count for me", "--allowedTools", "Bash"]


class Codex(Host):
    name, program = "codex", "codex"
    environment = {"STUB_KEY": "dummy"}

    def configure(self, home, base):
        write(f"{home}/.codex/config.toml",
              'model = "stub-model"\nmodel_provider = "stub"\n[model_providers.stub]\nname = "stub"\n'
              f'base_url = "{base}/v1"\nwire_api = "responses"\nenv_key = "STUB_KEY"\n')

    def arguments(self, base):
        return ["exec", "--dangerously-bypass-approvals-and-sandbox",
                "--dangerously-bypass-hook-trust", "--skip-git-repo-check", "count for me"]


class Copilot(Host):
    name, program = "copilot", "copilot"

    def configure(self, home, base):
        self.environment = {"COPILOT_PROVIDER_BASE_URL": f"{base}/v1", "COPILOT_PROVIDER_API_KEY": "dummy",
                            "COPILOT_MODEL": "gpt-4.1", "COPILOT_OFFLINE": "true",
                            "COPILOT_AUTO_UPDATE": "false"}

    def arguments(self, base):
        return ["-p", "count for me", "--allow-all-tools"]


class GeminiCli(Host):
    name, program = "gemini", "gemini"

    def configure(self, home, base):
        self.environment = {"GOOGLE_GEMINI_BASE_URL": base, "GEMINI_API_KEY": "dummy"}
        write(f"{home}/.gemini/settings.json", json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}))

    def arguments(self, base):
        return ["--skip-trust", "-p", "count for me", "--yolo", "-m", "gemini-2.5-flash"]


class QwenCode(Host):
    name, program = "qwen-code", "qwen"

    def configure(self, home, base):
        self.environment = {"OPENAI_BASE_URL": f"{base}/v1", "OPENAI_API_KEY": "dummy",
                            "OPENAI_MODEL": "stub-model"}
        write(f"{home}/.qwen/settings.json", json.dumps({
            "security": {"auth": {"selectedType": "openai"}}, "$version": 4,
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False}}))

    def arguments(self, base):
        return ["-p", "count for me", "--yolo"]


class Vibe(Host):
    name, program = "mistral-vibe", "vibe"
    environment = {"STUB_KEY": "dummy"}

    def configure(self, home, base):
        write(f"{home}/.vibe/config.toml",
              'active_model = "stub"\nenable_update_checks = false\nenable_telemetry = false\n'
              f'[[providers]]\nname = "stub"\napi_base = "{base}/v1"\napi_key_env_var = "STUB_KEY"\n'
              'backend = "generic"\n[[models]]\nname = "stub-model"\nprovider = "stub"\nalias = "stub"\n')

    def arguments(self, base):
        return ["-p", "count for me", "--auto-approve", "--trust"]


class OpenCode(Host):
    name, program = "opencode", "opencode"

    def configure(self, home, base):
        model = {"stub-model": {"name": "stub", "limit": {"context": 200000, "output": 8000}}}
        write(f"{home}/.config/opencode/opencode.json", json.dumps({
            "autoupdate": False, "share": "disabled", "model": "stub/stub-model",
            "small_model": "stub/stub-model", "permission": {"bash": "allow"},
            "provider": {"stub": {"npm": "@ai-sdk/openai-compatible", "name": "stub", "models": model,
                                  "options": {"baseURL": f"{base}/v1", "apiKey": "dummy"}}}}))

    def arguments(self, base):
        return ["run", "count for me"]


class Pi(Host):
    name, program = "pi", "pi"
    environment = {"PI_OFFLINE": "1"}

    def configure(self, home, base):
        model = {"id": "stub-model", "name": "stub", "reasoning": False, "input": ["text"],
                 "contextWindow": 200000, "maxTokens": 8000,
                 "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}
        write(f"{home}/.pi/agent/models.json", json.dumps({"providers": {"stub": {
            "baseUrl": f"{base}/v1", "apiKey": "dummy", "api": "openai-completions", "models": [model]}}}))

    def arguments(self, base):
        return ["-p", "--provider", "stub", "--model", "stub-model", "count for me"]


class Cline(Host):
    name, program = "cline", "cline"

    def before(self, base):
        return ["auth", "-p", "openai", "-k", "dummy", "-m", "stub-model", "-b", f"{base}/v1"]

    def arguments(self, base):
        return ["--json", "count for me"]


class OpenClaw(Host):
    name, program = "openclaw", "openclaw"

    def configure(self, home, base):
        model = {"id": "stub-model", "name": "stub", "contextWindow": 200000, "maxTokens": 8000}
        write(f"{home}/.openclaw/openclaw.json", json.dumps({
            "models": {"mode": "merge", "providers": {"stub": {
                "baseUrl": f"{base}/v1", "apiKey": "dummy", "api": "openai-completions", "models": [model]}}},
            "agents": {"defaults": {"model": {"primary": "stub/stub-model"}}},
            "plugins": {"enabled": True, "allow": []}}))

    def arguments(self, base):
        return ["agent", "--local", "--session-id", "t1", "-m", "count for me"]


class Hermes(Host):
    name, program = "hermes", "hermes"

    def configure(self, home, base):
        write(f"{home}/.hermes/config.yaml",
              f'model:\n  default: stub-model\n  provider: custom\n  base_url: {base}/v1\n'
              '  api_key: dummy\n  context_length: 200000\n')

    def arguments(self, base):
        return ["chat", "-q", "count for me", "-Q", "--yolo"]


HOSTS = [ClaudeCode(), Codex(), Copilot(), GeminiCli(), Vibe(), QwenCode(), OpenCode(), Pi(), Cline(),
         OpenClaw(), Hermes()]


def merge(home, change):
    """Puts the hook's entry into a file of the host's: JSON, and TOML by its end."""
    path = f"{home}/{change['file']}"
    if path.endswith(".toml"):
        lines = []
        for item in change["append"]:
            lines.append("[[{}]]".format(".".join(item["path"])))
            lines += [f"{name} = {json.dumps(value)}" for name, value in item["value"].items()]
        before = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        return write(path, before + "\n".join(lines) + "\n")
    whole = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}
    for kind in ("append", "append_if_there", "set"):
        for item in change[kind]:
            *above, last = item["path"]
            at = whole
            for name in above:
                at = at.setdefault(name, {})
            if kind == "set":
                at.setdefault(last, item["value"])
            elif kind == "append" or last in at:
                at.setdefault(last, []).append(item["value"])
    write(path, json.dumps(whole, indent=2))


def install(weir, host, home, project, environment, more):
    """By `weir install`; what the hook needs is written by hand for a host that it does not know."""
    variables = {name: value for name, value in host.environment.items() if name.endswith(("_HOME", "_DIR"))}
    done = subprocess.run([weir, "install", host.name, "--yes", "--json", *more], env={**environment, **variables},
                          cwd=project, capture_output=True, text=True)
    if done.returncode == 0 and any(row.get("hook") for row in json.loads(done.stdout)["hosts"]):
        return
    if done.returncode != 0 and "unknown host" not in done.stdout + done.stderr:
        raise SystemExit(f"weir install {host.name}: {done.stdout}{done.stderr}")
    done = subprocess.run([weir, "hook", host.name, "--show"], env=environment, capture_output=True,
                          check=True)
    shown = json.loads(done.stdout)
    for file in shown["files"]:
        write(f"{home}/{file['file']}", file["text"])
    if shown["merge"]:
        merge(home, shown["merge"])


def end_children(home):
    """Ends what a host left running under this home."""
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if f"HOME={home}\0".encode() in file.read():
                    os.kill(int(entry), signal.SIGTERM)
        except OSError:
            pass


def drive(host, program, options, place, weir, prepare=None):
    """One run of a host with a home of its own: what its model got. Without a program nothing is installed;
    `prepare` is called after the installation."""
    home, project = f"{place}/home", f"{place}/project"
    os.makedirs(f"{project}/.git")
    os.makedirs(home)
    ours = [os.path.dirname(weir)] if weir else []
    environment = {"PATH": os.pathsep.join([*ours, os.path.dirname(program), *options.path, os.environ["PATH"]]),
                   "HOME": home, "TERM": "dumb", "LANG": "C.UTF-8",
                   "XDG_CACHE_HOME": options.cache, "TMPDIR": f"{place}/tmp"}
    os.makedirs(environment["TMPDIR"])
    stub = Stub(f"weir --host {host.name} fetch")
    base = f"http://127.0.0.1:{stub.port}"
    try:
        host.configure(home, base)
        if weir:
            install(weir, host, home, project, environment, ["--wrap"] if options.wrap else [])
        if prepare:
            prepare(home)
        environment.update(host.environment)
        calls = [host.before(base)] if hasattr(host, "before") else []
        for arguments in [*calls, host.arguments(base)]:
            with open(f"{place}/out.txt", "ab") as out:
                try:
                    subprocess.run([program, *arguments], cwd=project, env=environment, stdout=out,
                                   stderr=out, stdin=subprocess.DEVNULL, timeout=options.patience)
                except subprocess.TimeoutExpired:
                    out.write(b"\n(timed out)\n")
    finally:
        end_children(home)
        stub.close()
    return stub


def shows(text):
    """Whether this is an excerpt: few of the numbers, whichever part of them the host left."""
    return "[weir: " in text and len(re.findall(r"(?<!\d)\d{1,5}(?=\\?\\n|\n)", text)) < 500


def run(host, program, options, place):
    start = time.monotonic()
    stub = drive(host, program, options, place, options.weir)
    with open(f"{place}/results.json", "w", encoding="utf-8") as file:
        json.dump({"results": stub.seen, "read_with": stub.read_with, "offered": stub.offered}, file, indent=1)
    first = stub.seen[0] if stub.seen else ""
    second = stub.seen[1] if len(stub.seen) > 1 else ""
    excerpt = shows(first)
    read = False
    if stub.asked == WHOLE_LINES:
        read = "12345" in second and "12346" in second and "12350" not in second
    elif stub.asked:
        # A part, or a file that the host has cut: any two numbers, one after the other.
        numbers = {int(number) for number in re.findall(r"(?<!\d)\d{2,5}(?!\d)", second)}
        read = any(number + 1 in numbers for number in numbers)
    # Qwen Code sometimes loses the output of a quick command, with a hook or without one.
    empty = "Output: (empty)" in first
    return {"host": host.name, "empty": empty, "excerpt": excerpt, "read": read, "characters": len(first),
            "with": stub.read_with or "", "seconds": round(time.monotonic() - start, 1),
            "requests": stub.number}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True, help="the program")
    parser.add_argument("--path", action="append", default=[], help="look for hosts here too")
    parser.add_argument("--keep", help="leave the homes and what the hosts said in this directory")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for each host")
    parser.add_argument("--wrap", action="store_true", help="install with --wrap")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("host", nargs="*", help="only these")
    options = parser.parse_args()
    options.weir = os.path.abspath(options.weir)
    found = os.pathsep.join([*options.path, os.environ.get("PATH", "")])
    rows = []
    root = options.keep or tempfile.mkdtemp(prefix="weir-agents-")
    root = os.path.abspath(root)
    options.cache = f"{root}/cache"
    for host in HOSTS:
        if options.host and host.name not in options.host:
            continue
        program = shutil.which(host.program, path=found)
        if not program:
            rows.append({"host": host.name, "skipped": f"no {host.program}"})
            continue
        place = f"{root}/{host.name}"
        for _ in range(TRIES):
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place)
            row = run(host, program, options, place)
            if not row.pop("empty"):
                break
        rows.append(row)
        if not options.json:
            print(line(rows[-1]), flush=True)
    if not options.keep:
        shutil.rmtree(root, ignore_errors=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            if "skipped" in row:
                print(line(row))
    ran = [row for row in rows if "skipped" not in row]
    return 0 if all(row["excerpt"] and row["read"] for row in ran) else 1


def line(row):
    if "skipped" in row:
        return f"{row['host']:<14} skipped: {row['skipped']}"
    word = {True: "yes", False: "NO"}
    return (f"{row['host']:<14} excerpt {word[row['excerpt']]:<3} ({row['characters']:,} characters)  "
            f"read back {word[row['read']]:<3} {row['seconds']} s")


if __name__ == "__main__":
    sys.exit(main())
