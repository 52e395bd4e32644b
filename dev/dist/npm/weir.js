#!/usr/bin/env node
// Runs the program that npm installed for this system.
'use strict';

const { spawn } = require('node:child_process');

const name = `weir-cli-${process.platform}-${process.arch}`;

function fail(why, hint) {
  console.error(`error: ${why}\nhint: ${hint}`);
  process.exit(2);
}

let program;
try {
  program = require.resolve(`${name}/bin/weir`);
} catch {
  const built = Object.keys(require('../package.json').optionalDependencies).map((one) => one.slice('weir-cli-'.length));
  if (built.includes(`${process.platform}-${process.arch}`)) {
    fail(`the package ${name} is not installed`, 'install weir-cli again, without leaving out optional dependencies');
  }
  fail(`there is no program for ${process.platform} on ${process.arch}`, `there is one for: ${built.join(', ')}; elsewhere build it with cargo`);
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// The terminal sends Ctrl-C to both: this one waits for what the program makes of it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`${program} cannot be started: ${error.message}`, 'install weir-cli again'));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
