# Written by `weir install`; `weir install --undo` removes it.
"""Large tool results are stored by Weir, and the model gets an excerpt. Whatever goes wrong, the
result stays as it is."""
import importlib.metadata
import json
import os
import subprocess
import threading

WEIR = __WEIR__
ARGUMENTS = __ARGUMENTS__
WRAP = __WRAP__  # before a call: empty when commands run as they are
SMALL = 2000
KEPT = 49_000  # the host keeps no more of an output than about this
MOST = 10_000_000  # more than this is no answer
PATIENCE = __PATIENCE__


def _arguments():
    # The host reaches MCP servers by a package that it does not come with. Without it the gateway's tool is
    # not there, with its version 2 each call fails, and the excerpt names a command.
    try:
        usable = int(importlib.metadata.version("mcp").split(".")[0]) < 2
    except (importlib.metadata.PackageNotFoundError, ValueError):
        usable = False
    if "--reader" in ARGUMENTS and not usable:
        at = ARGUMENTS.index("--reader")
        return ARGUMENTS[:at] + ARGUMENTS[at + 2:]
    return ARGUMENTS


def _ask(arguments, event):
    child = subprocess.Popen([WEIR, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    said = []

    def talk():
        try:
            with child.stdin:
                child.stdin.write(json.dumps({"weir": 1, **event}).encode())
            said.append(child.stdout.read(MOST))
        except OSError:
            pass

    # Not waited for longer: what the program started may keep its pipes open.
    talking = threading.Thread(target=talk, daemon=True)
    talking.start()
    talking.join(PATIENCE)
    try:
        code = child.wait(1)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return {}
    # What a program that failed has written is no answer.
    return json.loads(said[0]) if said and code == 0 else {}


def _excerpt(tool, arguments, text, cut, is_error):
    if not isinstance(text, str) or len(text) < SMALL:
        return None
    event = {"tool": tool, "arguments": arguments, "cwd": os.getcwd(), "text": text, "cut": cut,
             "is_error": is_error}
    shorter = _ask(_arguments(), event).get("text")
    return shorter if isinstance(shorter, str) and shorter else None


def on_request(tool_name=None, args=None, **_):
    try:
        if tool_name != "terminal" or not isinstance(args, dict):
            return None
        wrapped = _ask(WRAP, {"tool": tool_name, "arguments": args}).get("arguments")
        return {"args": wrapped, "source": "weir"} if isinstance(wrapped, dict) else None
    except Exception:
        return None


def on_result(tool_name=None, args=None, result=None, status=None, **_):
    try:
        if status not in (None, "ok") or not isinstance(result, str):
            return None
        try:
            whole = json.loads(result)
        except ValueError:
            whole = None
        if isinstance(whole, dict) and isinstance(whole.get("output"), str):
            code = whole.get("exit_code")
            text = _excerpt(tool_name, args or {}, whole["output"], len(whole["output"]) >= KEPT,
                            bool(code))
            return json.dumps({**whole, "output": text}, ensure_ascii=False) if text else None
        return _excerpt(tool_name, args or {}, result, False, False)
    except Exception:
        return None


def on_command(*_):
    try:
        done = subprocess.run([WEIR, "status"], timeout=PATIENCE, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")
    except Exception as error:
        return f"weir does not run: {error}"


def register(ctx):
    ctx.register_hook("transform_tool_result", on_result)
    if WRAP and hasattr(ctx, "register_middleware"):
        ctx.register_middleware("tool_request", on_request)
    if hasattr(ctx, "register_command"):
        try:
            ctx.register_command("weir", on_command, description="What Weir stores")
        except Exception:
            pass
