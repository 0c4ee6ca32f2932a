#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# demos_in_browser.sh LAB FOLDER: the page of each demonstration in Chromium, stepped through by keys: no errors, every step shows
# its caption, nothing wider than the screen, and on 1280 x 720 no text below 24 px; on a projector and a phone, light and dark.
# Pictures are left in FOLDER to be looked at. Exits 77 where there is no Chromium.
set -euo pipefail
lab=$1 folder=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo 'skipped: no Chromium'; exit 77; }
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Looks at the page from within, and tells the page around it.
cat > "$scratch/probe.html" << 'END'
<script>
const faults = [];
addEventListener('error', event => faults.push('error: ' + event.message));
const press = key => dispatchEvent(new KeyboardEvent('keydown', { key }));
const note = fault => { if (!faults.includes(fault)) faults.push(fault); };
function look(frame) {
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) note(`wider than the screen: ${root.scrollWidth} of ${root.clientWidth} pixels`);
  if (frame && document.getElementById('caption').textContent !== frame.caption + '.') note('the caption is not that of the frame');
  const foot = document.querySelector('footer').getBoundingClientRect();
  if (foot.bottom > root.clientHeight + 1) note('the buttons are below the screen');
  if (root.clientWidth !== 1280) return;
  for (const element of document.querySelectorAll('body *')) {
    const has_text = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (has_text && !['SCRIPT', 'STYLE'].includes(element.tagName) && parseFloat(getComputedStyle(element).fontSize) < 24) note('too small: ' + element.textContent.slice(0, 20));
  }
}
addEventListener('load', () => {
  let steps = 0;
  try {
    demo.scenes.forEach((one, number) => {
      look();
      if (one.open) {
        // The audience lets the last thread go as long as it can.
        for (let next; (next = demo.frames[way[at]].next); ++steps) { press(String(next.length)); look(demo.frames[way[at]]); }
      } else {
        for (const frame of one.frames.slice(1)) { press('ArrowRight'); ++steps; look(demo.frames[frame]); }
      }
      const last = at;
      press('ArrowLeft');
      if (at !== last - 1) note('the left key does not go back');
      press('ArrowRight');
      if (number + 1 < demo.scenes.length) press('n');
    });
  } catch (error) { note('error: ' + error.message); }
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim() === '#ffffff' ? 'light' : 'dark';
  parent.postMessage(`${ground}, ${steps} steps: ` + (faults.length ? faults.join('; ') : 'fine'), '*');
});
</script>
END

chromium() { "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" "$@" 2> "$scratch/log"; }

# In a frame, because a window has a least width. `probe PAGE WIDTH HEIGHT [FLAG...]`
probe() {
  local page=$1 width=$2 height=$3
  shift 3
  cat > "$scratch/frame.html" << END
<!DOCTYPE html><title>waiting</title><body style="margin:0"><iframe src="$page" style="border:0;width:${width}px;height:${height}px"></iframe>
<script>addEventListener('message', event => { document.title = event.data; })</script></body>
END
  chromium "$@" --window-size="$width,$height" --virtual-time-budget=10000 --dump-dom "file://$scratch/frame.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p'
  grep -E 'CONSOLE.*(rror|efused)' "$scratch/log" || true
}

failed=0
for demo in $("$lab" demo | sed -n 's/^\([a-z]*\)  .*/\1/p'); do
  "$lab" demo "$demo" --html "$scratch/page.html" > /dev/null
  sed "/^<head>/r $scratch/probe.html" "$scratch/page.html" > "$scratch/probed.html"
  for screen in 'projector 1280 720' 'phone 360 740'; do
    read -r name width height <<< "$screen"
    for ground in light dark; do
      flags=(--blink-settings=preferredColorScheme="$([ $ground = dark ] && echo 0 || echo 1)")
      result=$(probe probed.html "$width" "$height" "${flags[@]}")
      echo "$demo, $name, $result"
      [[ $result == "$ground, "*' steps: fine' && $result != *', 0 steps'* ]] || failed=1
      chromium "${flags[@]}" --window-size="$width,$height" --screenshot="$folder/$demo-$name-$ground.png" "file://$scratch/frame.html" || { cat "$scratch/log"; exit 1; }
    done
  done
done

# Control: one thing too wide, one too small, one error.
sed 's|</header>|</header><div style="width:3000px;font-size:9px">x</div><script>nonsense()</script>|' "$scratch/probed.html" > "$scratch/control.html"
control=$(probe control.html 1280 720)
[[ $control == *'nonsense is not defined'*'wider than the screen'*'too small: x'* ]] || { echo "the control's faults are not reported: $control"; failed=1; }
echo "pictures: $folder"
exit $failed
