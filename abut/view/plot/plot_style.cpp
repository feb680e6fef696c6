// The style of the plots, and the script that shows values under the mouse.
#include "abut/view/plot/plot.h"

namespace abut::view {

// Okabe and Ito's palette. Blue is lighter on a dark background, and yellow darker on white, for
// contrast.
std::string_view plot_style() {
  return R"css(
:root {
  --paper: #fff; --ink: #1b1f24; --soft: #59636e; --grid: #e4e7eb; --rule: #9aa3ad; --card: #fff;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7;
  --c4: #e69f00; --c5: #56b4e9; --c6: #1b1f24; --c7: #8f8500;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e8eaed; --soft: #9aa5b1; --grid: #2b3138; --rule: #616b76; --card: #1b1f24;
    --c0: #3d9fe0; --c1: #f0752b; --c2: #1fbf92; --c3: #dd92bb;
    --c4: #f0b030; --c5: #8fd3f7; --c6: #e8eaed; --c7: #f0e442;
  }
}
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
.faint { --c: var(--rule); }
.plot { display: block; width: 100%; height: auto; font-family: inherit; }
.plot text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
.plot .title { fill: var(--ink); font-size: 15px; font-weight: 600; }
.plot .key { fill: var(--ink); font-size: 12px; white-space: pre; }
.plot path { fill: none; }
.plot .grid { stroke: var(--grid); }
.plot .zero, .plot .base, .plot .mark { stroke: var(--rule); }
.plot .level { stroke: var(--rule); stroke-width: 1.5; }
.plot .line { stroke: var(--c); stroke-width: 16; stroke-linejoin: round; stroke-linecap: round; }
.plot .line.faint { stroke-width: 8; }
.plot .line.c4, .plot .line.c5, .plot .line.c6, .plot .line.c7 { stroke-dasharray: 55 30; stroke-linecap: butt; }
.plot[data-plane] .line { stroke-dasharray: none; }
.plot .line.dense { stroke-width: 6; stroke-opacity: .6; stroke-dasharray: none; }
.plot[data-plane] .line.dense { stroke-width: 5; stroke-opacity: .3; }
.plot .area { fill: var(--c); fill-opacity: .16; stroke: var(--c); stroke-opacity: .55; stroke-width: 7; stroke-linejoin: round; }
.plot .area.faint { fill-opacity: .12; stroke-opacity: .35; }
.plot .ghost { stroke: var(--c); stroke-opacity: .55; stroke-width: 7; stroke-dasharray: 15 20; }
.plot .start { fill: var(--card); stroke: var(--c); stroke-width: 1.6; }
.plot .end { fill: var(--c); }
.plot .share { fill: var(--c); }
.plot .cursor { stroke: var(--soft); stroke-dasharray: 3 3; }
#readout { position: fixed; pointer-events: none; display: none; z-index: 9; padding: 6px 10px; border-radius: 6px;
  background: var(--card); color: var(--ink); border: 1px solid var(--rule); font-size: 12px; line-height: 1.5;
  font-variant-numeric: tabular-nums; white-space: nowrap; box-shadow: 0 2px 10px #0003; }
#readout i { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 6px; background: var(--c); }
@media print { #readout { display: none !important; } }
)css";
}

// The script reads the values from the lines themselves, to a tenth of a pixel, so the page stores
// no data twice.
std::string_view plot_script() {
  return R"js(//<![CDATA[
(function () {
  var box = document.createElement('div'); box.id = 'readout'; document.body.appendChild(box);
  function say(v) { return (+v.toPrecision(4)).toString().replace('-', '\u2212'); }
  function row(name, value, colour) {
    var div = document.createElement('div');
    if (colour) { var dot = document.createElement('i'); dot.className = colour; div.appendChild(dot); }
    div.appendChild(document.createTextNode(name + ' ' + value)); box.appendChild(div);
  }
  function points(path) {
    if (path.points) return path.points;
    var n = path.getAttribute('d').match(/-?\d+/g).map(Number), x = 0, y = 0, out = [];
    for (var i = 0; i + 1 < n.length; i += 2) { x += n[i]; y += n[i + 1]; out.push([x / 10, y / 10]); }
    return path.points = out;
  }
  document.querySelectorAll('svg[data-frame]').forEach(function (svg) {
    var f = svg.dataset.frame.split(' ').map(Number), r = svg.dataset.range.split(' ').map(Number);
    var axes = svg.dataset.axes.split('|'), plane = svg.dataset.plane;
    var cursor = document.createElementNS(svg.namespaceURI, 'path');
    cursor.setAttribute('class', 'cursor'); svg.appendChild(cursor);
    function X(px) { return r[0] + (px - f[0]) / (f[2] - f[0]) * (r[1] - r[0]); }
    function Y(py) { return r[2] + (f[3] - py) / (f[3] - f[1]) * (r[3] - r[2]); }
    function hide() { box.style.display = 'none'; cursor.setAttribute('d', ''); }
    svg.addEventListener('mouseleave', hide);
    svg.addEventListener('mousemove', function (e) {
      var p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
      if (p.x < f[0] || p.x > f[2] || p.y < f[1] || p.y > f[3]) return hide();
      box.textContent = '';
      row(axes[0] + ' =', say(X(p.x)) + ' ' + axes[1]);
      if (plane) row(axes[2] + ' =', say(Y(p.y)) + ' ' + axes[3]);
      else svg.querySelectorAll('path[data-name]').forEach(function (path) {
        var list = points(path), low = 0, high = list.length - 1;
        while (high - low > 1) { var mid = (low + high) >> 1; if (list[mid][0] < p.x) low = mid; else high = mid; }
        var near = p.x - list[low][0] < list[high][0] - p.x ? list[low] : list[high];
        row(path.dataset.name, say(Y(near[1])) + ' ' + axes[3], path.getAttribute('class').split(' ')[1]);
      });
      cursor.setAttribute('d', 'M' + p.x + ' ' + f[1] + 'V' + f[3] + (plane ? 'M' + f[0] + ' ' + p.y + 'H' + f[2] : ''));
      box.style.display = 'block';
      box.style.left = Math.min(e.clientX + 16, innerWidth - box.offsetWidth - 8) + 'px';
      box.style.top = Math.min(e.clientY + 16, innerHeight - box.offsetHeight - 8) + 'px';
    });
  });
})();
//]]>)js";
}

}  // namespace abut::view
