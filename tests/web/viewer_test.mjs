// The viewer as people meet it: abut's pages in Debian's Chromium, driven by mouse and keys. Each
// scene leaves a picture in the folder that is named, to be looked at.
//
//   node tests/web/viewer_test.mjs ABUT WORLDS FOLDER [SCENE]
import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [abut, worlds, folder] = process.argv.slice(2, 5).map((p) => resolve(p));
const wanted = process.argv[5]; // a part of the names of the scenes to try; none: all
const require = createRequire(join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../web/package.json"));
const { chromium } = require("playwright-core");
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "abut-web-"));

const chromiumPath = process.env.ABUT_CHROMIUM || execFileSync("sh", ["-c", "command -v chromium"]).toString().trim();
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

let failed = 0, checks = 0;
function expect(condition, what) {
  ++checks;
  if (condition) return;
  ++failed;
  console.log(`  FAILED: ${what}`);
}
const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
// Waits until the page says so; a busy machine is slow, not wrong.
async function until(page, what, condition, argument) {
  try {
    await page.waitForFunction(condition, argument, { timeout: 20_000, polling: 50 });
    expect(true, what);
  } catch {
    expect(false, `${what} (waited 20 s)`);
  }
}

// `abut view ..`, and its address. A scene that fails leaves it running.
const running = new Set();
async function view(...args) {
  const run = spawn(abut, ["view", "--quiet", ...args], { cwd: scratch });
  running.add(run);
  run.on("exit", () => running.delete(run));
  const address = await new Promise((done, fail) => {
    let out = "", err = "";
    run.stdout.on("data", (d) => (out += d).includes("\n") && done(out.trim()));
    run.stderr.on("data", (d) => (err += d));
    run.on("exit", (code) => fail(new Error(`abut view ended (${code}): ${err}`)));
  });
  return { address, end: () => new Promise((done) => (run.on("exit", done), run.kill("SIGINT"))) };
}

async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 960, height: 600 }, ...options });
  page.errors = [];
  page.requests = [];
  page.on("pageerror", (e) => page.errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && page.errors.push(m.text()));
  page.on("request", (r) => page.requests.push(r.url()));
  await page.goto(address);
  return page;
}
async function close(page, what) {
  expect(page.errors.length === 0, `${what}: the page complains: ${page.errors.join("; ")}`);
  await page.close();
}
const ready = (page) => until(page, "the scene is there", () => window.abut?.viewers[0]?.stage.lanes[0]?.frame);
const where = (page, body) => page.evaluate((b) => window.abut.viewers[0].where(b), body);
const picture = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
const time = (page) => page.evaluate(() => window.abut.viewers[0].time);

