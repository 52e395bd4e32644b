// Written by `weir install`; `weir install --undo` removes it.
// Large tool results are stored by Weir, and the model gets an excerpt. Whatever goes wrong, the
// result stays as it is.
import { spawn } from "node:child_process";

const WEIR = __WEIR__;
const ARGUMENTS = __ARGUMENTS__;
// Before a call: empty when commands run as they are.
const WRAP = __WRAP__;
const SMALL = 2000;
// More than this is no answer.
const MOST = 10_000_000;
const PATIENCE = __PATIENCE__ * 1000;

// What `weir` answers to an event; null when it does not.
function ask(args, event) {
  return new Promise((done) => {
    let out = "";
    const child = spawn(WEIR, args, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const end = (value) => {
      clearTimeout(timer);
      done(value);
    };
    // Not waited for: what it started may keep its pipes open.
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.unref();
      end(null);
    }, PATIENCE);
    child.on("error", () => end(null));
    child.on("close", (code) => {
      try {
        end(code === 0 ? JSON.parse(out) : null);
      } catch {
        end(null);
      }
    });
    child.stdout.on("error", () => {});
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.length > MOST) child.kill("SIGKILL");
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ weir: 1, ...event }));
  });
}

// The text to show in place of `event.text`, or null to leave it.
async function excerpt(event) {
  if (typeof event.text !== "string" || (event.text.length < SMALL && !event.file)) return null;
  const text = (await ask(ARGUMENTS, event))?.text;
  return typeof text === "string" && text ? text : null;
}

// What a model that has lost sight of it is told of what is stored, or null.
async function stored(cwd) {
  const text = (await ask(ARGUMENTS, { event: "compact", cwd }))?.text;
  return typeof text === "string" && text ? text : null;
}

// The arguments with which a call of the shell runs through `weir run`, or null to leave them.
async function wrapped(event) {
  if (!WRAP.length) return null;
  const args = (await ask(WRAP, event))?.arguments;
  return args && typeof args === "object" ? args : null;
}
