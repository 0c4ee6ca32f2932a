#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# report_in_browser.sh LAB FOLDER RECORDS...: what `lab report` writes of each RECORDS, in Chromium: no errors, nothing wider
# than the screen, no text cut off in a plot, nothing empty, and enough contrast, on a phone, a laptop and a projector, light and dark;
# as it is opened, at most 6,000 pixels high on a laptop. Pictures of all of them, and the page on paper, are left in FOLDER to be
# looked at. Exits 77 where there is no Chromium or no gnuplot.
set -euo pipefail
lab=$1 folder=$2
shift 2
command -v gnuplot > /dev/null || { echo 'skipped: no gnuplot'; exit 77; }
mkdir -p "$folder"
. "${BASH_SOURCE[0]%/*}/chromium.sh"

# Looks at the page from within, and tells the page around it.
cat > "$scratch/probe.js" << 'END'
const faults = [];
window.addEventListener('error', event => faults.push('error: ' + event.message));
function luminance(colour) {
  const part = at => { const c = parseInt(colour.substr(at, 2), 16) / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
window.addEventListener('load', () => {
  const root = document.documentElement, style = getComputedStyle(root);
  if (root.scrollWidth > root.clientWidth) faults.push(`wider than the screen: ${root.scrollWidth} of ${root.clientWidth} pixels`);
  if (root.clientWidth === 1280 && root.scrollHeight > 6000) faults.push(`${root.scrollHeight} pixels high`);
  const height = root.scrollHeight;
  for (const section of document.querySelectorAll('section')) if (!section.querySelector('table, svg')) faults.push('empty: ' + section.id);
  // What is folded away has to fit too.
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  if (root.scrollWidth > root.clientWidth) faults.push(`unfolded wider than the screen: ${root.scrollWidth} of ${root.clientWidth} pixels`);
  for (const svg of document.querySelectorAll('svg')) {
    const box = svg.getBoundingClientRect();
    if (box.width === 0) continue;  // the drawing for other screens
    for (const text of svg.querySelectorAll('text')) {
      const at = text.getBoundingClientRect();
      if (at.left < box.left - 1 || at.right > box.right + 1 || at.top < box.top - 1 || at.bottom > box.bottom + 1) faults.push('cut off: ' + text.textContent);
      if (at.height < 9) faults.push(`${at.height} pixels high: ${text.textContent}`);
    }
  }
  const colour = name => style.getPropertyValue(name).trim();
  for (const [name, least] of [['--ink', 7], ['--muted', 4.5], ['--roof', 3], ['--estimate', 4.5], ...[1, 2, 3, 4, 5, 6].map(i => ['--series-' + i, 3])]) {
    if (contrast(colour(name), colour('--paper')) < least) faults.push('too little contrast: ' + name);
  }
  const ground = luminance(colour('--paper')) < 0.2 ? 'dark' : 'light';
  parent.postMessage(`${ground}, ${height} pixels high, ${document.querySelectorAll('svg').length} plots: ` + (faults.length ? faults.join('; ') : 'fine'), '*');
});
END
{ echo '<script>'; cat "$scratch/probe.js"; echo '</script>'; } > "$scratch/probe.html"

# The page alone, without the probe.
picture_of() {
  local name=$1 width=$2 height=$3
  shift 3
  sed "s|src=\"[^\"]*\"|src=\"page.html\"|; s|height:[0-9]*px|height:${height}px|" "$scratch/frame.html" > "$scratch/picture.html"
  PICTURED=picture.html picture "$folder/$name.png" "$width" "$height" "$@"
}

failed=0
for records in "$@"; do
  # Two files of records may have the same name.
  machine=$(basename "$(dirname "$records")")-$(basename "$records" .jsonl)
  "$lab" report --records "$records" --output "$scratch/page.html" > /dev/null
  with_probe "$scratch/page.html" "$scratch/probed.html"
  for screen in 'phone 390 844' 'laptop 1280 800' 'projector 1920 1080'; do
    read -r name width height <<< "$screen"
    for ground in light dark; do
      flags=("$(on_ground $ground)")
      result=$(probe probed.html "$width" "$height" "${flags[@]}")
      echo "$machine, $name, $result"
      [[ $result == "$ground, "*' plots: fine' && $result != *' 0 plots'* ]] || failed=1
      picture_of "$machine-$name-$ground" "$width" 6000 "${flags[@]}"
    done
  done
  chromium --no-pdf-header-footer --print-to-pdf="$folder/$machine.pdf" "file://$scratch/page.html" || { cat "$scratch/log"; exit 1; }
done

# Control: one thing too wide, one error, one text cut off.
sed 's|</h1>|</h1><div style="width:3000px">x</div><script>nonsense()</script><svg viewBox="0 0 100 20"><text x="95" y="10">control</text></svg>|' \
  "$scratch/probed.html" > "$scratch/control.html"
control=$(probe control.html 1280 800)
[[ $control == *'nonsense is not defined'*'wider than the screen'*'cut off: control'* ]] || { echo "the control's faults are not reported: $control"; failed=1; }
[ "${WORKBOOK_PICTURES:-all}" = none ] || echo "pictures: $folder"
exit $failed