async function scene(name, run) {
  if (wanted && !name.includes(wanted)) return;
  const start = Date.now(), before = failed;
  try {
    await run();
  } catch (e) {
    ++failed;
    console.log(`  FAILED: ${e.stack ?? e}`);
  }
  for (const run of running) run.kill("SIGKILL");
  console.log(`${failed === before ? "ok    " : "FAILED"} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

// Two boxes on a floor, and a third that leans on nothing.
const boxes = join(scratch, "boxes.xml");
writeFileSync(boxes, `<mujoco model="boxes"><option timestep="0.005"/>
  <worldbody><geom name="floor" type="plane" size="0 0 1"/>
    <body name="low" pos="0 0 0.2"><freejoint/><geom type="box" size="0.2 0.2 0.2"/></body>
    <body name="high" pos="0.05 0 0.6"><freejoint/><geom type="box" size="0.2 0.2 0.2"/></body>
    <body name="ball" pos="0.75 0.1 0.15"><freejoint/><geom type="sphere" size="0.15"/></body>
  </worldbody>
  <keyframe><key name="apart" qpos="-0.5 0 0.2 1 0 0 0  0.3 0 0.2 1 0 0 0  0.9 0 0.15 1 0 0 0"/></keyframe></mujoco>`);

await scene("plays, drags, switches, undoes", async () => {
  const run = await view(boxes, "--paused");
  const page = await open(run.address);
  await ready(page);
  expect((await time(page)) === 0, "starts paused");
  await picture(page, "1-loaded");

  // plays and pauses
  await page.keyboard.press("Space");
  await until(page, "time goes on", () => window.abut.viewers[0].time > 0.3);
  await until(page, "force arrows are there", () => {
    const lane = window.abut.viewers[0].stage.lanes[0];
    // instances, or, where the processor draws, one mesh of them
    const shown = (m) => m.visible && (m.isInstancedMesh ? m.count : m.geometry.drawRange.count) > 0;
    return lane.frame.points.length > 0 && lane.overlays.group.children.filter((m) => m.isMesh && m.renderOrder >= 28).some(shown);
  });

  // a drag moves a body
  const from = await where(page, "high");
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 60, from.y - 60, { steps: 3 });
  await page.mouse.move(from.x - 110, from.y - 170, { steps: 4 });
  await until(page, "the box follows the hand", (z) => window.abut.viewers[0].where("high").position[2] > z + 0.1, from.position[2]);
  await picture(page, "2-dragged");
  await page.mouse.up();
  await until(page, "the box falls again", () => window.abut.viewers[0].where("high").position[2] < 0.65);

  // another contact model, while it runs
  await page.selectOption("[data-choice=contact]", "ap");
  await until(page, "the model is switched", () => window.abut.viewers[0].status_.lanes[0].contact === "ap");
  const t = await time(page);
  await until(page, "and it goes on", (from) => window.abut.viewers[0].time > from + 0.1, t);
  await picture(page, "3-switched");

  // undo: first the model, then the drag
  await page.keyboard.press("Space");
  await until(page, "paused", () => !window.abut.viewers[0].status_.playing);
  for (let n = await page.evaluate(() => window.abut.viewers[0].status_.undo); n > 0; --n) {
    await page.keyboard.press("z");
    await until(page, `undo ${n}`, (left) => window.abut.viewers[0].status_.undo === left, n - 1);
  }
  await until(page, "the box is back", (p) => {
    const now = window.abut.viewers[0].where("high").position;
    return Math.hypot(now[0] - p[0], now[1] - p[1], now[2] - p[2]) < 0.02;
  }, from.position);
  expect((await page.evaluate(() => window.abut.viewers[0].status_.lanes[0].contact)) === "fast", "and the model");
  await picture(page, "4-undone");

  // a thrown box joins
  await page.keyboard.press("t");
  await until(page, "a box is thrown", () => window.abut.viewers[0].stage.description.bodies.length === 5);
  await page.keyboard.press("Space");
  await until(page, "it flies", () => {
    const v = window.abut.viewers[0];
    return v.where("thrown box") && v.status_.playing && v.time > 0.5;
  });
  await picture(page, "5-thrown");

  // a second page watches the same run
  const other = await open(run.address);
  await ready(other);
  await until(other, "two clients", () => window.abut.viewers[0].status_.clients === 2);
  await close(other, "the second page");

  // what was chosen survives a reset
  await page.selectOption("[data-choice=contact]", "ap");
  await until(page, "ap", () => window.abut.viewers[0].status_.lanes[0].contact === "ap");
  await page.selectOption("[data-choice=timestep]", "0.002");
  await until(page, "the step", () => window.abut.viewers[0].status_.timestep === 0.002);
  await page.click("[data-beside=deepest]");
  await until(page, "two lanes", () => window.abut.viewers[0].status_.lanes.length === 2);
  await page.click("[title='To the start (R)']");
  await until(page, "at the start", () => window.abut.viewers[0].time === 0);
  const kept = await page.evaluate(() => window.abut.viewers[0].status_);
  expect(kept.lanes.map((l) => l.contact).join() === "ap,deepest" && kept.timestep === 0.002, "with the models, lanes and step");
  // friction that deepest takes is not offered for ap
  const offered = await page.evaluate(() => [...document.querySelectorAll("[data-choice=friction] option")].map((o) => o.value));
  expect(offered.includes("cone") && !offered.includes("anchor"), `friction of ap: ${offered}`);
  await page.click("[data-beside=deepest]");
  await page.keyboard.press("Space");

  // keyframe, push, dark
  await page.selectOption("[data-choice=keyframe]", "apart");
  await until(page, "the keyframe", () => window.abut.viewers[0].where("low").position[0] < -0.4);
  await page.keyboard.press("3");
  const low = await where(page, "low");
  await page.mouse.move(low.x - 30, low.y);
  await page.mouse.down();
  await page.mouse.move(low.x - 20, low.y, { steps: 3 });
  await until(page, "the cursor repels", (x) => Math.abs(window.abut.viewers[0].where("low").position[0] - x) > 0.01, low.position[0]);
  await picture(page, "6-pushed");
  await page.mouse.up();
  await page.keyboard.press("l");
  await page.keyboard.press("?");
  await sleep(300);
  await picture(page, "7-help-dark");
  expect((await page.evaluate(() => window.abut.viewers[0].theme)) === "dark", "dark");
  await close(page, "live");
  const code = await run.end();
  expect(code === 130, `ends with 130 on ^C, not ${code}`);
});

await scene("side by side, every overlay", async () => {
  const run = await view(join(worlds, "sunk_tower.xml"), "--contact", "st,ap,deepest,none", "--paused",
    "--show", "points,normals,forces,cones,phases,features,volumes,boxes,joints");
  const page = await open(run.address, { colorScheme: "dark" });
  await ready(page);
  await until(page, "four lanes", () => window.abut.viewers[0].stage.lanes.filter((l) => l.frame).length === 4);
  await until(page, "overlaps and features are sent", () => {
    const f = window.abut.viewers[0].stage.lanes[0].frame;
    return f.triangles.length > 0 && f.features.length > 0 && f.boxes.length > 0;
  });
  for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowRight");
  await until(page, "twelve steps", () => window.abut.viewers[0].status_.step === 12);
  await sleep(500);
  await picture(page, "8-side-by-side");
  // one lane less, from the panel
  await page.click("[data-beside=none]");
  await until(page, "three lanes", () => window.abut.viewers[0].stage.lanes.length === 3);
  await close(page, "side by side");
  await run.end();
});

await scene("replays a recording", async () => {
  const recording = join(scratch, "run.h5");
  execFileSync(abut, ["run", join(worlds, "diff_drive.xml"), "--keyframe", "drive", "--time", "2", "--quiet", "--record", recording], { cwd: scratch });
  const run = await view(recording);
  const page = await open(run.address);
  await ready(page);
  await page.keyboard.press("Space");
  await until(page, "it plays", () => window.abut.viewers[0].time > 0.2);
  await page.evaluate(() => {
    const v = window.abut.viewers[0];
    v.film.playing = false;
    v.film.seek(1.5);
  });
  await sleep(600);
  expect(Math.abs((await time(page)) - 1.5) < 1e-6, "and goes where it is told");
  await picture(page, "9-recording");
  await close(page, "recording");
  await run.end();
});

await scene("a report opens from disk, without the network", async () => {
  const report = join(scratch, "report.html");
  execFileSync(abut, ["run", boxes, "--time", "1", "--quiet", "--report", report], { cwd: scratch });
  const page = await open(`file://${report}`);
  await ready(page);
  await until(page, "the replay plays by itself", () => window.abut.viewers[0].time > 0.1);
  await picture(page, "10-report");
  const elsewhere = page.requests.filter((r) => !r.startsWith("file:") && !r.startsWith("blob:") && !r.startsWith("data:"));
  expect(elsewhere.length === 0, `nothing is fetched: ${elsewhere}`);
  await close(page, "report");
});

