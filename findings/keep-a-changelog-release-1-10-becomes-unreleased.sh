#!/usr/bin/env bash
# keep-a-changelog 3.1.0 (npm), which parses a CHANGELOG.md and writes it again, as its README shows, default settings.
# Behaviour: a heading whose version has two parts (1.10) is no version for it. The release is written back under "Unreleased", without number and date, so that what came out long ago is said not to be out yet; two such releases give two
# headings "Unreleased". A changelog without words under its title gets the standard sentence that the project follows Semantic Versioning. No error, no warning.
# Seen:   ## [1.10] - 2026-01-01: ## Unreleased / ## [1.9.0] - 2025-01-01: as it was / nothing under the title: "this project adheres to Semantic Versioning"
# Expected by most: the heading as it was, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund keep-a-changelog@3.1.0
cat > CHANGELOG.md <<'MD'
# Changelog

## [2.0] - 2026-03-01
### Removed
- The old way

## [1.10] - 2026-01-01
### Added
- A new way

## [1.9.0] - 2025-01-01
### Fixed
- A bug
MD
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { parser } from 'keep-a-changelog';
const changelog = parser(readFileSync('CHANGELOG.md', 'utf8'));
console.log(changelog.toString().trim());
console.log('--');
for (const release of changelog.releases) console.log(`version ${release.version ?? 'none'}, date ${release.date?.toISOString().slice(0, 10) ?? 'none'}`);
JS
echo "keep-a-changelog $(node -p "JSON.parse(require('fs').readFileSync('node_modules/keep-a-changelog/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
# Changelog
All notable changes to this project will be documented in this file.

The format is based on [Keep a Changelog](https://keepachangelog.com/)
and this project adheres to [Semantic Versioning](https://semver.org/).

## Unreleased
### Removed
- The old way

## Unreleased
### Added
- A new way

## 1.9.0 - 2025-01-01
### Fixed
- A bug
--
version none, date 2026-03-01
version none, date 2026-01-01
version 1.9.0, date 2025-01-01
END
