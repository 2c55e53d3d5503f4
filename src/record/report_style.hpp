#pragma once

/// How a report looks: the frame of its page, its colours and measures, and the lines that start the viewer in it.
namespace rubato::report_style {

/// A page that may load nothing: the browser itself refuses whatever is not in it.
inline constexpr const char* page = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
{viewer}</head>
<body>
<main>
<h1>{title}</h1>
{body}<section>
<h2>Settings</h2>
{settings}</section>
<footer>Made by Rubato. This page needs no other file.</footer>
</main>
</body>
</html>
)";

inline constexpr const char* css = R"(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1e21; --quiet: #5f6670; --line: #d9dde3; --card: #f6f7f9; --plot: #fcfcfa; --shade: #0003; --warning: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14161a; --ink: #e8eaed; --quiet: #a2a9b4; --line: #33383f; --card: #1d2026; --plot: #1d2026; --shade: #fff3; --warning: #ff8a80; }
  figure img { filter: brightness(0.82); } /* pictures are of bodies in daylight */
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 28px; margin: 0 0 8px; }
h2 { font-size: 21px; margin: 24px 0 4px; }
h3 { font-size: 16px; margin: 0; color: var(--run); filter: saturate(0.9); }
p { margin: 0 0 8px; }
.small { color: var(--quiet); font-size: 13px; margin: 6px 0 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 12px; margin: 12px 0; }
.card { background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--run); border-radius: 8px; padding: 14px 16px; }
.card .figure { font-size: 34px; font-weight: 650; line-height: 1.2; margin: 2px 0; font-variant-numeric: tabular-nums; }
.bar { height: 8px; margin: 6px 0 8px; border-radius: 4px; background: var(--line); overflow: hidden; }
.bar div { height: 100%; background: var(--run); }
.warning { color: var(--warning); }
figure { margin: 16px 0; }
figure img { max-width: 100%; height: auto; display: block; border-radius: 8px; }
figure.plot { background: var(--plot); border: 1px solid var(--line); border-radius: 8px; padding: 4px; overflow-x: auto; }
figure.plot svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
figcaption { color: var(--quiet); font-size: 13px; margin-top: 6px; }
.viewer { height: 640px; max-height: 92vh; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; margin: 16px 0; }
.wide { overflow-x: auto; margin: 16px 0; /* a shade where more is to be scrolled to */
  background: linear-gradient(to left, var(--page) 40%, transparent) 100% 0 / 40px 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) 100% 0 / 16px 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--page); }
thead th { color: var(--quiet); font-weight: 500; white-space: normal; vertical-align: bottom; line-height: 1.3; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 8px; }
details { margin: 8px 0; }
summary { cursor: pointer; }
pre { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; font-size: 13px; }
footer { color: var(--quiet); font-size: 13px; margin-top: 48px; }
@media print {
  .viewer { display: none; }
  .wide { overflow: visible; background: none; }
  table { width: 100%; font-size: 8pt; }
  th, td { padding: 3px 4px; white-space: normal; }
  tbody th { white-space: nowrap; }
  .small { font-size: inherit; }
  figure, .card, tr { break-inside: avoid; }
}
)";

inline constexpr const char* show_runs = R"js(
function showRuns(number, runs) {
  runs.forEach(function (run, i) {
    var letters = atob(document.getElementById("frames-" + number + "-" + i).textContent);
    var bytes = new Uint8Array(letters.length);
    for (var k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
    run.frames = bytes.buffer;
    run.stats = { text: document.getElementById("stats-" + number + "-" + i).textContent };
  });
  var shown = Rubato.mount(document.getElementById("viewer-" + number), { runs: runs });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  var begun = false;
  new IntersectionObserver(function (entries) { // what nobody sees need not move
    var seen = entries[entries.length - 1].isIntersecting;
    if (seen && !begun) shown.ready.then(function () { begun = true; shown.play(); });
    if (!seen && begun && shown.playing()) { shown.pause(); begun = false; }
  }).observe(document.getElementById("viewer-" + number));
}
)js";

} // namespace rubato::report_style