await scene("the camera goes along", async () => {
  for (const name of ["incline", "chain6"]) {
    const run = await view(join(worlds, `${name}.xml`));
    const page = await open(run.address);
    await ready(page);
    await until(page, "two seconds", () => window.abut.viewers[0].time > 2);
    await page.keyboard.press("Space");
    const outside = () => page.evaluate(() => {
      const v = window.abut.viewers[0], box = v.stage.canvas.getBoundingClientRect();
      return v.stage.description.moving.map((b) => v.stage.description.bodies[b].name).filter((name) => {
        const at = v.where(name);
        return at.x < box.left || at.x > box.right || at.y < 60 || at.y > box.bottom - 70;
      });
    });
    for (let i = 0; i < 40 && (await outside()).length; ++i) await sleep(100);
    expect((await outside()).length === 0, `${name}: out of sight: ${await outside()}`);
    // a camera that somebody has moved stays
    const eye = () => page.evaluate(() => window.abut.viewers[0].stage.place.eye);
    await page.evaluate(() => (window.abut.viewers[0].stage.place = { eye: [2, 1, 3], at: [0, 0, 0] }));
    const place = await eye();
    await page.keyboard.press("Space");
    await sleep(600);
    const after = await eye();
    expect(Math.hypot(...after.map((x, i) => x - place[i])) < 1e-3, `${name}: the camera stays: ${place}, ${after}`);
    await close(page, name);
    await run.end();
  }
});

