#!/usr/bin/env bash
# @dbml/core 10.2.0 (npm), importer and exporter: MySQL's CREATE TABLE becomes DBML and MySQL again, and once more.
# Behaviour: unsigned, ON UPDATE CURRENT_TIMESTAMP, a column's collation and the length of an index are dropped; a computed column becomes a plain one that nobody fills. Of PostgreSQL an index for some rows (WHERE) becomes an index for all,
# so a unique one refuses rows that were allowed. An apostrophe in a remark gets another one on each way round. All without a warning; import and export both say that they are done.
# Seen:   int unsigned: int / COMMENT 'it''s': 'it''''s', then more / n int GENERATED ALWAYS AS (id + 1): n int / UNIQUE … WHERE active: UNIQUE for all rows
# Expected by most: the same table, or a word about what DBML can not say.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @dbml/core@10.2.0
cat > run.cjs <<'JS'
const { exporter, importer } = require('@dbml/core');
const mysql = "CREATE TABLE `a` (`id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s the id', `price` decimal(10,2) unsigned DEFAULT '0.00',\n"
  + ' `at` timestamp DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, `next` int GENERATED ALWAYS AS (id + 1) STORED, `name` varchar(200) COLLATE utf8mb4_bin,\n'
  + ' PRIMARY KEY (`id`), KEY `k` (`name`(10)));';
const postgres = 'CREATE TABLE b (id int PRIMARY KEY, mail text, active boolean);\nCREATE UNIQUE INDEX u ON b (mail) WHERE active;';
const squeeze = (text) => text.trim().replace(/\n\n+/g, '\n');
const first = importer.import(mysql, 'mysql');
console.log(squeeze(first));
const second = exporter.export(first, 'mysql');
console.log(squeeze(second));
console.log('once more:', exporter.export(importer.import(second, 'mysql'), 'mysql').match(/COMMENT '.*'/)[0]);
console.log(squeeze(exporter.export(importer.import(postgres, 'postgres'), 'postgres')));
JS
echo "@dbml/core $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@dbml/core/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
Table "a" {
  "id" int [pk, not null, increment, note: '''it\'\'s the id''']
  "price" decimal(10,2) [default: '0.00']
  "at" timestamp [default: `CURRENT_TIMESTAMP`]
  "next" int
  "name" varchar(200)
  Indexes {
    name [name: "k"]
  }
}
CREATE TABLE `a` (
  `id` int PRIMARY KEY NOT NULL AUTO_INCREMENT COMMENT 'it''''s the id',
  `price` decimal(10,2) DEFAULT '0.00',
  `at` timestamp DEFAULT (CURRENT_TIMESTAMP),
  `next` int,
  `name` varchar(200)
);
CREATE INDEX `k` ON `a` (`name`);
once more: COMMENT 'it''''''''s the id'
CREATE TABLE "b" (
  "id" int PRIMARY KEY,
  "mail" text,
  "active" boolean
);
CREATE UNIQUE INDEX "u" ON "b" ("mail");
END
