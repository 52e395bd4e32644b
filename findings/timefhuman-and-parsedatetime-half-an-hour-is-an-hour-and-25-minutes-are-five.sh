#!/usr/bin/env bash
# timefhuman 0.1.5 and parsedatetime 2.6 (PyPI), readers of dates in English, with Wednesday 2026-03-11 10:00 as now.
# Behaviour: both pass over what they do not know and read the rest as if it were all: "in half an hour" is "an hour", "in an hour and a half" is an hour too, "2 days before christmas" is two days from now (timefhuman)
# or two days ago (parsedatetime). timefhuman takes "twenty-five" for five; parsedatetime for nothing, but says that it has found a time (2). timefhuman's "from monday to wednesday" ends five days before it begins.
# Seen:   in half an hour: 11:00 and 11:00 / in twenty-five minutes: 10:05 and 10:00 / from monday to wednesday: 16 March to 11 March
# Expected by most: 10:30, 10:25, a range that runs forwards; or no answer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check timefhuman==0.1.5 parsedatetime==2.6
cat > run.py <<'PY'
import datetime
import importlib.metadata
import parsedatetime
from timefhuman import tfhConfig, timefhuman

for name in ('timefhuman', 'parsedatetime'):
    print(name, importlib.metadata.version(name))
now = datetime.datetime(2026, 3, 11, 10)


def show(value):
    if isinstance(value, datetime.datetime):
        return value.strftime('%d %B %H:%M')
    return ' to '.join(show(part) for part in value) if value else 'nothing'


calendar = parsedatetime.Calendar()
for words in (
    'in 30 minutes', 'in 1.5 hours', 'in half an hour', 'in an hour and a half', 'in twenty-five minutes', '2 days before christmas', 'from monday to wednesday',
):
    time, found = calendar.parseDT(words, sourceTime=now)
    print(f'{words}: timefhuman {show(timefhuman(words, tfhConfig(now=now)))}; parsedatetime {show(time)}, found {found}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
timefhuman 0.1.5
parsedatetime 2.6
in 30 minutes: timefhuman 11 March 10:30; parsedatetime 11 March 10:30, found 2
in 1.5 hours: timefhuman 11 March 11:30; parsedatetime 11 March 11:30, found 2
in half an hour: timefhuman 11 March 11:00; parsedatetime 11 March 11:00, found 2
in an hour and a half: timefhuman 11 March 11:00; parsedatetime 11 March 11:00, found 2
in twenty-five minutes: timefhuman 11 March 10:05; parsedatetime 11 March 10:00, found 2
2 days before christmas: timefhuman 13 March 10:00; parsedatetime 09 March 10:00, found 1
from monday to wednesday: timefhuman 16 March 00:00 to 11 March 00:00; parsedatetime 09 March 09:00, found 1
END
