// Written by `weir install`; `weir install --undo` removes it.
// Large tool results are stored by Weir, and the model gets an excerpt. Whatever goes wrong, the
// result stays as it is.
import { spawn } from "node:child_process";

const WEIR = __WEIR__;
const ARGUMENTS = __ARGUMENTS__;
const SMALL = 2000;
const PATIENCE = 20_000;

// The text to show in place of `event.text`, or null to leave it.
function excerpt(event) {
  if (typeof event.text !== "string" || (event.text.length < SMALL && !event.file)) return null;
  return new Promise((done) => {
    let out = "";
    const child = spawn(WEIR, ARGUMENTS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    const end = (value) => {
      clearTimeout(timer);
      done(value);
    };
    child.on("error", () => end(null));
    child.on("close", () => {
      try {
        const { text } = JSON.parse(out);
        end(typeof text === "string" && text ? text : null);
      } catch {
        end(null);
      }
    });
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ weir: 1, ...event }));
  });
}
