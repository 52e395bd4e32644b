#!/usr/bin/env python3
"""The bench's questions, put to a model behind any endpoint that speaks OpenAI's chat completions.

    dev/bench/model.py --endpoint http://127.0.0.1:8080/v1 --model NAME [--only ARM]... [--tasks 24] [--baseline 5] [--runs 3] [--out FOLDER]

The control runs alone first, `--baseline` times over all tasks: how far those runs differ is the noise, and it is written down before any
arm is judged. Then for each task all arms and the control run in turn, in an order that changes. Each conversation is kept in
FOLDER/transcripts, each result in FOLDER/rows.jsonl. OPENAI_API_KEY is sent where it is set. `--prices 0.1,5` are those of a cached and of
an output token, in new input tokens. Tokens are what the endpoint says that it used.

An arm takes part if it shows a result without a tool, or answers the request `call` (CONTRIBUTING.md).
"""

import argparse, hashlib, json, os, random, statistics, subprocess, sys, time, urllib.error, urllib.request
from pathlib import Path

HERE = Path(__file__).parent
TURNS = 12
SYSTEM = "Answer the question about the tool's result. Use tools only where they help. End with the answer alone on the last line."


class Strategy:
    """A program that speaks JSON lines."""

    def __init__(self, entry, folder):
        place = lambda word: word.replace("{python}", os.environ.get("PYTHON", sys.executable)).replace("{folder}", str(folder))
        command = [place(word) for word in entry["command"]]
        self.name = entry["name"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hello = self.ask(op="hello")
        if why := hello.get("unavailable"):
            raise RuntimeError(why)
        self.version, self.tools = hello.get("version", ""), hello.get("definitions", [])
        files = [Path(name) for name in [*command, *hello.get("files", [])] if Path(name).is_file()]
        self.program = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
        if self.tools and self.ask(op="call", id="", name="", arguments={}).get("unsupported"):
            raise RuntimeError("it has tools and does not answer `call`")

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline() or '{"error": "it ended"}')
        if "error" in reply and request["op"] != "call":
            raise RuntimeError(reply["error"])
        return reply

    def end(self):
        self.process.communicate(json.dumps({"op": "end"}) + "\n", timeout=60)


def function(tool):
    schema = tool.get("inputSchema") or tool.get("parameters") or {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": tool["name"], "description": tool.get("description", ""), "parameters": schema}}


def complete(options, messages, tools, seed):
    body = {"model": options.model, "messages": messages, "seed": seed, **({"tools": tools} if tools else {})}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = "Bearer " + key
    request = urllib.request.Request(options.endpoint.rstrip("/") + "/chat/completions", json.dumps(body).encode(), headers)
    for attempt in range(4):
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 529) or attempt == 3:
                return {"error": f"{error.code}: {error.read()[:500].decode(errors='replace')}"}
            time.sleep(2 ** attempt)


def right(task, said):
    """Whether the last line holds each word of the answer, and no other word."""
    lines = [line for line in (said or "").strip().splitlines() if line.strip()]
    words = lines[-1].replace(",", " ").replace("`", " ").strip(" .").split() if lines else []
    return words == task["answer"]


