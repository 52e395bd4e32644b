#!/usr/bin/env bash
# workout-planner-ai-mcp 1.0.10 (PyPI), an MCP server for training, with mcp 1.30.0 (PyPI), over stdio: track_progress and create_workout.
# Behaviour: the trend looks at weight times reps times sets alone: who lifts 50, 60 and 70 kg with fewer repeats each time is "declining" on the day of each new best. There is no tool to look at the history: a call with
# the name of the exercise alone logs a session of 0 kg, which is counted and shown. create_workout gives beginners and the advanced the same exercises in the same order; for "dumbbells" (plural) it finds none, and says nothing.
# Seen:   70 kg: personal best 70, trend declining / a look: 4 sessions, the last with 0 kg / advanced: Push-ups (beginner) first / equipment dumbbells: 0 exercises
# Expected by most: heavier is better, or stable; looking changes nothing; exercises of the level asked for.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check workout-planner-ai-mcp==1.0.10 mcp==1.30.0
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
from peer import connect

call = connect('env/bin/workout_planner_ai_mcp')
for more in [{'weight': 50, 'reps': 10, 'sets': 3}, {'weight': 60, 'reps': 8, 'sets': 3}, {'weight': 70, 'reps': 5, 'sets': 3}, {}]:
    answer = json.loads(call('track_progress', user_id='ann', exercise='Squat', **more))
    print(more, 'best', answer['personal_best_weight'], 'trend', answer['trend'], 'sessions', answer['history_count'], 'last', answer['last_5_sessions'][-1]['weight'])
for more in [{'difficulty': 'beginner'}, {'difficulty': 'advanced'}, {'equipment': ['dumbbell']}, {'equipment': ['dumbbells']}]:
    answer = json.loads(call('create_workout', duration_minutes=30, **more))
    print(more, answer['total_exercises'], *(f'{each["name"]} ({each["difficulty"]})' for each in answer['exercises']), sep=' | ')
PY
echo "workout-planner-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('workout-planner-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
{'weight': 50, 'reps': 10, 'sets': 3} best 50.0 trend stable sessions 1 last 50.0
{'weight': 60, 'reps': 8, 'sets': 3} best 60.0 trend declining sessions 2 last 60.0
{'weight': 70, 'reps': 5, 'sets': 3} best 70.0 trend declining sessions 3 last 70.0
{} best 70.0 trend declining sessions 4 last 0
{'difficulty': 'beginner'} | 3 | Push-ups (beginner) | Diamond Push-ups (intermediate) | Pull-ups (intermediate)
{'difficulty': 'advanced'} | 3 | Push-ups (beginner) | Diamond Push-ups (intermediate) | Pull-ups (intermediate)
{'equipment': ['dumbbell']} | 3 | Dumbbell Bench Press (beginner) | Dumbbell Flyes (beginner) | Dumbbell Rows (beginner)
{'equipment': ['dumbbells']} | 0
END
