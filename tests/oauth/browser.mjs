// A person with a browser: opens an address, logs in, agrees, and ends where the redirects end.
//
//   node browser.mjs ADDRESS [--stop]     --stop prints the last address and does not open it
const [address, stop] = process.argv.slice(2);
const cookies = new Map();
let url = new URL(address);
const callback = new URL(url.searchParams.get("redirect_uri"));
let form;
for (let step = 0; step < 20; step++) {
  if (url.origin === callback.origin) {
    if (stop) { console.log(url.href); process.exit(0); }
    const back = await fetch(url);
    console.log(back.status, await back.text());
    process.exit(back.ok ? 0 : 1);
  }
  const response = await fetch(url, {
    method: form ? "POST" : "GET", body: form, redirect: "manual",
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = line.match(/^([^=]+)=([^;]*)/);
    cookies.set(name, value);
  }
  const location = response.headers.get("location");
  form = undefined;
  if (location) { url = new URL(location, url); continue; }
  const page = await response.text();
  const action = page.match(/<form[^>]*action="([^"]+)"/)?.[1];
  if (!response.ok || !action) { console.error(response.status, page.slice(0, 2000)); process.exit(1); }
  form = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)) form.set(name, value);
  if (page.includes('name="login"')) { form.set("login", "alice"); form.set("password", "any"); }
  url = new URL(action, url);
}
console.error("too many steps");
process.exit(1);