await scene("has room on a small screen", async () => {
  const run = await view(boxes, "--paused");
  const page = await open(run.address, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await ready(page);
  const free = (selector) => page.evaluate((s) => {
    const box = document.querySelector(s).getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.left >= 0 && box.right <= innerWidth && Boolean(at?.closest(s));
  }, selector);
  expect(await free(".abut-main"), "Play can be touched");
  expect(await free("[title='Side panel (B)']"), "and the switch of the panel");
  await page.tap("[title='Side panel (B)']");
  expect(await page.isVisible("[data-choice=contact]"), "the panel opens");
  expect((await free(".abut-main")) && (await free("[title='Side panel (B)']")), "and covers neither");
  await picture(page, "14-small");
  await page.tap("[title='Side panel (B)']");
  // all bodies are in sight, between the bars
  const inside = await page.evaluate(() => ["low", "high", "ball"].every((name) => {
    const at = window.abut.viewers[0].where(name);
    return at.x > 0 && at.x < innerWidth && at.y > 90 && at.y < innerHeight - 80;
  }));
  expect(inside, "all bodies are between the bars");
  await close(page, "small");
  await run.end();
});

await scene("bodies, joints, read-out, address, film", async () => {
  const run = await view(join(worlds, "double_pendulum.xml"), "--paused");
  const page = await open(run.address);
  await ready(page);
  const names = await page.evaluate(() => [...document.querySelectorAll(".abut-tree button")].map((b) => b.textContent));
  expect(names.length > 1, `bodies: ${names}`);
  await page.click(".abut-tree button:nth-child(2)");
  await until(page, "the read-out has a velocity", () => document.querySelector(".abut-readout")?.textContent.includes("m/s"));
  const joint = page.locator(".abut-panel input[type=range]").last();
  await joint.evaluate((slider) => {
    slider.value = "0.7";
    slider.dispatchEvent(new Event("input"));
  });
  await until(page, "the joint is there", () => Math.abs(window.abut.viewers[0].status_.joints.at(-1) - 0.7) < 0.02);
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.abut.viewers[0].record());
  await page.evaluate(() => window.abut.viewers[0].toggle());
  await until(page, "it moves", () => window.abut.viewers[0].time > 2);
  await page.evaluate(() => window.abut.viewers[0].record());
  await until(page, "a film", () => window.abut.viewers[0].lastFilm?.size > 1000);
  await page.evaluate(() => (window.abut.viewers[0].stage.place = { eye: [3, -2, 2], at: [0, 0, 1] }));
  await page.keyboard.press("Shift+N");
  await until(page, "the address says it", () => /show=[^&]*normals/.test(location.hash) && /eye=3,-2,2/.test(location.hash));
  const address = page.url();
  await close(page, "bodies");
  const again = await open(address);
  await ready(again);
  const eye = await again.evaluate(() => [window.abut.viewers[0].stage.place.eye, window.abut.viewers[0].stage.overlays.normals]);
  expect(Math.abs(eye[0][0] - 3) < 1e-3 && eye[1], "the same view again");
  const size = (await (await fetch(address.split("#")[0])).text()).length;
  expect(size < 250_000, `the page has ${size} bytes`);
  console.log(`  the page has ${size} bytes`);
  await close(again, "again");
  await run.end();
});

await scene("a hand by keys", async () => {
  const run = await view("haptic/virtual_wall", "--haptic", "--device", "mouse");
  const page = await open(run.address);
  await ready(page);
  await until(page, "what the hand feels", () => document.querySelector(".abut-felt"));
  const start = (await where(page, "pointer")).position;
  await page.keyboard.down("PageDown");
  await page.keyboard.down("ArrowRight");
  await until(page, "the pointer moves", (from) => {
    const now = window.abut.viewers[0].where("pointer").position;
    return Math.hypot(...now.map((x, i) => x - from[i])) > 0.005;
  }, start);
  await page.keyboard.up("PageDown");
  await page.keyboard.up("ArrowRight");
  expect((await page.evaluate(() => document.querySelector(".abut-felt").textContent)).includes("mouse, 1000 Hz"), "the card says who the hand is");
  await picture(page, "hand");
  await close(page, "the hand");
  await run.end();
});

