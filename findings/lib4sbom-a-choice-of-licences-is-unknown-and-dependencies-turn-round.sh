#!/usr/bin/env bash
# lib4sbom 0.10.4 (PyPI), which reads and writes SBOMs; SPDX 2.3 in JSON is read and written as CycloneDX, as its README shows, default settings.
# Behaviour: a licence that is a choice or a sum of licences of the SPDX list becomes UNKNOWN when it is read, and the written component has no licence at all. A licence that stands in licenseDeclared alone is
# not written either. "c is a dependency of a" (DEPENDENCY_OF) is written as "c depends on a"; so a package and what it needs change places. From a supplier a CPE is invented that stood nowhere.
# Seen:   MIT OR Apache-2.0: UNKNOWN, no licence / c DEPENDENCY_OF a: c dependsOn a / no CPE in the source: cpe:/a:Example:a:1.10
# Expected by most: the expression as it was; a dependsOn c; no CPE.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lib4sbom==0.10.4
cat > run.py <<'PY'
import importlib.metadata
import json
from lib4sbom.generator import SBOMGenerator
from lib4sbom.parser import SBOMParser

print('lib4sbom', importlib.metadata.version('lib4sbom'))


def convert(packages, relations=()):
    source = {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': 'doc',
        'documentNamespace': 'https://example.com/doc', 'creationInfo': {'created': '2026-01-01T00:00:00Z', 'creators': ['Tool: x-1']},
        'packages': [{'SPDXID': f'SPDXRef-{name}', 'name': name, 'versionInfo': '1.10', 'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False,
                      'licenseConcluded': 'NOASSERTION', 'licenseDeclared': 'NOASSERTION', 'copyrightText': 'NOASSERTION', **rest} for name, rest in packages],
        'relationships': [{'spdxElementId': f'SPDXRef-{a}', 'relationshipType': kind, 'relatedSpdxElement': f'SPDXRef-{b}'} for a, kind, b in relations],
    }
    json.dump(source, open('in.spdx.json', 'w'))
    parser = SBOMParser()
    parser.parse_file('in.spdx.json')
    SBOMGenerator(sbom_type='cyclonedx', format='json').generate('doc', parser.get_sbom(), filename='out.cdx.json')
    return parser.get_packages(), json.load(open('out.cdx.json'))


for concluded, declared in [('MIT', 'MIT'), ('MIT OR Apache-2.0', 'MIT OR Apache-2.0'), ('MIT AND BSD-3-Clause', 'MIT AND BSD-3-Clause'),
                            ('Apache-2.0 WITH LLVM-exception', 'NOASSERTION'), ('NOASSERTION', 'MIT')]:
    read, written = convert([('a', {'licenseConcluded': concluded, 'licenseDeclared': declared})])
    kept = [value.get('id') or value.get('name') for entry in written['components'][0].get('licenses', []) for value in [entry.get('license', entry)]]
    print(f"concluded {concluded}, declared {declared}: read as {read[0]['licenseconcluded']}, {read[0]['licensedeclared']}; written {kept}")
read, written = convert([('a', {'supplier': 'Organization: Example'}), ('b', {}), ('c', {})],
                        [('DOCUMENT', 'DESCRIBES', 'a'), ('a', 'DEPENDS_ON', 'b'), ('c', 'DEPENDENCY_OF', 'a')])
for entry in written['dependencies']:
    print(entry['ref'], 'dependsOn', *entry['dependsOn'])
print('cpe of a:', written['components'][0].get('cpe'))
PY
env/bin/python run.py | tee out
diff out - <<'END'
lib4sbom 0.10.4
concluded MIT, declared MIT: read as MIT, MIT; written ['MIT']
concluded MIT OR Apache-2.0, declared MIT OR Apache-2.0: read as UNKNOWN, UNKNOWN; written []
concluded MIT AND BSD-3-Clause, declared MIT AND BSD-3-Clause: read as UNKNOWN, UNKNOWN; written []
concluded Apache-2.0 WITH LLVM-exception, declared NOASSERTION: read as Apache-2.0 WITH LLVM-exception, UNKNOWN; written ['Apache-2.0 WITH LLVM-exception']
concluded NOASSERTION, declared MIT: read as UNKNOWN, MIT; written []
CDXRef-DOCUMENT dependsOn SPDXRef-a
SPDXRef-a dependsOn SPDXRef-b
SPDXRef-c dependsOn SPDXRef-a
cpe of a: cpe:/a:Example:a:1.10
END
