#!/usr/bin/env bash
# mpatch 1.8.1 (PyPI), patch_content with its default fuzz_factor of 0.7.
# Behaviour: the likeness of the place is counted over all lines of a hunk together, those that are to be removed too. With enough context around, a line that the diff never named is removed or replaced.
# remove(tmp) in the diff takes remove(all) out of the file; limit = 100 that should become 300 replaces the newer limit = 200; a remark behind the removed line is gone. No error, no warning.
# A removed line that is not there at all is passed over. A file without a line break at its end gets one.
# Seen:   file "remove(all)", diff "-remove(tmp)": the line is gone / file "limit = 200", diff 100 -> 300: 300 / 'a\nb' -> 'a\nc\n'
# Expected by most: context may differ, but what is deleted has to be what the diff says; else an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mpatch==1.8.1
cat > run.py <<'PY'
import importlib.metadata
import mpatch

print('mpatch', importlib.metadata.version('mpatch'))


def show(name, original, hunk, **options):
    reply = 'Here is the change:\n\n```diff\n--- a/f.py\n+++ b/f.py\n' + hunk + '```\n'
    try:
        print(name + ':', repr(mpatch.patch_content(reply, original=original, **options)))
    except mpatch.ApplyError:
        print(name + ': ApplyError')


remove = '@@ -1,5 +1,4 @@\n start()\n load()\n-remove(tmp)\n send()\n close()\n'
limit = '@@ -1,5 +1,5 @@\n a = load()\n b = check(a)\n-limit = 100\n+limit = 300\n send(b, limit)\n close()\n'
there = 'start()\nload()\nremove(all)\nsend()\nclose()\n'
show('another line', there, remove)
show('no such line', 'start()\nload()\nsend()\nclose()\n', remove)
show('newer value', 'a = load()\nb = check(a)\nlimit = 200\nsend(b, limit)\nclose()\n', limit)
show('remark', 'a = 1\nb = 2  # in seconds\nc = 4\n', '@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 4\n')
show('end', 'a\nb', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n')
for factor in (0.95, 1.0, 0.0):
    show(f'fuzz_factor {factor}, another line', there, remove, fuzz_factor=factor)
PY
env/bin/python run.py | tee out
diff out - <<'END'
mpatch 1.8.1
another line: 'start()\nload()\nsend()\nclose()\n'
no such line: 'start()\nload()\nsend()\nclose()\n'
newer value: 'a = load()\nb = check(a)\nlimit = 300\nsend(b, limit)\nclose()\n'
remark: 'a = 1\nb = 3\nc = 4\n'
end: 'a\nc\n'
fuzz_factor 0.95, another line: ApplyError
fuzz_factor 1.0, another line: ApplyError
fuzz_factor 0.0, another line: ApplyError
END
