# SPDX-License-Identifier: MIT
# For scripts that look at pages in Chromium: they include it. Without one the script ends with 77, as a skipped test does.
# It makes $scratch, a folder that is gone in the end, and expects there probe.html: what a page runs to look at itself, which posts
# what it found to the page around it.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo 'skipped: no Chromium'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

chromium() { "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" "$@" 2> "$scratch/log"; }

# The flag for a page that is `light` or `dark`.
on_ground() { echo "--blink-settings=preferredColorScheme=$([ "$1" = dark ] && echo 0 || echo 1)"; }

# with_probe PAGE OUTPUT: the page with probe.html in its head.
with_probe() { sed "/^<head>/r $scratch/probe.html" "$1" > "$2"; }

# probe PAGE WIDTH HEIGHT [FLAG...]: prints what the page posted, and errors of the console. In a frame, because a window has a
# least width; frame.html is left for pictures.
probe() {
  local page=$1 width=$2 height=$3
  shift 3
  cat > "$scratch/frame.html" << HTML
<!DOCTYPE html><title>waiting</title><body style="margin:0"><iframe src="$page" style="border:0;width:${width}px;height:${height}px"></iframe>
<script>addEventListener('message', event => { document.title = event.data; })</script></body>
HTML
  chromium "$@" --window-size="$width,$height" --virtual-time-budget=10000 --dump-dom "file://$scratch/frame.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p'
  grep -E 'CONSOLE.*(rror|efused)' "$scratch/log" || true
}

# picture OUTPUT WIDTH HEIGHT [FLAG...]: of $scratch/frame.html, or of another page there that PICTURED names. Each starts the browser
# once more, and no test looks at it: with WORKBOOK_PICTURES=none none is made.
picture() {
  [ "${WORKBOOK_PICTURES:-all}" != none ] || return 0
  local output=$1 width=$2 height=$3
  shift 3
  chromium "$@" --window-size="$width,$height" --screenshot="$output" "file://$scratch/${PICTURED:-frame.html}" || { cat "$scratch/log"; exit 1; }
}
