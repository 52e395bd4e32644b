// The part of tests/page.py that drives a browser: `node page.mjs ADDRESS TOKEN SHOTS COUNTS`, with packages beside it.
// Pictures, axe-core, and the page's tasks with the mouse and again by keyboard alone. Prints a document as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const need = createRequire(pathToFileURL(process.cwd() + "/"));
const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
const chromium = (await import(pathToFileURL(need.resolve("@sparticuz/chromium")))).default;
const puppeteer = need("puppeteer-core");
const [address, token, shots, counts] = process.argv.slice(2);
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
const said = [];

const browser = await puppeteer.launch({ args: [...chromium.args, "--no-sandbox"], executablePath: await chromium.executablePath(), headless: "shell" });
async function open(url, [width, scheme] = [1200, "light"], bypass = false) {
  const page = await browser.newPage();
  await page.authenticate({ username: "anybody", password: token });
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.setBypassCSP(bypass);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(url, { waitUntil: "load" });
  return page;
}

const ui = `${address}/ui`;
const first = await open(ui);
const result = await first.$eval("#results tbody a", (link) => link.href);
const pages = { ui: `${ui}?q=%3Cscript%3Edocument.title%3D'owned'%3C/script%3E+img`, result: `${result}&mode=grep&text=script`, file: pathToFileURL(counts).href };
const documents = {}, violations = [];
for (const [name, url] of Object.entries(pages)) {
  for (const [look, at] of Object.entries({ light: [1200, "light"], dark: [1200, "dark"], phone: [400, "light"] })) {
    const page = await open(url, at);
    documents[name] = await page.content();
    await page.screenshot({ path: `${shots}/${name}-${look}.png`, fullPage: true });
    await page.close();
    const looked = await open(url, at, true);
    await looked.evaluate(axe);
    const found = await looked.evaluate((rules) => globalThis.axe.run(document, { runOnly: rules }), RULES);
    violations.push(...found.violations.map((one) => `${name} ${look}: ${one.id} ${one.nodes[0].target}`));
    await looked.close();
  }
}

const named = (text, within) => [...document.querySelectorAll(`${within} :is(a, button, input, summary)`)].find(
  (it) => (it.textContent || it.id) === text,
);
// By keyboard alone: Tab until something is reached, then Enter.
async function byKeyboard(page, text, within = "body") {
  await page.evaluate((within) => (document.querySelector(within).tabIndex = -1, document.querySelector(within).focus()), within);
  for (let n = 0; n < 200; n++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((text) => (document.activeElement.textContent || document.activeElement.id) === text, text)) {
      return (it) => it.keyboard.press("Enter");
    }
  }
  throw new Error(`"${text}" is not reached by keyboard`);
}
// With the mouse alone, but for the words that are typed.
async function byMouse(page, text, within = "body") {
  const element = (await page.evaluateHandle(`(${named})(${JSON.stringify(text)}, ${JSON.stringify(within)})`)).asElement();
  if (!element) throw new Error(`"${text}" is not there`);
  await element.scrollIntoView();
  return () => element.click();
}
async function tasks(reach) {
  const page = await open(ui);
  const follow = async (text, within) => {
    const press = await reach(page, text, within);
    await Promise.all([page.waitForNavigation(), press(page)]);
  };
  // It shows what came meanwhile by itself.
  await page.waitForFunction(() => document.querySelector("#waiting button"), { timeout: 30_000 });
  await follow("Allow once", "#waiting");
  const down = await page.$eval("#servers .bad", (it) => it.textContent);
  const field = await reach(page, "find");
  if (reach === byMouse) await field(page);
  await page.keyboard.type("FAILED");
  await (reach === byMouse ? follow("Search") : Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]));
  const line = await page.$eval("#results tbody th", (it) => it.textContent);
  await follow(await page.$eval("#results tbody a", (it) => it.textContent), "#results");
  const opened = page.url();
  await follow("Forget it");
  const gone = await (await open(opened)).$eval("main", (it) => it.textContent);
  return { down, line, gone };
}
const done = [await tasks(byMouse), await tasks(byKeyboard)];
await browser.close();
console.log(JSON.stringify({ documents, violations, said, done }));
