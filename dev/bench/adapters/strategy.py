"""The loop of a strategy: JSON lines in, JSON lines out. CONTRIBUTING.md says what each request means."""
import json, os, shutil, sys


def program(variable, name):
    """The path of a program, named by an environment variable or found on the PATH; None without it. It holds in every directory."""
    found = shutil.which(os.environ.get(variable, name))
    return found and os.path.abspath(found)


def serve(**answers):
    """Answers each request `op` by the function of that name; `end` may be missing."""
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        try:
            reply = answers[op](**request) if op in answers else {} if op == "end" else {"unsupported": True}
        except Exception as error:  # The bench reports it, and goes on without this strategy.
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply or {}), flush=True)
        if op == "end":
            break
