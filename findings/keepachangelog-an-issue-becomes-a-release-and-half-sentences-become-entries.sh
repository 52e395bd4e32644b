#!/usr/bin/env bash
# keepachangelog 2.0.0 (PyPI), which makes a dict of a CHANGELOG.md (to_dict) and a file of the dict (from_dict).
# Behaviour: a line that goes on an entry is an entry of its own, and so is each point below an entry: three entries where there was one. A link of the kind [#5]: address at the end of the file is
# taken for a release; it stands in the dict beside the versions, and the written file has the heading "## [#5]". The word [YANKED] goes into the date. The words under the title are replaced by the standard ones.
# Seen:   "- One entry that / goes on": two entries / [#5]: https://…: version '#5', ## [#5] / [1.1.0] - 2026-02-01 [YANKED]: release_date '2026-02-01 [yanked]'
# Expected by most: one entry; two releases; the date 2026-02-01 and a mark.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check keepachangelog==2.0.0
cat > CHANGELOG.md <<'MD'
# Changelog
All changes of the pump.

## [1.1.0] - 2026-02-01 [YANKED]
### Added
- One entry that
  goes on, see [#5]
- Another entry
  - with a point below it

## [1.0.0] - 2026-01-01
### Added
- The first

[1.1.0]: https://example.com/compare/1.0.0...1.1.0
[#5]: https://example.com/issues/5
MD
cat > run.py <<'PY'
import importlib.metadata
import keepachangelog

print('keepachangelog', importlib.metadata.version('keepachangelog'))
changes = keepachangelog.to_dict('CHANGELOG.md')
for version, release in changes.items():
    print(repr(version), repr(release['metadata'].get('release_date')), release.get('added'))
print(keepachangelog.from_dict(changes).strip())
PY
env/bin/python run.py | tee out
diff out - <<'END'
keepachangelog 2.0.0
'1.1.0' '2026-02-01 [yanked]' ['One entry that', 'goes on, see [#5]', 'Another entry', 'with a point below it']
'1.0.0' '2026-01-01' ['The first']
'#5' None None
# Changelog
All notable changes to this project will be documented in this file.

The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/),
and this project adheres to [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

## [1.1.0] - 2026-02-01 [yanked]
### Added
- One entry that
- goes on, see [#5]
- Another entry
- with a point below it

## [1.0.0] - 2026-01-01
### Added
- The first

## [#5]
[1.1.0]: https://example.com/compare/1.0.0...1.1.0
[#5]: https://example.com/issues/5
END
