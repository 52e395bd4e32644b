#!/usr/bin/env bash
# PyPI mcp-server-git 2026.10.19 with mcp 2.3.0, the reference MCP server for git, asked over stdio: git_show against git_diff and git show.
# Behaviour: git_show builds its text of its own: per file two lines with the names and the hunks, without the lines "diff --git", "rename from", "new mode" and
# "deleted file mode". A file that was renamed, or made executable, is two names and nothing below them; which of both happened is not said. A commit that
# only sets the mode looks like one that changes nothing. git apply refuses the text of a rename. git_diff gives the whole patch.
# Seen:   rename: "--- a/tool.sh", "+++ b/run.sh" / mode: "--- a/run.sh", "+++ b/run.sh" / git_diff: "rename from tool.sh", "old mode 100644"
# Expected by most: what git show prints.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-server-git==2026.10.19 mcp==2.3.0
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.org
export GIT_AUTHOR_DATE='2026-01-05T09:00:00+0000' GIT_COMMITTER_DATE='2026-01-05T09:00:00+0000' GIT_CONFIG_GLOBAL=/dev/null
git init --quiet -b main work; cd work
echo 'echo hello' > tool.sh; git add .; git commit --quiet -m first
git mv tool.sh run.sh; git commit --quiet -m rename
chmod +x run.sh; git commit --quiet -am mode
cd ..
cat > run.py <<'PY'
import json
import subprocess

server = subprocess.Popen(['env/bin/mcp-server-git'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if json.loads(line).get('id') == number:
            return json.loads(line)['result']


def call(tool, **values):
    return ask('tools/call', {'name': tool, 'arguments': {'repo_path': 'work', **values}})['content'][0]['text']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
for what, revision in [('mode', 'HEAD'), ('rename', 'HEAD~1')]:
    text = call('git_show', revision=revision)
    print(f'git_show, {what}:', text[text.index('---'):].strip().splitlines())
    patch = text[text.index('---'):]
    applied = subprocess.run(['git', '-C', 'work', 'apply', '--reverse', '--check', '-'], input=patch, capture_output=True, text=True)
    print('  git apply:', 'taken' if applied.returncode == 0 else applied.stderr.strip())
    git = subprocess.run(['git', '-C', 'work', 'show', '--format=', revision], capture_output=True, text=True).stdout
    print(f'git show, {what}:', git.splitlines())
print('git_diff:', call('git_diff', target='HEAD~2').splitlines()[1:])
server.terminate()
PY
echo 'mcp-server-git 2026.10.19'; env/bin/python run.py | tee out
diff out - <<'END'
git_show, mode: ['--- a/run.sh', '+++ b/run.sh']
  git apply: error: No valid patches in input (allow with "--allow-empty")
git show, mode: ['diff --git a/run.sh b/run.sh', 'old mode 100644', 'new mode 100755']
git_show, rename: ['--- a/tool.sh', '+++ b/run.sh']
  git apply: error: No valid patches in input (allow with "--allow-empty")
git show, rename: ['diff --git a/tool.sh b/run.sh', 'similarity index 100%', 'rename from tool.sh', 'rename to run.sh']
git_diff: ['diff --git a/tool.sh b/run.sh', 'old mode 100644', 'new mode 100755', 'similarity index 100%', 'rename from tool.sh', 'rename to run.sh']
END