await scene("a page of another origin stays outside", async () => {
  const run = await view(boxes);
  const port = new URL(run.address).port, token = new URL(run.address).searchParams.get("token");
  const page = await browser.newPage();
  await page.goto("data:text/html,<p>elsewhere</p>");
  const got = await page.evaluate(([p, t]) => new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${p}/ws?token=${t}`);
    socket.onopen = () => done("in");
    socket.onerror = () => done("out");
  }), [port, token]);
  expect(got === "out", "the socket is refused");
  const bare = await page.goto(`http://127.0.0.1:${port}/`);
  expect(bare.status() === 403, "no page without the token");
  await page.close();
  await run.end();
});

await scene("renders a picture and a film", async () => {
  const png = join(folder, "11-rendered.png"), webm = join(folder, "12-rendered.webm");
  execFileSync(abut, ["render", boxes, "--time", "0.5", "--size", "480x320", "--quiet", "--out", png], { cwd: scratch });
  const head = readFileSync(png);
  expect(head.subarray(1, 4).toString() === "PNG" && head.readUInt32BE(16) === 480 && head.readUInt32BE(20) === 320, "a PNG of that size");
  execFileSync(abut, ["render", boxes, "--time", "0.3", "--fps", "10", "--size", "320x240", "--quiet", "--out", webm], { cwd: scratch });
  expect(readFileSync(webm).readUInt32BE(0) === 0x1a45dfa3 && statSync(webm).size > 2000, "a WebM film");
});

// 5,000 bodies of these kinds in turn, the capsules of many lengths, low over a floor.
function manyBodies(name, kinds) {
  const file = join(scratch, `${name}.xml`), bodies = [];
  for (let i = 0; i < 5000; ++i) {
    const at = [0.5 * (i % 50) - 12, 0.5 * (Math.floor(i / 50) % 50) - 12, 0.16 + 0.5 * Math.floor(i / 2500)];
    const size = { box: "0.15 0.15 0.15", sphere: "0.15", cylinder: "0.12 0.15", ellipsoid: "0.1 0.12 0.15", capsule: `0.1 ${0.02 + 0.004 * (i % 25)}` };
    const kind = kinds[i % kinds.length];
    bodies.push(`<body pos="${at.join(" ")}"><freejoint/><geom type="${kind}" size="${size[kind]}"/></body>`);
  }
  writeFileSync(file, `<mujoco model="${name}"><option timestep="0.005" gravity="0 0 -0.02"/><worldbody><geom type="plane" size="0 0 1"/>${bodies.join("")}</worldbody></mujoco>`);
  return file;
}

// Pictures a second depend on the machine and what else it does; calls, triangles and bytes do not.
async function cost(page) {
  await page.evaluate(() => {
    const { stage } = window.abut.viewers[0], gl = stage.renderer.getContext();
    window.told = { bytes: 0, pictures: 0 };
    for (const name of ["bufferData", "bufferSubData"]) {
      const call = gl[name].bind(gl);
      gl[name] = (...all) => {
        const data = all.find((x) => ArrayBuffer.isView(x)), length = name === "bufferSubData" && all[4] ? all[4] * data.BYTES_PER_ELEMENT : data?.byteLength;
        window.told.bytes += length ?? 0;
        return call(...all);
      };
    }
    const before = stage.onDraw;
    stage.onDraw = () => (++window.told.pictures, before());
  });
  await sleep(3000);
  await until(page, "some pictures", () => window.told.pictures > 5);
  return page.evaluate(() => {
    const { stage } = window.abut.viewers[0], { render } = stage.renderer.info;
    return { fps: stage.fps, by: stage.rendererName, bodies: stage.description.moving.length, calls: render.calls, triangles: render.triangles,
      bytes: window.told.bytes / window.told.pictures, software: stage.plain, missing: stage.missing.join(), foot: document.querySelector(".abut-foot").textContent };
  });
}

for (const [name, kinds, contact, most] of [
  ["5000-boxes", ["box"], "none", { calls: 12, triangles: 70_000, bytes: 6e5 }],
  ["5000-shapes", ["box", "sphere", "cylinder", "capsule", "ellipsoid"], "none", { calls: 12, triangles: 140_000, bytes: 4e6 }],
  ["5000-contacts", ["box"], "deepest", { calls: 12, triangles: 70_000, bytes: 1e6 }],
])
  await scene(name, async () => {
    const run = await view(manyBodies(name, kinds), "--contact", contact, "--paused", ...(contact === "none" ? ["--show", "none"] : []));
    const page = await open(run.address);
    await ready(page);
    await page.keyboard.press("Space");
    await until(page, "it moves", () => window.abut.viewers[0].time > 0.02);
    await sleep(2000);
    const told = await cost(page);
    expect(told.bodies === 5000, "5,000 of them");
    for (const what of told.software ? Object.keys(most) : ["calls"]) expect(told[what] <= most[what], `at most ${most[what]} ${what} a picture, not ${told[what]}`);
    expect(told.missing === "" || told.foot.includes(told.missing.split(",")[0]), `the page says what is missing: ${told.missing}`);
    console.log(`  ${told.fps.toFixed(1)} pictures a second, each ${told.calls} calls, ${told.triangles} triangles, ${Math.round(told.bytes / 1000)} kB; drawn by ${told.by}`);
    await picture(page, `13-${name}`);
    // whatever time it takes
    await page.click("[data-show=all]");
    expect(await page.evaluate(() => window.abut.viewers[0].stage.missing.length === 0), "all of it, where that is asked");
    await close(page, name);
    await run.end();
  });

await browser.close();
rmSync(scratch, { recursive: true, force: true });
console.log(`${checks} checks, ${failed} failed; pictures are in ${folder}`);
process.exit(failed ? 1 : 0);
