#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# demos_in_browser.sh LAB FOLDER: the page of each demonstration in Chromium, stepped through by keys: no errors, every step shows
# its caption, nothing wider than the screen, and on 1280 x 720 no text below 24 px; on a projector and a phone, light and dark.
# The same of the slides, whose words also have to fit on the screen, which stay below a
# megabyte, and whose presenter's window follows them.
# Pictures are left in FOLDER to be looked at. Exits 77 where there is no Chromium.
set -euo pipefail
lab=$1 folder=$2
mkdir -p "$folder"
. "${BASH_SOURCE[0]%/*}/chromium.sh"

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
  if (frame && document.getElementById('caption').textContent !== frame.caption + '.' + (frame.finding || '')) note('the caption is not that of the frame');
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
    if (typeof deck !== 'undefined') go_through_slides(); else go_through_scenes();
  } catch (error) { note('error: ' + error.message); }
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim() === '#ffffff' ? 'light' : 'dark';
  parent.postMessage(`${ground}, ${steps} steps: ` + (faults.length ? faults.join('; ') : 'fine'), '*');

  function go_through_slides() {
    const shown = new Set();
    for (let before = ''; ; ++steps) {
      const now = slide + '/' + at + '/' + is_scene();
      if (now === before) break;
      before = now;
      shown.add(slide);
      look(is_scene() && at > 0 ? demo.frames[way[at]] : undefined);
      const root = document.documentElement;
      if (!is_scene() && root.clientWidth === 1280 && root.scrollHeight > root.clientHeight) note(`slide ${slide + 1} is ${root.scrollHeight} pixels high`);
      press('ArrowRight');
    }
    if (shown.size !== deck.slides.length) note(`${shown.size} of ${deck.slides.length} slides were shown`);
    press('Home');
    if (slide !== 0) note('Home does not go to the first slide');
    press('s');
    if (document.getElementById('notes').hidden) note('s does not show the notes');
    press('s');
    look_at_presenter();
  }

  // The window for the lecturer's screen: its keys move the deck, and it follows.
  function look_at_presenter() {
    const told = id => presenter.document.getElementById(id).textContent, words = make('span');
    const title = number => { words.innerHTML = title_of(deck.slides[number]); return words.textContent; };
    const expect = (id, text) => { if (told(id) !== text) note(`the presenter's ${id} is "${told(id)}", not "${text}"`); };
    const last = deck.slides.length - 1, noted = deck.slides.findIndex(one => one.demo !== undefined && one.notes);
    press('v');
    if (!presenter) { note('v opens no window'); return; }
    expect('place', `Slide 1 of ${last + 1}, 0 min`);
    expect('now', title(0));
    expect('then', 'Next: ' + title(1));
    presenter.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    if (slide !== 1) note('a key in the presenter\'s window does not move the deck');
    expect('now', title(1));
    go(noted);
    if (!deck.slides[noted].notes.includes('Ask')) note('the notes of a demonstration do not say what to ask');
    expect('text', deck.slides[noted].notes);
    begun -= 7 * 60000;
    press('End');
    expect('place', `Slide ${last + 1} of ${last + 1}, 7 min`);
    expect('then', 'This is the last slide');
    presenter.close();
    press('Home');
  }

  function go_through_scenes() {
    demo.scenes.forEach((one, number) => {
      look();
      if (one.open) {
        // The audience lets the last thread go as long as it can.
        for (let next; (next = demo.frames[way[at]].next); ++steps) { press(String(next.at(-1)[2])); look(demo.frames[way[at]]); }
      } else {
        for (const frame of one.frames.slice(1)) { press('ArrowRight'); ++steps; look(demo.frames[frame]); }
      }
      const last = at;
      press('ArrowLeft');
      if (at !== last - 1) note('the left key does not go back');
      press('ArrowRight');
      if (number + 1 < demo.scenes.length) press('n');
    });
  }
});
</script>
END

failed=0
for demo in $("$lab" demo | sed -n 's/^\([a-z]*\)  .*/\1/p') slides; do
  if [ "$demo" = slides ]; then
    "$lab" demo --slides "$scratch/page.html" > /dev/null
    size=$(stat -c %s "$scratch/page.html")
    echo "slides, $size bytes"
    [ "$size" -lt 1000000 ] || failed=1
  else
    "$lab" demo "$demo" --html "$scratch/page.html" > /dev/null
  fi
  with_probe "$scratch/page.html" "$scratch/probed.html"
  for screen in 'projector 1280 720' 'phone 360 740'; do
    read -r name width height <<< "$screen"
    for ground in light dark; do
      flags=("$(on_ground $ground)" --disable-popup-blocking)
      result=$(probe probed.html "$width" "$height" "${flags[@]}")
      echo "$demo, $name, $result"
      [[ $result == "$ground, "*' steps: fine' && $result != *', 0 steps'* ]] || failed=1
      picture "$folder/$demo-$name-$ground.png" "$width" "$height" "${flags[@]}"
    done
  done
done

# Some slides, each as it is opened.
for ground in light dark; do
  for slide in 1 4 12 20 40; do
    sed "s|src=\"[^\"]*\"|src=\"page.html#$slide\"|; s|width:[0-9]*px;height:[0-9]*px|width:1280px;height:720px|" "$scratch/frame.html" > "$scratch/slide.html"
    PICTURED=slide.html picture "$folder/slide-$slide-$ground.png" 1280 720 "$(on_ground $ground)"
  done
done

# Control: one thing too wide, one too small, one error.
sed 's|</header>|</header><div style="width:3000px;font-size:9px">x</div><script>nonsense()</script>|' "$scratch/probed.html" > "$scratch/control.html"
control=$(probe control.html 1280 720)
[[ $control == *'nonsense is not defined'*'wider than the screen'*'too small: x'* ]] || { echo "the control's faults are not reported: $control"; failed=1; }
[ "${WORKBOOK_PICTURES:-all}" = none ] || echo "pictures: $folder"
exit $failed
