#!/bin/sh
# Draws the pictures of docs/ that are made by `abut render`:
#
#   docs/images/draw.sh ABUT
set -eu
abut=$(realpath "$1")
cd "$(dirname "$0")"
models=st,ap,deepest,volumetric
"$abut" render showcase --contact $models --time 0.62 --size 1280x800 --out showcase.png
"$abut" render showcase --contact $models --time 3 --size 800x540 --fps 20 --out showcase.webm
"$abut" render wrecking_ball --time 0.88 --size 1280x560 --show forces --camera=-38,16,0.42 --look-at 0.45,0,0.36 --out wrecking_ball.png
"$abut" render sunk_tower --contact ap,st --stabilize post --time 0.05 --size 1120x420 --show volumes,forces --out side_by_side.png
"$abut" render contact/vf_deep --contact none --time 0 --size 720x420 --show volumes,features --out overlap.png
"$abut" render diff_drive --keyframe drive --time 0.3 --camera=-50,24,1 --size 720x420 --show points,forces,cones --out cones.png

gains=$(mktemp -d)
"$abut" tune multipoint/block --measure settling --quiet --out "$gains/out"
cp "$gains/out/tune.svg" tune.svg
rm -r "$gains"

# a page is drawn by the browser itself
page=$(mktemp -d)
trap 'rm -rf "$page"' EXIT
"$abut" run demo --time 5 --quiet --report "$page/report.html"
"${ABUT_CHROMIUM:-chromium}" --headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
  --hide-scrollbars --user-data-dir="$page/browser" --window-size=1200,1240 --virtual-time-budget=8000 \
  --screenshot="$page/report.png" "file://$page/report.html" >/dev/null 2>&1
mv "$page/report.png" report.png
echo "  wrote report.png"

# those of the Python package, where its module is built beside the tool
if [ -d "$(dirname "$abut")/python/abut" ]; then
  export PYTHONPATH="$(cd "$(dirname "$abut")" && pwd)/python" MPLBACKEND=Agg
  /usr/bin/python3 - <<'PYTHON'
import abut
import matplotlib.image
model = abut.load("showcase")
state = model.state()
abut.Simulator(model).run(state, 1.2)
matplotlib.image.imsave("python-render.png", abut.render(state, width=640, height=400))
PYTHON
  (cd "$(mktemp -d)" && /usr/bin/python3 "$OLDPWD/../../examples/python/sweep.py" >/dev/null && mv slide.svg "$OLDPWD/sweep.svg")
  echo "  wrote python-render.png, sweep.svg"
fi
