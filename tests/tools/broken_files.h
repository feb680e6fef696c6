// Broken files as users make them: what kind of mistake, what is in the file, where the message
// must point and what it must say to do. `files` besides the first are written beside it.
#pragma once

#include <string>
#include <vector>

namespace abut::test {

struct BrokenFile {
  const char* kind;
  const char* name;
  std::string content;
  int line;            // 0: the message names the file alone
  const char* advice;  // must be part of the message
};

inline std::string in_world(const std::string& rest) {
  return "<mujoco>\n<worldbody>\n" + rest + "\n</worldbody>\n</mujoco>\n";
}

// A body that can move, with what is wrong about it on line 4.
inline std::string in_body(const std::string& rest) {
  return in_world("<body name='b'>\n" + rest + "\n<geom size='.1'/></body>");
}

// Something after a good body 'b' with hinge 'j' on one line; what is wrong is on line 3.
inline std::string after_body(const std::string& rest) {
  return "<mujoco>\n<worldbody><body name='b'><joint name='j'/><geom name='g' "
         "size='.1'/></body></worldbody>\n" +
         rest + "\n</mujoco>\n";
}

inline std::string nested(int levels) {
  std::string xml = "<mujoco><worldbody>\n";
  for (int i = 0; i < levels; ++i) xml += "<body>";
  for (int i = 0; i < levels; ++i) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

inline std::string entity_bomb() {
  std::string xml = "<!DOCTYPE mujoco [\n<!ENTITY a0 'boom'>\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "&a" + std::to_string(i - 1) + ";";
    xml += "<!ENTITY a" + std::to_string(i) + " '" + before + before + before + before + "'>\n";
  }
  return xml + "]>\n<mujoco><worldbody><body name='&a29;'/></worldbody></mujoco>\n";
}

inline std::vector<BrokenFile> broken_files() {
  return {
      {"truncated", "cut_tag.xml", "<mujoco>\n<worldbody>\n<body name='b'", 3, "quot"},
      {"truncated", "cut_body.xml", "<mujoco>\n<worldbody>\n<body>\n", 3, "closed"},
      {"truncated", "empty.xml", "", 0, "empty"},
      {"truncated", "blank.xml", "\n\n  \n", 0, "empty"},
      {"mismatched tags", "crossed.xml", "<mujoco>\n<worldbody><body></worldbody></body></mujoco>",
       2, "closed"},
      {"mismatched tags", "unquoted.xml", in_world("<geom size=1/>"), 3, "quot"},
      {"binary junk", "junk.xml",
       std::string("\x00\x01\xff\xfe\x7f"
                   "ELF\x02\x01",
                   10),
       1, "XML"},
      {"binary junk", "picture.xml", "\x89PNG\r\n\x1a\n", 1, "XML"},
      {"binary junk", "text.xml", "dear simulator,\nplease run", 1, "XML"},
      {"wrong root", "html.xml", "<html>\n<body/></html>", 1, "mujoco"},
      {"wrong root", "sdf.xml", "<sdf version='1.6'>\n</sdf>", 1, "mujoco"},
      {"unknown element", "wrldbody.xml", "<mujoco>\n<wrldbody/>\n</mujoco>", 2,
       "did you mean 'worldbody'?"},
      {"unknown element", "jnt.xml", in_body("<jiont/>"), 4, "did you mean 'joint'?"},
      {"unknown element", "misplaced.xml", "<mujoco>\n<geom size='1'/>\n</mujoco>", 2,
       "unknown element <geom>"},
      {"unknown element", "sensor.xml", after_body("<sensor><jointpo joint='j'/></sensor>"), 3,
       "did you mean 'jointpos'?"},
      {"misspelled attribute", "szie.xml", in_world("<geom szie='1'/>"), 3, "did you mean 'size'?"},
      {"misspelled attribute", "nam.xml", in_world("<body nam='x'/>"), 3, "did you mean 'name'?"},
      {"misspelled attribute", "grav.xml", "<mujoco>\n<option gravty='0 0 -1'/>\n</mujoco>", 2,
       "did you mean 'gravity'?"},
      {"misspelled attribute", "dampng.xml", in_body("<joint dampng='1'/>"), 4,
       "did you mean 'damping'?"},
      {"unknown keyword", "cube.xml", in_world("<geom type='cube' size='1 1 1'/>"), 3, "box"},
      {"unknown keyword", "hing.xml", in_body("<joint type='hing'/>"), 4, "did you mean 'hinge'?"},
      {"unknown keyword", "rk5.xml", "<mujoco>\n<option integrator='RK5'/>\n</mujoco>", 2, "RK4"},
      {"unknown keyword", "flag.xml", "<mujoco>\n<option><flag gravity='off'/></option>\n</mujoco>",
       2, "disable"},
      {"not a number", "word.xml", in_world("<geom size='big'/>"), 3, "not a number"},
      {"not a number", "units.xml", in_world("<geom size='10cm'/>"), 3, "not a number"},
      {"not a number", "commas.xml", in_world("<geom type='box' size='1,2,3'/>"), 3, "blanks"},
      {"not finite", "nan.xml", in_world("<geom size='nan'/>"), 3, "usable number"},
      {"not finite", "inf.xml", in_body("<joint damping='inf'/>"), 4, "usable number"},
      {"huge numbers", "huge.xml", in_world("<geom size='1e400'/>"), 3, "finite"},
      {"huge numbers", "huge_mass.xml",
       in_world("<body><freejoint/>\n<geom size='.1' mass='1e25'/></body>"), 4, "mass"},
      {"huge numbers", "huge_step.xml", "<mujoco>\n<option timestep='1e20'/>\n</mujoco>", 2,
       "timestep"},
      {"wrong count", "pos2.xml", in_world("<geom size='1' pos='1 2'/>"), 3,
       "needs 3 numbers, has 2"},
      {"wrong count", "quat3.xml", in_world("<geom size='1' quat='1 0 0'/>"), 3,
       "needs 4 numbers, has 3"},
      {"wrong count", "range1.xml", in_body("<joint range='1'/>"), 4, "needs 2 numbers"},
      {"wrong count", "boxsize.xml", in_world("<geom type='box' size='1'/>"), 3, "size"},
      {"zero or negative", "zero_size.xml", in_world("<geom size='0'/>"), 3, "size"},
      {"zero or negative", "negative_size.xml", in_world("<geom type='box' size='1 -1 1'/>"), 3,
       "positive"},
      {"zero or negative", "negative_mass.xml",
       in_world("<body><freejoint/>\n<geom size='.1' mass='-1'/></body>"), 4, "mass"},
      {"zero or negative", "zero_step.xml", "<mujoco>\n<option timestep='0'/>\n</mujoco>", 2,
       "above zero"},
      {"zero or negative", "negative_step.xml", "<mujoco>\n<option timestep='-0.1'/>\n</mujoco>", 2,
       "above zero"},
      {"zero or negative", "negative_density.xml", in_world("<geom size='.1' density='-5'/>"), 3,
       "density"},
      {"zero or negative", "negative_armature.xml", in_body("<joint armature='-1'/>"), 4,
       "armature"},
      {"bad inertia", "triangle.xml",
       in_world("<body><freejoint/>\n<inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/></body>"),
       3, "balanceinertia"},
      {"bad inertia", "indefinite.xml",
       in_world(
           "<body><freejoint/>\n<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 2 2'/></body>"),
       4, "inertia"},
      {"missing file", "no_mesh.xml",
       "<mujoco>\n<asset>\n<mesh file='none.stl'/></asset>\n</mujoco>", 3, "none.stl"},
      {"missing file", "no_include.xml", "<mujoco>\n<include file='none.xml'/>\n</mujoco>", 2,
       "none.xml"},
      {"missing file", "no_hfield.xml",
       "<mujoco>\n<asset>\n<hfield name='h' file='none.png' size='1 1 1 1'/></asset>\n</mujoco>", 3,
       "none.png"},
      {"damaged file", "empty_mesh.xml",
       "<mujoco>\n<asset>\n<mesh file='empty.stl'/></asset>\n</mujoco>", 3, "empty.stl"},
      {"damaged file", "text_mesh.xml",
       "<mujoco>\n<asset>\n<mesh file='text.obj'/></asset>\n</mujoco>", 3, "text.obj"},
      {"damaged file", "directory_mesh.xml",
       "<mujoco>\n<asset>\n<mesh file='folder.stl'/></asset>\n</mujoco>", 3, "folder.stl"},
      {"cyclic include", "cycle.xml", "<mujoco>\n<include file='cycle.xml'/>\n</mujoco>", 2,
       "include"},
      {"cyclic include", "ring.xml", "<mujoco>\n<include file='ring_b.xml'/>\n</mujoco>", 2,
       "include"},
      {"duplicate name", "two_bodies.xml", in_world("<body name='b'/>\n<body name='b'/>"), 4,
       "'b'"},
      {"duplicate name", "two_joints.xml",
       in_body("<joint name='j' axis='1 0 0'/>\n<joint name='j'/>"), 5, "'j'"},
      {"duplicate name", "twice.xml", in_world("<geom size='1' size='2'/>"), 3, "twice"},
      {"reference to nothing", "no_joint.xml",
       after_body("<actuator><motor joint='k'/></actuator>"), 3, "'k'"},
      {"reference to nothing", "no_class.xml", in_world("<geom class='steel' size='1'/>"), 3,
       "'steel'"},
      {"reference to nothing", "no_asset.xml", in_world("<geom type='mesh' mesh='m'/>"), 3, "'m'"},
      {"reference to nothing", "no_body.xml",
       after_body("<contact><exclude body1='b' body2='c'/></contact>"), 3, "'c'"},
      {"reference to nothing", "no_tendon_joint.xml",
       after_body("<tendon><fixed><joint joint='jj' coef='1'/></fixed></tendon>"), 3,
       "did you mean 'j'?"},
      {"zero axis", "zero_axis.xml", in_body("<joint axis='0 0 0'/>"), 4, "axis"},
      {"zero axis", "zero_quat.xml", in_world("<geom size='1' quat='0 0 0 0'/>"), 3, "1 0 0 0"},
      {"zero axis", "zero_fromto.xml",
       in_world("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), 3, "fromto"},
      {"mover without mass", "no_mass.xml", in_world("<body name='ghost'>\n<freejoint/></body>"), 3,
       "mass"},
      {"mover without mass", "zero_mass.xml",
       in_world("<body name='ghost'><freejoint/>\n<geom size='.1' mass='0'/></body>"), 3, "mass"},
      {"flat mesh", "flat.xml",
       "<mujoco>\n<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 "
       "0'/></asset>\n<worldbody><body><freejoint/>"
       "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
       3, "flat"},
      {"flat mesh", "three_points.xml",
       "<mujoco>\n<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0'/></asset>\n<worldbody>"
       "<geom type='mesh' mesh='m'/></worldbody></mujoco>",
       3, "4"},
      {"bad range", "backwards.xml", in_body("<joint range='1 -1' limited='true'/>"), 4, "range"},
      {"bad keyframe", "key.xml", after_body("<keyframe><key qpos='1 2 3'/></keyframe>"), 3,
       "qpos"},
      {"misplaced joint", "nested_free.xml",
       in_world("<body><geom size='1'/><joint/>\n<body><freejoint/><geom size='1'/></body></body>"),
       4, "free"},
      {"misplaced joint", "mocap_child.xml",
       in_world("<body><geom size='1'/>\n<body mocap='true'><geom size='1'/></body></body>"), 4,
       "mocap"},
      {"deep nesting", "deep.xml", nested(20000), 2, "nest"},
      {"explosion", "replicate.xml",
       in_world("<replicate count='100000'><replicate count='100000'><geom "
                "size='1'/></replicate></replicate>"),
       3, "replicate"},
      {"entity bomb", "bomb.xml", entity_bomb(), 1, "DOCTYPE"},
  };
}

}  // namespace abut::test
