// Shows what has changed since, without taking away what is being read, opened or typed. What was searched for is not
// searched again.
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch("/ui").catch(() => null);
  if (!answer?.ok) return;
  // Without the head, whose style is not of this page's nonce.
  const text = await answer.text();
  const next = new DOMParser().parseFromString(text.slice(text.indexOf("<main>")), "text/html");
  for (const old of document.querySelectorAll("[data-live]")) {
    const now = next.getElementById(old.id);
    if (!now || old.contains(document.activeElement)) continue;
    for (const open of old.querySelectorAll("details[open]")) now.querySelector("#" + open.id)?.setAttribute("open", "");
    if (now.innerHTML !== old.innerHTML) old.replaceWith(document.adoptNode(now));
  }
}, 3000);