def converse(options, strategy, task, seed):
    shown = strategy.ask(op="result", id=task["id"], text=task["text"])
    report = {"name": "report", "description": "Gives a report.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}
    called = [{"id": "call_0", "type": "function", "function": {"name": "report", "arguments": json.dumps({"id": task["id"]})}}]
    messages = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": task["question"]},
        {"role": "assistant", "content": None, "tool_calls": called},
        {"role": "tool", "tool_call_id": "call_0", "content": shown["shown"]},
    ]
    tools = [function(tool) for tool in [report, *strategy.tools]]
    spent, said, failure, turns = {"new": 0, "cached": 0, "out": 0}, None, None, 0
    while turns < TURNS:
        turns += 1
        answer = complete(options, messages, tools, seed)
        if "error" in answer:
            failure = answer["error"]
            break
        usage = answer.get("usage") or {}
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        spent["new"] += usage.get("prompt_tokens", 0) - cached
        spent["cached"] += cached
        spent["out"] += usage.get("completion_tokens", 0)
        message = answer["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            said = message.get("content")
            break
        for call in message["tool_calls"]:
            name = call["function"]["name"]
            try:
                given = json.loads(call["function"]["arguments"] or "{}")
            except ValueError:
                given = call["function"]["arguments"]
            # The report again, which the product may pass another time; or the product's own tool.
            reply = strategy.ask(op="result", id=task["id"], text=task["text"]) if name == "report" else strategy.ask(op="call", id=task["id"], name=name, arguments=given)
            content = reply.get("shown") or reply.get("error") or "there is no such tool"
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    price = options.prices
    cost = spent["new"] + price[0] * spent["cached"] + price[1] * spent["out"]
    row = {"strategy": strategy.name, "version": strategy.version, "program": strategy.program, "model": options.model, "task": task["id"], "kind": task["kind"],
           "size": task["size"], "question": task["name"], "data": task["data"], "fired": shown["shown"] != task["text"], "right": right(task, said), "turns": turns,
           "cost": cost, "failure": failure, **spent}
    return row, messages


def each(rows):
    """Cost per right answer: a failure pays and scores nothing."""
    count = sum(row["right"] for row in rows)
    return sum(row["cost"] for row in rows) / count if count else float("inf")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--strategies", type=Path, default=HERE / "strategies.json")
    parser.add_argument("--bench", default="target/debug/contextbench")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--tasks", type=int, default=24)
    parser.add_argument("--baseline", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--prices", type=lambda text: [float(part) for part in text.split(",")], default=[0.1, 5])
    parser.add_argument("--out", type=Path, default=Path("target/contextbench-model"))
    options = parser.parse_args()
    lines = subprocess.run([options.bench, "tasks"], capture_output=True, text=True, check=True).stdout.splitlines()
    tasks = [json.loads(line) for line in lines]
    random.Random(1).shuffle(tasks)
    tasks = tasks[:options.tasks]
    arms, missing = [], []
    for entry in json.loads(options.strategies.read_text()):
        if "results" in entry["parts"] and (not options.only or entry["name"] in [*options.only, "whole"]):
            try:
                arms.append(Strategy(entry, options.strategies.parent))
            except (OSError, RuntimeError) as why:
                missing.append((entry["name"], str(why)))
    control = next(arm for arm in arms if arm.name == "whole")
    (options.out / "transcripts").mkdir(parents=True, exist_ok=True)
    rows = []
    with open(options.out / "rows.jsonl", "w") as out:
        def one(arm, task, phase, run):
            row, messages = converse(options, arm, task, seed=run)
            row |= {"phase": phase, "run": run, "transcript": f"{len(rows):05}.json"}
            (options.out / "transcripts" / row["transcript"]).write_text(json.dumps({"row": row, "messages": messages}))
            rows.append(row)
            print(json.dumps(row), file=out, flush=True)

        for run in range(options.baseline):
            for task in tasks:
                one(control, task, "baseline", run)
        costs = [each([row for row in rows if row["run"] == run]) for run in range(options.baseline)]
        middle = statistics.median(costs)
        noise = max(abs(cost / middle - 1) for cost in costs)
        (options.out / "noise.json").write_text(json.dumps({"model": options.model, "runs": costs, "noise": noise}))
        dice = random.Random(2)
        for run in range(options.runs):
            for task in tasks:
                for arm in dice.sample(arms, len(arms)):
                    one(arm, task, "arms", run)
    for arm in arms:
        arm.end()
    report = [f"# {options.model}", "", f"{len(tasks)} tasks; {options.runs} runs of each arm, in turn. {options.baseline} runs of `whole` alone differed by {noise:.1%} from their middle: within",
              "that an arm is unresolved.", "", "| strategy | right | cost per right answer | beside `whole` | verdict | results changed |", "| --- | ---: | ---: | ---: | --- | ---: |"]
    judged = [row for row in rows if row["phase"] == "arms"]
    base = each([row for row in judged if row["strategy"] == "whole"])
    for arm in arms:
        own = [row for row in judged if row["strategy"] == arm.name]
        ratio = each(own) / base
        verdict = "the control" if arm is control else "unresolved" if abs(ratio - 1) <= noise else "cheaper" if ratio < 1 else "dearer"
        share = lambda key: sum(row[key] for row in own) / len(own)
        report.append(f"| {arm.name} | {share('right'):.1%} | {each(own):.0f} | {ratio:.2f} | {verdict} | {share('fired'):.1%} |")
    report += [f"| {name} | **not run**: {why} | | | | |" for name, why in missing]
    (options.out / "report.md").write_text("\n".join(report) + "\n")
    print((options.out / "report.md").read_text())


main()
